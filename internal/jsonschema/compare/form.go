package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// resolve follows a reference if the schema has no other keywords.
func resolve(s *jsonschema.Schema) *jsonschema.Schema {
	for range maxDepth {
		if s.Ref == nil || !hasOnly(s, "$ref") {
			break
		}
		s = s.Ref
	}
	return s
}

// A form is the part of a schema that applies to values of one JSON type. A schema that has neither types nor any
// keyword that is understood has a single form for all values, with the type "".
type form struct {
	typ    string
	schema *jsonschema.Schema
	values []*jsontext.Node // the enumerated values of the type; nil if the schema does not enumerate values
}

const integer = "integer"

// splitForms returns the alternatives of a schema, each of one type.
func (c *comparison) splitForms(s *jsonschema.Schema) (all []form) {
	s = resolve(s)
	if s.Never || s.Values != nil && len(s.Values.List) == 0 {
		return nil
	}
	if hasOnly(s, "anyOf") || hasOnly(s, "oneOf") && c.isExclusive(s) {
		c.depth++
		for _, part := range slices.Concat(s.AnyOf, s.OneOf) {
			if c.takeStep() {
				all = append(all, c.splitForms(part)...)
			}
		}
		c.depth--
		return all
	}
	types := typesOf(s)
	if types == 0 {
		return []form{{schema: s}}
	}
	for i, name := range jsonschema.TypeNames {
		if !types.Has(jsontext.Kind(i)) {
			continue
		}
		f := form{typ: name, schema: s}
		if s.Values != nil {
			f.values = slices.DeleteFunc(slices.Clone(s.Values.List), func(v *jsontext.Node) bool {
				return !jsonschema.TypesOf(jsontext.Kind(i)).Include(v)
			})
		}
		if s.Values == nil || len(f.values) > 0 {
			all = append(all, f)
		}
	}
	return all
}

// isExclusive reports whether it is certain that no value matches two of the schemas of oneOf, so that oneOf is
// equivalent to anyOf.
func (c *comparison) isExclusive(s *jsonschema.Schema) bool {
	exclusive, ok := c.exclusives[s]
	if !ok {
		exclusive = true
		for i, one := range s.OneOf {
			exclusive = exclusive && !slices.ContainsFunc(s.OneOf[:i], func(other *jsonschema.Schema) bool { return !c.alternatives.areDisjoint(one, other) })
		}
		c.exclusives[s] = exclusive
	}
	return exclusive
}

// typesOf returns the types that a schema names or, if it names none, those of its enumerated values. If it has
// neither, typesOf returns all types, or none if the schema has no keyword that is understood.
func typesOf(s *jsonschema.Schema) (types jsonschema.Types) {
	switch {
	case s.Types != 0:
		return s.Types
	case s.Values != nil:
		for _, v := range s.Values.List {
			if integers := jsonschema.TypesOf(jsonschema.Integer); integers.Include(v) {
				types |= integers
			} else {
				types |= jsonschema.TypesOf(v.Kind)
			}
		}
	case slices.ContainsFunc(constraints(s), func(word string) bool { return isUnderstood(s, word) }):
		return jsonschema.TypesOf(jsontext.Null, jsontext.Bool, jsontext.Number, jsontext.String, jsontext.Array, jsontext.Object)
	}
	return types
}

// allowsAny reports whether a form allows every value.
func (f form) allowsAny() bool { return f.typ == "" && len(constraints(f.schema)) == 0 }

func (f form) typeName() string {
	if f.typ == "" {
		return "any"
	}
	return f.typ
}

// String describes a form in a sentence.
func (f form) String() string {
	if f.values != nil {
		return enumerate(f.values, "or")
	}
	switch f.typ {
	case "":
		return "any value"
	case "null":
		return "null"
	case "object":
		return f.describeObject()
	case integer, "array":
		return "an " + f.typ
	}
	return "a " + f.typ
}

// members maps the member names that a schema mentions to whether they are required.
func members(s *jsonschema.Schema) map[string]bool {
	all := map[string]bool{}
	for _, p := range s.Properties {
		all[p.Name] = false
	}
	for _, name := range s.Required {
		all[name] = true
	}
	return all
}

func sortedNames(members map[string]bool) []string { return slices.Sorted(maps.Keys(members)) }

// describeObject describes an object by its variant or, if it has none, by its members.
func (f form) describeObject() string {
	if member, name := f.variant(); member != nil {
		return "an object whose " + enumerate([]*jsontext.Node{member}, "and") + " is " + enumerate([]*jsontext.Node{name}, "or")
	}
	var names []*jsontext.Node
	for _, name := range sortedNames(members(f.schema)) {
		names = append(names, &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(name)})
	}
	return strings.TrimSuffix("an object of "+enumerate(names, "and"), " of ")
}

// variant returns the name of the member that names the variant of an object, and the name of the variant: "type"
// and "circle" if every object has "type": "circle". It is the first required member for which a single string is
// allowed. Both results are nil if there is none.
func (f form) variant() (member, name *jsontext.Node) {
	if f.typ != "object" {
		return nil, nil
	}
	for _, p := range f.schema.Properties {
		only := resolve(p.Schema).Values
		if only != nil && len(only.List) == 1 && only.List[0].Kind == jsontext.String && slices.Contains(f.schema.Required, p.Name) {
			return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(p.Name)}, only.List[0]
		}
	}
	return nil, nil
}

// variantKey returns a key that is equal for forms of the same variant; "" for forms that are not variants.
func (f form) variantKey() string {
	member, name := f.variant()
	if member == nil {
		return ""
	}
	return member.Text + ":" + name.Text
}
