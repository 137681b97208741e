package prompt

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// schema is a JSON Schema, or an absent one. It may be any that a program was
// given: what is not understood is left alone.
type schema struct {
	*jsontext.Node
	root      *jsontext.Node
	explained bool // its text says what properties mean
	bounded   bool // and what their bounds are
	types     *types
}

// parseSchema returns the schema in a text, an absent one if it is no object.
func parseSchema(text json.RawMessage) schema {
	n, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil || !n.Is(jsontext.Object) {
		return schema{}
	}
	return schema{Node: n, root: n}
}

// at returns a schema within s.
func (s schema) at(n *jsontext.Node) schema {
	s.Node = n
	return s
}

// referred returns the object that the schema refers to, an absent schema if there is
// none in the document.
func (s schema) referred() schema {
	ref := s.text("$ref")
	pointer, inside := parts.Pointer(ref)
	if to := s.at(s.root.At(pointer)); ref != "" && inside && len(to.properties()) > 0 {
		return to
	}
	return schema{}
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
		all = append(all, property{m.Name(), s.at(m), required[m.Name()]})
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
func (s schema) isReference() bool { return s.text("pattern") == reference.Pattern }
