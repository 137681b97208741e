package tool

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// visibleMembers returns a JSON text with only the members that the schema has. It returns the whole text if
// the text or the schema is not JSON.
func visibleMembers(text, schema []byte) json.RawMessage {
	root, err := jsontext.Parse(string(schema), jsontext.Depth)
	if err != nil {
		return text
	}
	value, err := jsontext.Parse(string(text), jsontext.MaxDepth)
	if err != nil {
		return text
	}
	return json.RawMessage(schemaFilter{root}.filterValue(value, root).String())
}

// schemaFilter filters values by a schema; root has its definitions.
type schemaFilter struct{ root *jsontext.Node }

// filterValue returns a value without the members that the schema does not have. A nil schema has all
// members.
func (s schemaFilter) filterValue(n, schema *jsontext.Node) *jsontext.Node {
	if schema = s.containerSchema(schema, map[*jsontext.Node]bool{}); schema == nil || n.Kind < jsontext.Array {
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
		left.Add(s.filterValue(item, part))
	}
	return left
}

// containerSchema returns the schema that describes the parts of a value: schema itself, the one it refers
// to, or the first alternative that does. It returns nil if there is none. met has the schemas on the way,
// because a schema may refer to itself.
func (s schemaFilter) containerSchema(schema *jsontext.Node, met map[*jsontext.Node]bool) *jsontext.Node {
	if met[schema] {
		return nil
	}
	met[schema] = true
	if ref := schema.Member("$ref"); ref != nil {
		pointer, inside := jsonschema.LocalPointer(ref.Str())
		if !inside {
			return nil
		}
		return s.containerSchema(s.root.At(pointer), met)
	}
	if any := schema.Member("anyOf"); any != nil {
		for _, one := range any.Items {
			if found := s.containerSchema(one, met); found != nil {
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
