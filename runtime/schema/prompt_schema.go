package schema

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// schema is a JSON Schema in a document, or absent if Node is nil. It may be any schema that a program
// provides; keywords that this package does not understand are ignored.
type schema struct {
	*jsontext.Node
	root         *jsontext.Node
	withMeanings bool // include the descriptions of properties
	withBounds   bool // include the bounds of properties
	types        *typeNames
}

// parseInputSchema parses the schema of a tool's arguments or result. It returns an absent schema if the text
// is not a JSON object.
func parseInputSchema(text json.RawMessage) schema {
	n, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil || !n.Is(jsontext.Object) {
		return schema{}
	}
	return schema{Node: n, root: n}
}

// subschema returns the schema n, which is part of the same document as s, with the same settings.
func (s schema) subschema(n *jsontext.Node) schema {
	s.Node = n
	return s
}

// referencedObject returns the object schema that s refers to, or an absent schema if there is none in the
// document.
func (s schema) referencedObject() schema {
	ref := s.textMember("$ref")
	pointer, inside := jsonschema.LocalPointer(ref)
	if to := s.subschema(s.root.At(pointer)); ref != "" && inside && len(to.listProperties()) > 0 {
		return to
	}
	return schema{}
}

// textMember returns a string member of the schema, or "".
func (s schema) textMember(name string) string { return s.Member(name).Str() }

// arrayMember returns the elements of an array member of the schema.
func (s schema) arrayMember(name string) []*jsontext.Node {
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

// listProperties returns the properties of an object in order.
func (s schema) listProperties() (all []property) {
	n := s.Member("properties")
	if !n.Is(jsontext.Object) {
		return nil
	}
	required := requiredNames(s.Node)
	for _, m := range n.Items {
		all = append(all, property{m.Name(), s.subschema(m), required[m.Name()]})
	}
	return all
}

// requiredNames returns the names of the required members of an object.
func requiredNames(s *jsontext.Node) map[string]bool {
	names := map[string]bool{}
	for _, name := range outline.StringsIn(s.Member("required")) {
		names[name] = true
	}
	return names
}

// isReference reports whether the schema accepts only references to variables; see [tool.Scope].
func (s schema) isReference() bool { return s.textMember("pattern") == reference.Pattern }
