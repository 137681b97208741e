package compare

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// anything is the schema of all values.
var anything = func() *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte("true"))
	if err != nil {
		panic(err)
	}
	return s
}()

// orAny returns a schema, or that of all values if there is none.
func orAny(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return anything
	}
	return s
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
