package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

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

// effectOfForms takes a step, for there are as many pairs as one number of forms times
// the other.
func (c *comparison) effectOfForms(a, b form) Effect {
	if !c.spend() {
		return Narrows | Widens
	}
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
	aloneA, aloneB := alone(a), alone(b)
	for _, f := range a {
		_, one := aloneA[f.typ]
		if g, other := aloneB[f.typ]; one && other {
			c.compareForm(f, g, at)
			continue
		}
		restA = append(restA, f)
	}
	for _, g := range b {
		_, one := aloneB[g.typ]
		if _, other := aloneA[g.typ]; !one || !other {
			restB = append(restB, g)
		}
	}
	return restA, restB
}

// alone returns the forms that are the only ones of their type.
func alone(list []form) map[string]form {
	count, only := map[string]int{}, map[string]form{}
	for _, f := range list {
		if count[f.typ]++; count[f.typ] == 1 {
			only[f.typ] = f
		} else {
			delete(only, f.typ)
		}
	}
	return only
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
		if !equal(x, y) || !c.sameDefinitions && refers(x) || strings.HasPrefix(word, "unevaluated") && !sameNames(a, b) {
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

// compareArray compares lists: how long they may be, and what is in them.
func (c *comparison) compareArray(a, b *jsonschema.Schema, at string) {
	c.compareSize(a.Count, b.Count, at, "number of elements")
	switch {
	case b.Unique && !a.Unique:
		c.add(at, Narrows, Plain, "no two elements may be equal")
	case a.Unique && !b.Unique:
		c.add(at, Widens, Plain, "elements may be equal")
	}
	c.compare(orAny(a.Items), orAny(b.Items), at+"/*")
}

// compareObject compares structs and maps: their members, by name, and those that
// have none.
func (c *comparison) compareObject(a, b *jsonschema.Schema, at string) {
	c.compareSize(a.Members, b.Members, at, "number of members")
	was, is := members(a), members(b)
	names := maps.Clone(was)
	maps.Copy(names, is)
	for _, name := range sortedNames(names) {
		x, y := member{a, name, was}, member{b, name, is}
		c.compareMember(x, y, jsontext.Join(at, name))
	}
	c.compareOthers(orAny(a.Additional), orAny(b.Additional), at)
	if e := c.effectOf(orAny(a.Names), orAny(b.Names)); e != 0 {
		c.add(at, e, Plain, "what members may be called changed")
	}
}

// A member is one of an object, which may be one that has no name in the schema.
type member struct {
	of   *jsonschema.Schema
	name string
	all  map[string]bool // see members
}

func (m member) required() bool { return m.all[m.name] }

// named reports whether the schema speaks of the member.
func (m member) named() bool { _, ok := m.all[m.name]; return ok }

func (m member) schema() *jsonschema.Schema {
	if p := m.of.Property(m.name); p != nil {
		return p
	}
	if slices.ContainsFunc(m.of.Patterns, func(p jsonschema.PatternProperty) bool { return p.Pattern.Match(m.name) }) {
		return anything // beside what the pattern says, with or without a name
	}
	return orAny(m.of.Additional)
}

func (c *comparison) compareMember(a, b member, at string) {
	x, y := a.schema(), b.schema()
	had, has := a.required(), b.required()
	switch {
	case a.named() && !b.named():
		e := c.effectOf(x, y)
		if had {
			e |= Widens // it need not be there any more
		}
		c.add(at, e, MemberGone, "it is gone")
		return
	case b.named() && !a.named() && has:
		c.add(at, Narrows|c.effectOf(x, y), MemberNewRequired, "it is new, and required")
		return
	case b.named() && !a.named():
		text := "it is new"
		e := c.effectOf(x, y)
		if e&Narrows != 0 {
			text += ", and takes less than was allowed there"
		}
		c.add(at, e, MemberNew, "%s", text)
		return
	case !had && has:
		c.add(at, Narrows, MemberRequired, "it is required now")
	case had && !has:
		c.add(at, Widens, MemberOptional, "it is optional now")
	}
	found := len(c.found)
	c.compare(x, y, at)
	for i, f := range c.found[found:] {
		if had && f.Kind == DefaultChanged && f.At == at { // no call went by it
			c.found[found+i].Kind = Plain
		}
	}
}

// compareOthers compares what the members without a name of their own may be.
func (c *comparison) compareOthers(a, b *jsonschema.Schema, at string) {
	switch {
	case a.Never && b.Never:
	case a.Never && b.Node.Is(jsontext.Bool):
		c.add(at, Widens, MembersOpen, "other members are allowed now")
	case a.Never:
		c.add(at, Widens, Plain, "other members are allowed now")
	case b.Never:
		c.add(at, Narrows, Plain, "other members are no longer allowed")
	default:
		c.compare(a, b, at+"/*")
	}
}
