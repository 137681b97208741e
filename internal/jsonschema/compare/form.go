package compare

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

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
	if only(s, "anyOf") || only(s, "oneOf") {
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

// compareForms compares alternatives: first those that are the only ones of their
// type, then those that are equal, and of the rest whether others take their
// place.
func (c *comparison) compareForms(a, b []form, at string) {
	restA, restB := c.compareEqual(c.compareByType(a, b, at))
	if len(restA) == 1 && len(restB) == 1 {
		c.compareForm(restA[0], restB[0], at)
		return
	}
	for _, f := range restA {
		if !slices.ContainsFunc(b, func(g form) bool { return c.effectOfForms(f, g)&Narrows == 0 }) {
			c.add(at, Narrows, Plain, "%s is no longer allowed", f)
		}
	}
	for _, g := range restB {
		if !slices.ContainsFunc(a, func(f form) bool { return c.effectOfForms(f, g)&Widens == 0 }) {
			c.add(at, Widens, Plain, "%s is allowed now, too", g)
		}
	}
}

func (c *comparison) effectOfForms(a, b form) Effect {
	return c.effect(func(inner *comparison) { inner.compareForm(a, b, "") })
}

// compareEqual returns the forms that have no equal on the other side.
func (c *comparison) compareEqual(a, b []form) (restA, restB []form) {
	restB = b
	for _, f := range a {
		i := slices.IndexFunc(restB, func(g form) bool { return f.typ == g.typ && c.effectOfForms(f, g) == 0 })
		if i < 0 {
			restA = append(restA, f)
			continue
		}
		restB = slices.Delete(restB, i, i+1)
	}
	return restA, restB
}

// compareByType compares the forms that are the only ones of their type on either
// side, and returns the others.
func (c *comparison) compareByType(a, b []form, at string) (restA, restB []form) {
	alone := func(list []form, typ string) (f form, ok bool) {
		n := 0
		for _, g := range list {
			if g.typ == typ {
				f, n = g, n+1
			}
		}
		return f, n == 1
	}
	for _, f := range a {
		_, one := alone(a, f.typ)
		g, other := alone(b, f.typ)
		if one && other {
			c.compareForm(f, g, at)
			continue
		}
		restA = append(restA, f)
	}
	for _, g := range b {
		_, one := alone(b, g.typ)
		_, other := alone(a, g.typ)
		if !one || !other {
			restB = append(restB, g)
		}
	}
	return restA, restB
}

// compareForm compares schemas of one type each.
func (c *comparison) compareForm(a, b form, at string) {
	switch {
	case a.any() && b.typ != "":
		c.add(at, Narrows, Plain, "only %s is allowed, it was any value", b)
		return
	case b.any() && a.typ != "":
		c.add(at, Widens, Plain, "any value is allowed, it was %s", a)
		return
	case a.typ == integer && b.typ == "number":
		c.add(at, Widens, Plain, "a number is allowed, it was an integer")
	case a.typ == "number" && b.typ == integer:
		c.add(at, Narrows, Plain, "only an integer is allowed, it was any number")
	case a.typ != b.typ:
		c.add(at, Narrows|Widens, Plain, "the type is %s, it was %s", b.name(), a.name())
		return
	}
	c.compareValues(a, b, at)
	switch b.typ {
	case "string":
		c.compareString(a.schema, b.schema, at)
	case "number", integer:
		c.compareNumber(a.schema, b.schema, at)
	case "array":
		c.compareArray(a.schema, b.schema, at)
	case "object":
		c.compareObject(a.schema, b.schema, at)
	}
	c.compareUnknown(a.schema, b.schema, at)
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

// compareUnknown compares the keywords that are not understood here, as they are
// written.
func (c *comparison) compareUnknown(a, b *jsonschema.Schema, at string) {
	both := append(constraints(a), constraints(b)...)
	slices.Sort(both)
	for _, word := range slices.Compact(both) {
		if word == "type" || word == "enum" || word == "const" || isUnderstood(a, word) && isUnderstood(b, word) {
			continue
		}
		x, y := a.Node.Member(word), b.Node.Member(word)
		if !equal(x, y) || !c.sameDefinitions && (word == "$ref" || refers(x)) {
			c.add(at, Narrows|Widens, Uncompared, "what %q says changed", word)
		}
	}
}
