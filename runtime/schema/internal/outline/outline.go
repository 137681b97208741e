// Package outline reads what a neutral schema says of its values at a glance. From
// top to bottom:
//
//	shape     what tells the alternatives of a union apart
//	kind      records, maps, scalars
//	outline   references, types, two schemas as one
//	words     constraints, and how they are told in a description
package outline

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// Document is a neutral schema, as far as references within it lead.
type Document struct {
	Root   *jsontext.Node
	looked int // how many schemas shapes were made of
	merged int // what it took to merge schemas, in comparisons of names
}

// New returns the document of a root.
func New(root *jsontext.Node) *Document { return &Document{Root: root} }

// Resolve returns the schema that a reference leads to, or nil.
func (d *Document) Resolve(ref string) *jsontext.Node {
	pointer, inside := parts.Pointer(ref)
	if !inside {
		return nil
	}
	return d.Root.At(pointer)
}

// MaxChain bounds how many references lead from one to the next.
const MaxChain = 32

// Plain returns what a schema that only refers to another one says.
func (d *Document) Plain(s *jsontext.Node) *jsontext.Node {
	for range MaxChain {
		var target *jsontext.Node
		keyword := "$ref"
		if ref := s.Member(keyword); ref != nil {
			target = d.Resolve(ref.Str())
		} else if all := tree.Items(s.Member("allOf")); len(all) == 1 {
			keyword, target = "allOf", all[0]
		}
		if target == nil || !target.Is(jsontext.Object) {
			break
		}
		merged := d.Merge(tree.Without(s, keyword), target)
		if merged == nil {
			break
		}
		s = merged
	}
	return s
}

var typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// TypesOf returns the types that a schema names, or that its keywords are for if
// it names none; nil if there are neither.
func TypesOf(s *jsontext.Node) []string {
	if t := s.Member("type"); t != nil {
		list := tree.StringsIn(t)
		if t.Is(jsontext.String) {
			list = []string{t.Str()}
		}
		return union(nil, slices.DeleteFunc(list, func(t string) bool { return !slices.Contains(typeNames, t) }))
	}
	if enum := EnumOf(s); enum != nil {
		return TypesOfValues(enum)
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
		switch c := Constraints[m.Name()]; c.Kinds {
		case `"`:
			return []string{"string"}
		case "0":
			return []string{"number"}
		}
	}
	return nil
}

// TypesOfValues returns the types of some values, in the order of the values.
func TypesOfValues(values *jsontext.Node) (types []string) {
	for _, v := range values.Items {
		t := map[byte]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean", 'n': "null"}[tree.First(v)]
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// EnumOf returns the values that a schema lists, or nil.
func EnumOf(s *jsontext.Node) *jsontext.Node {
	if c := s.Member("const"); c != nil {
		return tree.Array(c)
	}
	if e := s.Member("enum"); e.Is(jsontext.Array) {
		return e
	}
	return nil
}

// The keywords that say what a value is for, and nothing about the value.
var Annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}

// AnnotationsOf returns what a schema says that values are for.
func AnnotationsOf(s *jsontext.Node) *jsontext.Node {
	out := tree.Object()
	for _, name := range Annotations {
		tree.Add(out, name, s.Member(name))
	}
	return out
}

// The keywords that are about the document, and about no value.
var Silent = []string{"$schema", "$id", "$comment", "$anchor", "$defs", "$vocabulary", "$dynamicAnchor"}

// maxMerged bounds what it takes to merge schemas: what stands around alternatives is
// merged with each of them.
const maxMerged = 1 << 22

// Merge returns a schema whose values are valid against both, or nil if there is
// no telling, or it takes too long. What a says of its values counts where b says it,
// too.
func (d *Document) Merge(a, b *jsontext.Node) *jsontext.Node {
	if !a.Is(jsontext.Object) || !b.Is(jsontext.Object) || (a.Member("additionalProperties") != nil || b.Member("additionalProperties") != nil) && HasMembers(a) && HasMembers(b) {
		return nil
	}
	if d.merged += len(b.Items) * (len(a.Items) + len(b.Items)); d.merged > maxMerged {
		return nil
	}
	out := &jsontext.Node{Kind: jsontext.Object, Key: a.Key, Items: slices.Clone(a.Items)}
	for _, v := range b.Items {
		name := v.Name()
		mine := out.Member(name)
		d.merged += len(tree.Items(mine))
		switch {
		case mine == nil:
			tree.Add(out, name, v)
		case slices.Contains(Annotations, name) || slices.Contains(Silent, name) || jsontext.Equal(mine, v):
		case name == "required":
			tree.Set(out, name, tree.Strings(union(tree.StringsIn(mine), tree.StringsIn(v))))
		case name == "properties":
			both := &jsontext.Node{Kind: jsontext.Object, Items: slices.Concat(mine.Items, v.Items)}
			if both.Repeated() != nil {
				return nil
			}
			tree.Set(out, name, both)
		default:
			return nil
		}
	}
	return out
}

// HasMembers reports whether a schema tells what members objects have.
func HasMembers(s *jsontext.Node) bool {
	return s.Member("properties") != nil || s.Member("additionalProperties") != nil || s.Member("patternProperties") != nil
}

// union returns all of two lists, each once.
func union(a, b []string) (all []string) {
	known := map[string]bool{}
	for _, x := range slices.Concat(a, b) {
		if !known[x] {
			all = append(all, x)
		}
		known[x] = true
	}
	return all
}
