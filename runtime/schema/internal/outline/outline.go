// Package outline reads and edits JSON Schemas as trees: the types and members that a schema
// describes, what distinguishes the alternatives of a union, what each provider accepts, and
// how a value in the form of a provider is converted back.
package outline

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Document is a complete schema. References in it are resolved against its root.
type Document struct {
	Root       *jsontext.Node
	shapeCount int // number of shapes computed so far
	mergeCost  int // cost of all merges so far; see maxMerged
}

// New returns a document with the given root.
func New(root *jsontext.Node) *Document { return &Document{Root: root} }

// Resolve returns the schema that a reference refers to, or nil.
func (d *Document) Resolve(ref string) *jsontext.Node {
	pointer, inside := jsonschema.LocalPointer(ref)
	if !inside {
		return nil
	}
	return d.Root.At(pointer)
}

// MaxChain is the maximum length of a chain of references.
const MaxChain = 32

// ResolveAliases returns the schema that s stands for. If s has a $ref, or an allOf with one schema,
// that is the referenced or the single schema, merged with the keywords next to it. ResolveAliases
// repeats this, and stops at the first schema for which it is impossible.
func (d *Document) ResolveAliases(s *jsontext.Node) *jsontext.Node {
	for range MaxChain {
		var target *jsontext.Node
		keyword := "$ref"
		if ref := s.Member(keyword); ref != nil {
			target = d.Resolve(ref.Str())
		} else if all := ItemsOf(s.Member("allOf")); len(all) == 1 {
			keyword, target = "allOf", all[0]
		}
		if target == nil || !target.Is(jsontext.Object) {
			break
		}
		merged := d.Merge(WithoutMembers(s, keyword), target)
		if merged == nil {
			break
		}
		s = merged
	}
	return s
}

var typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// TypesOf returns the types that a schema states. If it states none, TypesOf returns the types of its
// enumeration, or the type that its other keywords imply, or nil.
func TypesOf(s *jsontext.Node) []string {
	if t := s.Member("type"); t != nil {
		list := StringsIn(t)
		if t.Is(jsontext.String) {
			list = []string{t.Str()}
		}
		return mergeLists(nil, slices.DeleteFunc(list, func(t string) bool { return !slices.Contains(typeNames, t) }))
	}
	if enum := EnumOf(s); enum != nil {
		return TypesOfValues(enum)
	}
	if HasKeyword(s, "properties", "additionalProperties", "patternProperties", "propertyNames", "required", "minProperties", "maxProperties") {
		return []string{"object"}
	}
	if HasKeyword(s, "items", "prefixItems", "minItems", "maxItems", "uniqueItems") {
		return []string{"array"}
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

// TypesOfValues returns the distinct types of the values in an array, in order.
func TypesOfValues(values *jsontext.Node) (types []string) {
	for _, v := range values.Items {
		t := map[byte]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean", 'n': "null"}[firstByte(v)]
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// EnumOf returns the values that a schema lists, or nil.
func EnumOf(s *jsontext.Node) *jsontext.Node {
	if c := s.Member("const"); c != nil {
		return NewArray(c)
	}
	if e := s.Member("enum"); e.Is(jsontext.Array) {
		return e
	}
	return nil
}

// Annotations are the keywords that describe a value without constraining it.
var Annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}

// AnnotationsOf returns a schema with only the annotations of s.
func AnnotationsOf(s *jsontext.Node) *jsontext.Node {
	out := NewObject()
	for _, name := range Annotations {
		AddMember(out, name, s.Member(name))
	}
	return out
}

// Silent are the keywords that concern the document, and neither constrain nor describe values.
var Silent = []string{"$schema", "$id", "$comment", "$anchor", "$defs", "$vocabulary", "$dynamicAnchor"}

// maxMerged limits the cost of all merges in a document, in comparisons of names. The cost can be
// high because the keywords around a union are merged with each of its alternatives.
const maxMerged = 1 << 22

// Merge returns a schema that accepts exactly the values that both a and b accept. It returns nil if
// it cannot express that in one schema, or if merges have become too expensive. Annotations of a
// take precedence over those of b.
func (d *Document) Merge(a, b *jsontext.Node) *jsontext.Node {
	if !a.Is(jsontext.Object) || !b.Is(jsontext.Object) || (a.Member("additionalProperties") != nil || b.Member("additionalProperties") != nil) && HasMembers(a) && HasMembers(b) {
		return nil
	}
	if d.mergeCost += len(b.Items) * (len(a.Items) + len(b.Items)); d.mergeCost > maxMerged {
		return nil
	}
	out := &jsontext.Node{Kind: jsontext.Object, Key: a.Key, Items: slices.Clone(a.Items)}
	for _, v := range b.Items {
		name := v.Name()
		existing := out.Member(name)
		d.mergeCost += len(ItemsOf(existing))
		switch {
		case existing == nil:
			AddMember(out, name, v)
		case slices.Contains(Annotations, name), slices.Contains(Silent, name), jsontext.Equal(existing, v):
		case name == "required":
			SetMember(out, name, NewStrings(mergeLists(StringsIn(existing), StringsIn(v))))
		case name == "properties":
			both := &jsontext.Node{Kind: jsontext.Object, Items: slices.Concat(existing.Items, v.Items)}
			if both.FirstRepeated() != nil {
				return nil
			}
			SetMember(out, name, both)
		default:
			return nil
		}
	}
	return out
}

// HasMembers reports whether a schema describes the members of objects.
func HasMembers(s *jsontext.Node) bool {
	return s.Member("properties") != nil || s.Member("additionalProperties") != nil || s.Member("patternProperties") != nil
}

// mergeLists returns the distinct texts of both lists.
func mergeLists(a, b []string) (all []string) {
	seen := map[string]bool{}
	for _, x := range slices.Concat(a, b) {
		if !seen[x] {
			all = append(all, x)
		}
		seen[x] = true
	}
	return all
}
