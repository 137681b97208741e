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

// MapSubschemas returns a copy of a schema with its direct subschemas replaced by the results
// of change. Parts that are not schemas stay. At is the JSON Pointer of the schema, as from
// [jsontext.JoinNames].
func MapSubschemas(s *jsontext.Node, at string, change func(part *jsontext.Node, at string) *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	changed := func(part *jsontext.Node, at string) *jsontext.Node {
		if !part.Is(jsontext.Object) && !part.Is(jsontext.Bool) {
			return part
		}
		made := *change(part, at)
		made.Key = part.Key
		return &made
	}
	out := &jsontext.Node{Kind: s.Kind, Key: s.Key}
	for _, m := range s.Items {
		within, shape := jsontext.JoinNames(at, m.Name()), SubschemaShapeOf(m.Name())
		switch {
		case shape == SubschemaMap && m.Is(jsontext.Object), shape == OneSubschema && m.Is(jsontext.Array), shape == SubschemaList && m.Is(jsontext.Array):
			all := &jsontext.Node{Kind: m.Kind, Key: m.Key}
			for i, part := range m.Items {
				name := strconv.Itoa(i)
				if shape == SubschemaMap {
					name = part.Name()
				}
				all.Add(changed(part, jsontext.JoinNames(within, name)))
			}
			m = all
		case shape == OneSubschema:
			m = changed(m, within)
		}
		out.Add(m)
	}
	return out
}

// splitReference splits a reference to a schema into the address of a document, which is ""
// for the same document, and a place in it: a JSON Pointer or an anchor.
func splitReference(ref string) (address, place string, err error) {
	address, fragment, _ := strings.Cut(ref, "#")
	place, err = url.PathUnescape(fragment)
	return address, place, err
}

// LocalPointer returns the JSON Pointer of a reference to a place in the same document. It
// returns false for other references and for invalid ones.
func LocalPointer(ref string) (pointer string, ok bool) {
	address, place, err := splitReference(ref)
	if address != "" || err != nil || !jsontext.IsPointer(place) {
		return "", false
	}
	return place, true
}
