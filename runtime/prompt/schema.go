package prompt

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/wire"
)

// schema is a JSON Schema, or an absent one. It may be any that a program was
// given: what is not understood is left alone.
type schema struct{ *jsontext.Node }

const maxSchemaDepth = 1000

// parseSchema returns the schema in a text, an absent one if it is no object.
func parseSchema(text json.RawMessage) schema {
	n, err := jsontext.Parse(string(text), maxSchemaDepth)
	if err != nil || !n.Is(jsontext.Object) {
		return schema{}
	}
	return schema{n}
}

// text returns a member of the schema that is a string, else "".
func (s schema) text(name string) string { return s.Member(name).Str() }

// elements returns a member of the schema that is an array.
func (s schema) elements(name string) []*jsontext.Node {
	if n := s.Member(name); n.Is(jsontext.Array) {
		return n.Items
	}
	return nil
}

type property struct {
	name     string
	schema   schema
	required bool
}

// properties returns the properties of an object, in their order.
func (s schema) properties() (all []property) {
	n := s.Member("properties")
	if !n.Is(jsontext.Object) {
		return nil
	}
	required := s.required()
	for _, m := range n.Items {
		all = append(all, property{m.Name(), schema{m}, required[m.Name()]})
	}
	return all
}

func (s schema) required() map[string]bool {
	names := map[string]bool{}
	for _, n := range s.elements("required") {
		if n.Is(jsontext.String) {
			names[n.Str()] = true
		}
	}
	return names
}

// isReference reports whether nothing but a reference is valid.
func (s schema) isReference() bool { return s.text("pattern") == wire.ReferencePattern }
