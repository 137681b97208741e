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

// A form is a schema for values of one JSON type. The type is "" for any value, if the
// schema has no keyword that is understood.
type form struct {
	typ    string
	schema *jsonschema.Schema
	values []*jsontext.Node // the only allowed values of the type; nil if there is no list
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

// isExclusive reports whether it is certain that no value matches two of the schemas of a
// oneOf. Otherwise, each alternative restricts the others.
func (c *comparison) isExclusive(s *jsonschema.Schema) bool {
	known, ok := c.exclusives[s]
	if !ok {
		known = true
		for i, one := range s.OneOf {
			known = known && !slices.ContainsFunc(s.OneOf[:i], func(other *jsonschema.Schema) bool { return !c.alternatives.areDisjoint(one, other) })
		}
		c.exclusives[s] = known
	}
	return known
}

// typesOf returns the types that a schema names, or those of its values. It returns none if
// the schema allows all types and has no keyword that is understood.
func typesOf(s *jsonschema.Schema) (types jsonschema.Types) {
	switch {
	case s.Types != 0:
		return s.Types
	case s.Values != nil:
		for _, v := range s.Values.List {
			if whole := jsonschema.TypesOf(jsonschema.Integer); whole.Include(v) {
				types |= whole
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

// describeObject describes an object by its variant, or else by its members.
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

// variant returns the member that names the variant of an object, and the name: the first required member with one
// allowed string. Both are nil if there is none.
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

// variantKey returns the same text for forms of the same variant, "" for other forms.
func (f form) variantKey() string {
	member, name := f.variant()
	if member == nil {
		return ""
	}
	return member.Text + ":" + name.Text
}
