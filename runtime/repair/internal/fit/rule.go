package fit

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// ModelRepair defines which repairs of an original are allowed.
type ModelRepair struct {
	Text   string             // the original
	Value  *jsontext.Node     // the value in Text; nil if Text is prose
	Schema *jsonschema.Schema // the schema of the value; may be nil

	Refused []string                  // pointers of values that are wrong although the schema allows them
	Free    func(pointer string) bool // reports whether a repair may put any value at a place; may be nil
	Stands  func(text string) bool    // reports whether a string is a placeholder, which is valid at any place; may be nil
}

// isRefused reports whether a value is refused or inside a refused value.
func (r *ModelRepair) isRefused(pointer string) bool {
	return slices.ContainsFunc(r.Refused, func(refused string) bool {
		return pointer == refused || strings.HasPrefix(pointer, refused+"/")
	})
}

// touchesRefused reports whether a value is refused, contains a refused value, or is inside one.
func (r *ModelRepair) touchesRefused(pointer string) bool {
	return r.isRefused(pointer) || slices.ContainsFunc(r.Refused, func(refused string) bool { return strings.HasPrefix(refused, pointer+"/") })
}

// rootPlace returns the place of the whole value.
func (r *ModelRepair) rootPlace() schemaPlace {
	p := schemaPlace{rule: placeDefined, declared: true}
	if r.Schema != nil {
		p.schemas = []*jsonschema.Schema{r.Schema}
	}
	return p
}
