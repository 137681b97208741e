// Package parts knows where schemas are in a schema: which keywords hold some, and
// where references lead. It is for programs that need no checker, and links none.
package parts

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Shape is how schemas stand in the value of a keyword.
type Shape uint8

// The shapes of keywords.
const (
	None  Shape = iota // the value is no schema, nor has any
	One                // the value is a schema; that of items was a list of some once
	List               // the value is a list of schemas
	Named              // the value has schemas by name; those of dependencies may be lists of names
)

// ShapeOf returns how schemas stand in the value of a keyword of any draft.
func ShapeOf(keyword string) Shape {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return Named
	case "anyOf", "oneOf", "allOf", "prefixItems":
		return List
	case "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
		"unevaluatedProperties", "unevaluatedItems", "additionalItems", "contentSchema":
		return One
	}
	return None
}

// Map returns a schema whose parts, the schemas just within, are changed. What stands
// in their place and is none stays; at is the JSON Pointer of the schema, as from [jsontext.Within].
func Map(s *jsontext.Node, at string, change func(part *jsontext.Node, at string) *jsontext.Node) *jsontext.Node {
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
		within, shape := jsontext.Within(at, m.Name()), ShapeOf(m.Name())
		switch {
		case shape == Named && m.Is(jsontext.Object), shape == One && m.Is(jsontext.Array), shape == List && m.Is(jsontext.Array):
			all := &jsontext.Node{Kind: m.Kind, Key: m.Key}
			for i, part := range m.Items {
				name := strconv.Itoa(i)
				if shape == Named {
					name = part.Name()
				}
				all.Add(changed(part, jsontext.Within(within, name)))
			}
			m = all
		case shape == One:
			m = changed(m, within)
		}
		out.Add(m)
	}
	return out
}

// Reference takes a reference to a schema apart: into the address of a document, ""
// for the one that the reference stands in, and a place in that: a JSON Pointer, or an
// anchor.
func Reference(ref string) (address, place string, err error) {
	address, fragment, _ := strings.Cut(ref, "#")
	place, err = url.PathUnescape(fragment)
	return address, place, err
}

// Pointer returns the JSON Pointer that a reference to a place in the same document is.
// It is not ok if the reference leads elsewhere, is an anchor, or no reference at all.
func Pointer(ref string) (pointer string, ok bool) {
	address, place, err := Reference(ref)
	if address != "" || err != nil || !jsontext.IsPointer(place) {
		return "", false
	}
	return place, true
}
