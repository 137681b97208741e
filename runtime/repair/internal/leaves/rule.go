package leaves

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Rule says what may be made of an original.
type Rule struct {
	Text   string         // of the original
	Value  *jsontext.Node // in it; nil if it is prose
	Schema *jsonschema.Schema

	Refused []string                  // pointers of what is wrong, though the schema allows it
	Free    func(pointer string) bool // tells places where anything may stand; may be nil
	Stands  func(*jsontext.Node) bool // tells what stands for a value of any type; may be nil
}

// refuses tells whether a value is in one that was refused.
func (r *Rule) refuses(pointer string) bool {
	return slices.ContainsFunc(r.Refused, func(wrong string) bool {
		return pointer == wrong || strings.HasPrefix(pointer, wrong+"/")
	})
}

// touches tells whether something in a value was refused, or what it is in.
func (r *Rule) touches(pointer string) bool {
	return r.refuses(pointer) || slices.ContainsFunc(r.Refused, func(wrong string) bool { return strings.HasPrefix(wrong, pointer+"/") })
}

// root is the place of the whole.
func (r *Rule) root() place {
	p := place{says: known, declared: true}
	if r.Schema != nil {
		p.schemas = []*jsonschema.Schema{r.Schema}
	}
	return p
}
