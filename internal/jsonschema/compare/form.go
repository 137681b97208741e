package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// resolve follows a reference, where the schema says nothing else.
func resolve(s *jsonschema.Schema) *jsonschema.Schema {
	for range maxDepth {
		if s.Ref == nil || !only(s, "$ref") {
			break
		}
		s = s.Ref
	}
	return s
}

// A form is a schema of values of one JSON type; with the type "" of any value,
// where the schema says nothing that is understood here.
type form struct {
	typ    string
	schema *jsonschema.Schema
	values []*jsontext.Node // the only ones of the type; nil if it lists none
}

const integer = "integer"

// forms are the alternatives of a schema, each of one type.
func (c *comparison) forms(s *jsonschema.Schema) (all []form) {
	s = resolve(s)
	if s.Never || s.Values != nil && len(s.Values.List) == 0 {
		return nil
	}
	if only(s, "anyOf") || only(s, "oneOf") && c.exclusive(s) {
		c.depth++
		for _, part := range slices.Concat(s.AnyOf, s.OneOf) {
			if c.spend() {
				all = append(all, c.forms(part)...)
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

// exclusive reports whether it is certain that no value is one of two of the schemas of
// a oneOf. Where one may be, what one of them allows takes from what the others do.
func (c *comparison) exclusive(s *jsonschema.Schema) bool {
	known, ok := c.exclusives[s]
	if !ok {
		known = true
		for i, one := range s.OneOf {
			known = known && !slices.ContainsFunc(s.OneOf[:i], func(other *jsonschema.Schema) bool { return !c.alternatives.disjoint(one, other) })
		}
		c.exclusives[s] = known
	}
	return known
}

// typesOf are the types that a schema names, or that its values have; none where it
// allows all of them, and says of none what is understood.
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

// any reports whether a form allows everything.
func (f form) any() bool { return f.typ == "" && len(constraints(f.schema)) == 0 }

func (f form) name() string {
	if f.typ == "" {
		return "any"
	}
	return f.typ
}

// String is a form as part of a sentence.
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
		var names []*jsontext.Node
		for _, name := range sortedNames(members(f.schema)) {
			names = append(names, &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(name)})
		}
		return strings.TrimSuffix("an object of "+enumerate(names, "and"), " of ")
	case integer, "array":
		return "an " + f.typ
	}
	return "a " + f.typ
}

// members are the names that a schema of objects speaks of, and whether the member
// must be there.
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
