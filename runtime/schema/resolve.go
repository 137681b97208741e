package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// resolve returns the schema that a reference leads to within root, or nil.
func resolve(root *node, ref string) *node {
	pointer := unescapeRef(ref)
	if !strings.HasPrefix(ref, "#") || pointer != "" && pointer[0] != '/' {
		return nil
	}
	n := root
	for i, token := range strings.Split(pointer, "/") {
		if i == 0 {
			continue
		}
		token = jsontext.Name(token)
		if n.is('[') {
			at, err := strconv.Atoi(token)
			if err != nil || at < 0 || at >= len(n.values) {
				return nil
			}
			n = n.values[at]
		} else if n = n.get(token); n == nil {
			return nil
		}
	}
	return n
}

// maxChain bounds how many references lead from one to the next.
const maxChain = 32

// plain returns what a schema that only refers to another one says.
func plain(s, root *node) *node {
	for range maxChain {
		var target *node
		keyword := "$ref"
		if ref := s.get(keyword); ref != nil {
			target = resolve(root, ref.str())
		} else if all := s.get("allOf").elements(); len(all) == 1 {
			keyword, target = "allOf", all[0]
		}
		if target == nil || !target.is('{') {
			break
		}
		merged := merge(s.without(keyword), target)
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
func typesOf(s *node) []string {
	if t := s.get("type"); t != nil {
		list := t.list()
		if t.is('"') {
			list = []string{t.str()}
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
		if s.has(x.keyword) {
			return []string{x.kind}
		}
	}
	for i := range s.keys {
		switch c := constraints[s.name(i)]; c.kinds {
		case `"`:
			return []string{"string"}
		case "0":
			return []string{"number"}
		}
	}
	return nil
}

// typesOfValues returns the types of some values, in the order of the values.
func typesOfValues(values *node) (types []string) {
	for _, v := range values.values {
		t := map[byte]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean", 'n': "null"}[v.kind()]
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// enumOf returns the values that a schema lists, or nil.
func enumOf(s *node) *node {
	if c := s.get("const"); c != nil {
		return array(c)
	}
	if e := s.get("enum"); e.is('[') {
		return e
	}
	return nil
}

// The keywords that say what a value is for, and nothing about the value.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}

// annotationsOf returns what a schema says that values are for.
func annotationsOf(s *node) *node {
	out := object()
	for _, name := range annotations {
		out.add(name, s.get(name))
	}
	return out
}

// The keywords that are about the document, and about no value.
var silent = []string{"$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "$vocabulary", "$dynamicAnchor"}

// merge returns a schema whose values are valid against both, or nil if there is
// no telling. What a says of its values counts where b says it, too.
func merge(a, b *node) *node {
	if !a.is('{') || !b.is('{') || (a.has("additionalProperties") || b.has("additionalProperties")) && hasMembers(a) && hasMembers(b) {
		return nil
	}
	out := &node{bracket: '{', keys: slices.Clone(a.keys), values: slices.Clone(a.values)}
	for i, v := range b.values {
		name := b.name(i)
		mine := out.get(name)
		switch {
		case mine == nil:
			out.add(name, v)
		case slices.Contains(annotations, name) || slices.Contains(silent, name) || mine.equal(v):
		case name == "required":
			out.set(name, strs(union(mine.list(), v.list())))
		case name == "properties":
			both := &node{bracket: '{', keys: slices.Concat(mine.keys, v.keys), values: slices.Concat(mine.values, v.values)}
			if both.repeats() {
				return nil
			}
			out.set(name, both)
		default:
			return nil
		}
	}
	return out
}

// hasMembers reports whether a schema tells what members objects have.
func hasMembers(s *node) bool {
	return s.has("properties") || s.has("additionalProperties") || s.has("patternProperties")
}

func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(slices.Clip(a), x)
		}
	}
	return a
}
