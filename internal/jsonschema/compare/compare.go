// Package compare finds the differences of two JSON Schemas: in what is said of each
// value, and in whether more or less values are allowed than before; and whether two
// have no value in common. Its layers, from top to bottom:
//
//	disjoint            whether no value is one of two schemas
//	compare, container  two schemas, by their alternatives of one type each; what they hold
//	scalar              values that are listed, strings, numbers
//	difference          what is found, in a bounded number of steps
//	keyword             which keywords limit values, and which are understood
package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// deepestText is how deeply texts nest that are read at all.
const deepestText = 10_000

// Texts returns the differences of two schemas; an empty text stands for any value.
// What cannot be compared is a difference of the kind Uncompared: a schema that
// package jsonschema refuses, one that is too large or too deep.
func Texts(before, now json.RawMessage) []Difference {
	a, wrongBefore := parse(before)
	b, wrongNow := parse(now)
	if wrong := cmp.Or(wrongBefore, wrongNow); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema is no JSON: %v", wrong))
	}
	if jsontext.Equal(a, b) {
		return nil
	}
	x, wrongBefore := jsonschema.Read(a)
	y, wrongNow := jsonschema.Read(b)
	if wrong := cmp.Or(wrongNow, wrongBefore); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema cannot be compared: %v", wrong))
	}
	c := &comparison{sameDefinitions: sameDefinitions(a, b), done: map[pair]bool{}, budget: &budget{maxSteps}}
	c.compare(x, y, "")
	if c.budget.spent() { // what was found so far may not be so
		return uncomparable("the schema is too large or too deep to be compared")
	}
	return c.found
}

func uncomparable(text string) []Difference {
	return []Difference{{Text: text, Effect: Narrows | Widens, Kind: Uncompared}}
}

func parse(text json.RawMessage) (*jsontext.Node, error) {
	if len(text) == 0 {
		text = json.RawMessage("true")
	}
	return jsontext.Parse(string(text), deepestText)
}

// compare finds the differences of two schemas, which stand for the values at a
// pointer.
func (c *comparison) compare(a, b *jsonschema.Schema, at string) {
	c.depth++
	defer func() { c.depth-- }()
	if !c.spend() {
		return
	}
	c.compareWords(a, b, at)
	x, y := resolve(a), resolve(b)
	if x != a || y != b {
		c.compareWords(x, y, at)
	}
	if p := (pair{x, y}); x != a && y != b {
		if slices.Contains(c.open, p) || c.done[p] {
			return
		}
		c.open = append(c.open, p)
		defer func() {
			c.open = c.open[:len(c.open)-1]
			if c.done != nil {
				c.done[p] = true
			}
		}()
	}
	c.compareForms(c.forms(x), c.forms(y), at)
}

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

// effectOf is what changes from one schema to another, without a list of it.
func (c *comparison) effectOf(a, b *jsonschema.Schema) Effect {
	return c.effect(func(inner *comparison) { inner.compare(a, b, "") })
}

func (c *comparison) effect(compare func(*comparison)) (e Effect) {
	inner := *c
	inner.found, inner.done = nil, nil
	compare(&inner)
	if c.budget.spent() {
		return Narrows | Widens
	}
	for _, f := range inner.found {
		e |= f.Effect
	}
	return e
}

// compareWords compares what is said of a value. It limits nothing.
func (c *comparison) compareWords(a, b *jsonschema.Schema, at string) {
	for _, word := range []string{"title", "description"} {
		if !equal(a.Node.Member(word), b.Node.Member(word)) {
			c.add(at, 0, Plain, "the %s changed", word)
		}
	}
	was, is := a.Node.Member("default"), b.Node.Member("default")
	switch {
	case equal(was, is):
	case is == nil:
		c.add(at, 0, DefaultChanged, "there is no default, it was %s", shown(was))
	case was == nil:
		c.add(at, 0, DefaultChanged, "the default is %s, there was none", shown(is))
	default:
		c.add(at, 0, DefaultChanged, "the default is %s, it was %s", shown(is), shown(was))
	}
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

// compareValues compares what values two forms list.
func (c *comparison) compareValues(a, b form, at string) {
	x, y := a.values, b.values
	switch {
	case x == nil && y == nil:
	case x == nil:
		c.add(at, Narrows, Values, "only %s is allowed, it was any %s", enumerate(y, "or"), a.name())
	case y == nil:
		c.add(at, Widens, Values, "any %s is allowed, it was %s", b.name(), enumerate(x, "or"))
	default:
		if lost := without(x, y); len(lost) > 0 {
			c.add(at, Narrows, Values, "%s is no longer allowed", enumerate(lost, "or"))
		}
		if gained := without(y, x); len(gained) > 0 {
			c.add(at, Widens, Values, "%s is allowed now, too", enumerate(gained, "or"))
		}
	}
}
