package jsonschema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A SubschemaShape describes how the value of a keyword contains schemas.
type SubschemaShape uint8

// The shapes of the values of keywords.
const (
	NoSubschema   SubschemaShape = iota // the value contains no schemas
	OneSubschema                        // the value is a schema; in old drafts, items may be a list of schemas
	SubschemaList                       // the value is a list of schemas
	SubschemaMap                        // the value maps names to schemas; in dependencies, also to lists of names
)

// SubschemaShapeOf returns how the value of a keyword of any draft contains schemas.
func SubschemaShapeOf(keyword string) SubschemaShape {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return SubschemaMap
	case "anyOf", "oneOf", "allOf", "prefixItems":
		return SubschemaList
	case "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
		"unevaluatedProperties", "unevaluatedItems", "additionalItems", "contentSchema":
		return OneSubschema
	}
	return NoSubschema
}

// MapSubschemas returns a copy of a schema with its direct subschemas replaced by the results of change. It
// copies all other parts. at is the JSON Pointer of the schema. MapSubschemas calls change with the pointer of
// each subschema, which it makes with [jsontext.JoinNames].
func MapSubschemas(s *jsontext.Node, at string, change func(part *jsontext.Node, at string) *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	changePart := func(part *jsontext.Node, at string) *jsontext.Node {
		if !part.Is(jsontext.Object) && !part.Is(jsontext.Bool) {
			return part
		}
		changed := *change(part, at)
		changed.Key = part.Key
		return &changed
	}
	out := &jsontext.Node{Kind: s.Kind, Key: s.Key}
	for _, m := range s.Items {
		pointer, shape := jsontext.JoinNames(at, m.Name()), SubschemaShapeOf(m.Name())
		switch {
		case shape == SubschemaMap && m.Is(jsontext.Object), shape == OneSubschema && m.Is(jsontext.Array), shape == SubschemaList && m.Is(jsontext.Array):
			all := &jsontext.Node{Kind: m.Kind, Key: m.Key}
			for i, part := range m.Items {
				name := strconv.Itoa(i)
				if shape == SubschemaMap {
					name = part.Name()
				}
				all.Add(changePart(part, jsontext.JoinNames(pointer, name)))
			}
			m = all
		case shape == OneSubschema:
			m = changePart(m, pointer)
		}
		out.Add(m)
	}
	return out
}

// splitReference splits a reference to a schema into the address of a document and the decoded fragment. The
// address is "" for the same document. The fragment is a JSON Pointer or an anchor.
func splitReference(ref string) (address, fragment string, err error) {
	address, encoded, _ := strings.Cut(ref, "#")
	fragment, err = url.PathUnescape(encoded)
	return address, fragment, err
}

// LocalPointer returns the JSON Pointer in a reference such as #/$defs/a to a schema in the same document. It
// returns false for other references and for invalid ones.
func LocalPointer(ref string) (pointer string, ok bool) {
	address, fragment, err := splitReference(ref)
	if address != "" || err != nil || !jsontext.IsPointer(fragment) {
		return "", false
	}
	return fragment, true
}
