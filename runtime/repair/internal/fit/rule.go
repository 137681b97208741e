package fit

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// ModelRepair defines which repairs of an original are allowed.
type ModelRepair struct {
	Text   string         // of the original
	Value  *jsontext.Node // in the text; nil if it is prose
	Schema *jsonschema.Schema

	Refused []string                  // pointers of values that are wrong although the schema allows them
	Free    func(pointer string) bool // reports places where any value is allowed; may be nil
	Stands  func(*jsontext.Node) bool // reports values that stand for values of any type; may be nil
}

// isRefused reports whether a value is inside a refused value.
func (r *ModelRepair) isRefused(pointer string) bool {
	return slices.ContainsFunc(r.Refused, func(wrong string) bool {
		return pointer == wrong || strings.HasPrefix(pointer, wrong+"/")
	})
}

// touchesRefused reports whether a value contains a refused value or is inside one.
func (r *ModelRepair) touchesRefused(pointer string) bool {
	return r.isRefused(pointer) || slices.ContainsFunc(r.Refused, func(wrong string) bool { return strings.HasPrefix(wrong, pointer+"/") })
}

// rootPlace returns the place of the whole value.
func (r *ModelRepair) rootPlace() schemaPlace {
	p := schemaPlace{rule: schemaKnown, declared: true}
	if r.Schema != nil {
		p.schemas = []*jsonschema.Schema{r.Schema}
	}
	return p
}
