package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A form is a schema of values of one JSON type; with the type "" of any value,
// where the schema says nothing that is understood here.
type form struct {
	typ   string
	words *jsontext.Node // the keywords
}

// forms are the alternatives of a schema, each of one type.
func (c *comparison) forms(root, words *jsontext.Node) []form {
	_, words = resolve(root, words)
	if !words.Is(jsontext.Object) {
		if isFalse(words) {
			return nil
		}
		return []form{{words: &jsontext.Node{Kind: jsontext.Object}}}
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		list := words.Member(word)
		if !list.Is(jsontext.Array) || !only(words, word) {
			continue
		}
		var all []form
		c.depth++
		for _, part := range list.Items {
			if c.spend() {
				all = append(all, c.forms(root, part)...)
			}
		}
		c.depth--
		return all
	}
	types := kindsOf(words)
	if types == nil && slices.ContainsFunc(constraints(words), isUnderstood) {
		types = allTypes
	}
	if types == nil {
		return []form{{words: words}}
	}
	var all []form
	for _, t := range types {
		if f, ok := (form{t, words}).ofType(); ok {
			all = append(all, f)
		}
	}
	return all
}

func isUnderstood(word string) bool {
	for _, words := range understood {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// ofType leaves of the values that a form lists those of its type. It is not ok
// if none are left.
func (f form) ofType() (form, bool) {
	list := valuesOf(f.words)
	if list == nil {
		return f, true
	}
	kept := &jsontext.Node{Kind: jsontext.Array, Key: `"enum"`}
	for _, v := range list {
		if isOf(v, f.typ) {
			kept.Add(v)
		}
	}
	words := &jsontext.Node{Kind: jsontext.Object}
	for _, word := range f.words.Items {
		if name := word.Name(); name != "const" && name != "enum" {
			words.Add(word)
		}
	}
	words.Add(kept)
	return form{f.typ, words}, len(kept.Items) > 0
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
		if !slices.ContainsFunc(b, func(g form) bool { return c.effectOfForms(f, g)&narrows == 0 }) {
			c.add(at, narrows, plain, "%s is no longer allowed", f)
		}
	}
	for _, g := range restB {
		if !slices.ContainsFunc(a, func(f form) bool { return c.effectOfForms(f, g)&widens == 0 }) {
			c.add(at, widens, plain, "%s is allowed now, too", g)
		}
	}
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
		c.add(at, narrows, plain, "only %s is allowed, it was any value", b)
		return
	case b.any() && a.typ != "":
		c.add(at, widens, plain, "any value is allowed, it was %s", a)
		return
	case a.typ == "integer" && b.typ == "number":
		c.add(at, widens, plain, "a number is allowed, it was an integer")
	case a.typ == "number" && b.typ == "integer":
		c.add(at, narrows, plain, "only an integer is allowed, it was any number")
	case a.typ != b.typ:
		c.add(at, narrows|widens, plain, "the type is %s, it was %s", b.name(), a.name())
		return
	}
	c.compareValues(a, b, at)
	switch b.typ {
	case "string":
		c.compareString(a.words, b.words, at)
	case "number", "integer":
		c.compareNumber(a, b, at)
	case "array":
		c.compareArray(a.words, b.words, at)
	case "object":
		c.compareObject(a.words, b.words, at)
	}
	c.compareUnknown(a, b, at)
}

// any reports whether a form allows everything.
func (f form) any() bool { return f.typ == "" && len(constraints(f.words)) == 0 }

func (f form) name() string {
	if f.typ == "" {
		return "any"
	}
	return f.typ
}

// String is a form as part of a sentence.
func (f form) String() string {
	if list := valuesOf(f.words); list != nil {
		return enumerate(list, "or")
	}
	switch f.typ {
	case "":
		return "any value"
	case "null":
		return "null"
	case "object":
		var names []*jsontext.Node
		for _, name := range slices.Sorted(maps.Keys(members(f.words))) {
			names = append(names, &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(name)})
		}
		return strings.TrimSuffix("an object of "+enumerate(names, "and"), " of ")
	case "integer", "array":
		return "an " + f.typ
	}
	return "a " + f.typ
}

// compareUnknown compares the keywords that are not understood here.
func (c *comparison) compareUnknown(a, b form, at string) {
	both := append(constraints(a.words), constraints(b.words)...)
	slices.Sort(both)
	for _, word := range slices.Compact(both) {
		if word == "type" || word == "enum" || word == "const" || isUnderstood(word) {
			continue
		}
		x, y := a.words.Member(word), b.words.Member(word)
		if !equal(x, y) || !c.sameDefinitions && (word == "$ref" || refers(x)) {
			c.add(at, narrows|widens, uncompared, "what %q says changed", word)
		}
	}
}

// refers reports whether a part of a schema holds a reference.
func refers(part *jsontext.Node) bool {
	return part.Member("$ref") != nil || slices.ContainsFunc(part.Items, refers)
}
