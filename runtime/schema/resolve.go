package schema

import (
	"net/url"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// resolve returns the schema that a reference leads to within root, or nil.
func resolve(root *jsontext.Node, ref string) *jsontext.Node {
	if !strings.HasPrefix(ref, "#") {
		return nil
	}
	return root.At(unescapeRef(ref))
}

// maxChain bounds how many references lead from one to the next.
const maxChain = 32

// plain returns what a schema that only refers to another one says.
func plain(s, root *jsontext.Node) *jsontext.Node {
	for range maxChain {
		var target *jsontext.Node
		keyword := "$ref"
		if ref := s.Member(keyword); ref != nil {
			target = resolve(root, ref.Str())
		} else if all := itemsOf(s.Member("allOf")); len(all) == 1 {
			keyword, target = "allOf", all[0]
		}
		if target == nil || !target.Is(jsontext.Object) {
			break
		}
		merged := merge(without(s, keyword), target)
		if merged == nil {
			break
		}
		s = merged
	}
	return s
}

// unescapeRef returns the JSON Pointer of a reference.
func unescapeRef(ref string) string {
	pointer, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil {
		return ref
	}
	return pointer
}

var typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// typesOf returns the types that a schema names, or that its keywords are for if
// it names none; nil if there are neither.
func typesOf(s *jsontext.Node) []string {
	if t := s.Member("type"); t != nil {
		list := stringsIn(t)
		if t.Is(jsontext.String) {
			list = []string{t.Str()}
		}
		return slices.DeleteFunc(list, func(t string) bool { return !slices.Contains(typeNames, t) })
	}
	if enum := enumOf(s); enum != nil {
		return typesOfValues(enum)
	}
	for _, x := range []struct{ keyword, kind string }{
		{"properties", "object"}, {"additionalProperties", "object"}, {"patternProperties", "object"},
		{"propertyNames", "object"}, {"required", "object"}, {"minProperties", "object"}, {"maxProperties", "object"},
		{"items", "array"}, {"prefixItems", "array"}, {"minItems", "array"}, {"maxItems", "array"}, {"uniqueItems", "array"},
	} {
		if s.Member(x.keyword) != nil {
			return []string{x.kind}
		}
	}
	for _, m := range s.Items {
		switch c := constraints[m.Name()]; c.kinds {
		case `"`:
			return []string{"string"}
		case "0":
			return []string{"number"}
		}
	}
	return nil
}

// typesOfValues returns the types of some values, in the order of the values.
func typesOfValues(values *jsontext.Node) (types []string) {
	for _, v := range values.Items {
		t := map[byte]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean", 'n': "null"}[kindOf(v)]
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// enumOf returns the values that a schema lists, or nil.
func enumOf(s *jsontext.Node) *jsontext.Node {
	if c := s.Member("const"); c != nil {
		return array(c)
	}
	if e := s.Member("enum"); e.Is(jsontext.Array) {
		return e
	}
	return nil
}

// The keywords that say what a value is for, and nothing about the value.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}

// annotationsOf returns what a schema says that values are for.
func annotationsOf(s *jsontext.Node) *jsontext.Node {
	out := object()
	for _, name := range annotations {
		addTo(out, name, s.Member(name))
	}
	return out
}

// The keywords that are about the document, and about no value.
var silent = []string{"$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "$vocabulary", "$dynamicAnchor"}

// merge returns a schema whose values are valid against both, or nil if there is
// no telling. What a says of its values counts where b says it, too.
func merge(a, b *jsontext.Node) *jsontext.Node {
	if !a.Is(jsontext.Object) || !b.Is(jsontext.Object) || (a.Member("additionalProperties") != nil || b.Member("additionalProperties") != nil) && hasMembers(a) && hasMembers(b) {
		return nil
	}
	out := &jsontext.Node{Kind: jsontext.Object, Key: a.Key, Items: slices.Clone(a.Items)}
	for _, v := range b.Items {
		name := v.Name()
		mine := out.Member(name)
		switch {
		case mine == nil:
			addTo(out, name, v)
		case slices.Contains(annotations, name) || slices.Contains(silent, name) || jsontext.Equal(mine, v):
		case name == "required":
			setIn(out, name, strs(union(stringsIn(mine), stringsIn(v))))
		case name == "properties":
			both := &jsontext.Node{Kind: jsontext.Object, Items: slices.Concat(mine.Items, v.Items)}
			if both.Repeated() != nil {
				return nil
			}
			setIn(out, name, both)
		default:
			return nil
		}
	}
	return out
}

// hasMembers reports whether a schema tells what members objects have.
func hasMembers(s *jsontext.Node) bool {
	return s.Member("properties") != nil || s.Member("additionalProperties") != nil || s.Member("patternProperties") != nil
}

func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(slices.Clip(a), x)
		}
	}
	return a
}
