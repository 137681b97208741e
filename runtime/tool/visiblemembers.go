package tool

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// visibleMembers returns a JSON text without the members that the schema forbids with additionalProperties: false.
// If the text or the schema is not JSON, it returns the text unchanged.
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

// schemaFilter removes members from values. References in schemas are resolved against root.
type schemaFilter struct{ root *jsontext.Node }

// filterValue returns a value without the members that the schema forbids, at any depth. For example, with
// {"properties":{"a":{}},"additionalProperties":false}, {"a":1,"b":2} becomes {"a":1}. If the schema is nil,
// filterValue keeps all members.
func (s schemaFilter) filterValue(n, schema *jsontext.Node) *jsontext.Node {
	if schema = s.containerSchema(schema, map[*jsontext.Node]bool{}); schema == nil || n.Kind < jsontext.Array {
		return n
	}
	filtered := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for _, item := range n.Items {
		itemSchema := schema.Member("items")
		if n.Is(jsontext.Object) {
			extra := schema.Member("additionalProperties")
			if itemSchema = schema.Member("properties").Member(item.Name()); itemSchema == nil {
				itemSchema = extra
			}
			if itemSchema == extra && extra.Is(jsontext.Bool) && extra.Text == "false" {
				continue
			}
		}
		filtered.Add(s.filterValue(item, itemSchema))
	}
	return filtered
}

// containerSchema returns the schema that describes the members or elements of a value. That is schema itself, the
// schema that it refers to, or the first alternative of its anyOf that describes members or elements. If there is no
// such schema, containerSchema returns nil. A schema may refer to itself, so visited contains the schemas seen so far.
func (s schemaFilter) containerSchema(schema *jsontext.Node, visited map[*jsontext.Node]bool) *jsontext.Node {
	if visited[schema] {
		return nil
	}
	visited[schema] = true
	if ref := schema.Member("$ref"); ref != nil {
		pointer, inside := jsonschema.LocalPointer(ref.Str())
		if !inside {
			return nil
		}
		return s.containerSchema(s.root.At(pointer), visited)
	}
	if alternatives := schema.Member("anyOf"); alternatives != nil {
		for _, alternative := range alternatives.Items {
			if found := s.containerSchema(alternative, visited); found != nil {
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
