// Package sight says what of a value may be seen by one who knows its schema.
package sight

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Of returns what may be seen of a JSON text: the members that the schema has. All of
// what is no JSON, or of one whose schema is none.
func Of(text, schema []byte) json.RawMessage {
	root, err := jsontext.Parse(string(schema), jsontext.Depth)
	if err != nil {
		return text
	}
	value, err := jsontext.Parse(string(text), jsontext.MaxDepth)
	if err != nil {
		return text
	}
	return json.RawMessage(sight{root}.of(value, root).String())
}

// A sight is a look at values through a schema, whose definitions are at its root.
type sight struct{ root *jsontext.Node }

// of returns a value without the members that a schema does not have. A schema that
// is nil has them all.
func (s sight) of(n, schema *jsontext.Node) *jsontext.Node {
	if schema = s.container(schema, map[*jsontext.Node]bool{}); schema == nil || n.Kind < jsontext.Array {
		return n
	}
	left := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for _, item := range n.Items {
		part := schema.Member("items")
		if n.Is(jsontext.Object) {
			extra := schema.Member("additionalProperties")
			if part = schema.Member("properties").Member(item.Name()); part == nil {
				part = extra
			}
			if part == extra && extra.Is(jsontext.Bool) && extra.Text == "false" {
				continue
			}
		}
		left.Add(s.of(item, part))
	}
	return left
}

// container is the schema that says what is in a value: itself, what it refers to, or
// the first of several that does; nil if there is none. It may have been met already,
// when it refers to itself.
func (s sight) container(schema *jsontext.Node, met map[*jsontext.Node]bool) *jsontext.Node {
	if met[schema] {
		return nil
	}
	met[schema] = true
	if ref := schema.Member("$ref"); ref != nil {
		pointer, inside := parts.Pointer(ref.Str())
		if !inside {
			return nil
		}
		return s.container(s.root.At(pointer), met)
	}
	if any := schema.Member("anyOf"); any != nil {
		for _, one := range any.Items {
			if found := s.container(one, met); found != nil {
				return found
			}
		}
		return nil
	}
	if schema.Member("properties") == nil && schema.Member("items") == nil && schema.Member("additionalProperties") == nil {
		return nil
	}
	return schema
}
