package contract

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// compareArray compares lists: how long they may be, and what is in them.
func (c *comparison) compareArray(a, b *jsontext.Node, at string) {
	c.compareBounds(a, b, at, "minItems", "maxItems", "number of elements")
	if x, y := isTrue(a.Member("uniqueItems")), isTrue(b.Member("uniqueItems")); x != y {
		if y {
			c.add(at, narrows, plain, "no two elements may be equal")
		} else {
			c.add(at, widens, plain, "elements may be equal")
		}
	}
	c.compare(orElse(a, "items", anything), orElse(b, "items", anything), at+"/*")
}

// orElse is what a schema says under a keyword, and what it means to say nothing.
func orElse(words *jsontext.Node, word string, otherwise *jsontext.Node) *jsontext.Node {
	if said := words.Member(word); said != nil {
		return said
	}
	return otherwise
}

// compareObject compares structs and maps: their members, by name, and those that
// have none.
func (c *comparison) compareObject(a, b *jsontext.Node, at string) {
	c.compareBounds(a, b, at, "minProperties", "maxProperties", "number of members")
	was, is := members(a), members(b)
	names := maps.Clone(was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c.compareMember(a, b, name, jsontext.Join(at, name))
	}
	c.compareOthers(orElse(a, "additionalProperties", anything), orElse(b, "additionalProperties", anything), at)
	if e := c.effectOf(orElse(a, "propertyNames", anything), orElse(b, "propertyNames", anything)); e != 0 {
		c.add(at, e, plain, "what members may be called changed")
	}
}

// members are the names that an object schema speaks of, and whether the member
// must be there.
func members(words *jsontext.Node) map[string]bool {
	all := map[string]bool{}
	if properties := words.Member("properties"); properties.Is(jsontext.Object) {
		for _, p := range properties.Items {
			all[p.Name()] = false
		}
	}
	for _, name := range strs(words.Member("required")) {
		all[name] = true
	}
	return all
}

// member is the schema of a member, which may be one that has no name; named
// says which.
func member(words *jsontext.Node, name string) (schema *jsontext.Node, named bool) {
	if p := words.Member("properties").Member(name); p != nil {
		return p, true
	}
	_, required := members(words)[name]
	return orElse(words, "additionalProperties", anything), required
}

func (c *comparison) compareMember(a, b *jsontext.Node, name, at string) {
	x, was := member(a, name)
	y, is := member(b, name)
	had, has := members(a)[name], members(b)[name]
	switch {
	case was && !is:
		c.add(at, c.effectOf(x, y)|loosened(had), memberGone, "it is gone")
		return
	case is && !was && has:
		c.add(at, narrows|c.effectOf(x, y), memberNewRequired, "it is new, and required")
		return
	case is && !was:
		text := "it is new"
		e := c.effectOf(x, y)
		if e&narrows != 0 {
			text += ", and takes less than was allowed there"
		}
		c.add(at, e, memberNew, "%s", text)
		return
	case !had && has:
		c.add(at, narrows, memberRequired, "it is required now")
	case had && !has:
		c.add(at, widens, memberOptional, "it is optional now")
	}
	found := len(c.found)
	c.compare(x, y, at)
	for i, f := range c.found[found:] {
		if had && f.kind == defaultChanged && f.at == at { // no call went by it
			c.found[found+i].kind = plain
		}
	}
}

// loosened is the effect of a member that was required, or not, and need not be
// there any more.
func loosened(required bool) effect {
	if required {
		return widens
	}
	return 0
}

// compareOthers compares what the members without a name of their own may be.
func (c *comparison) compareOthers(a, b *jsontext.Node, at string) {
	switch {
	case isFalse(a) && isFalse(b):
	case isFalse(a) && isTrue(b):
		c.add(at, widens, membersOpen, "other members are allowed now")
	case isFalse(a):
		c.add(at, widens, plain, "other members are allowed now")
	case isFalse(b):
		c.add(at, narrows, plain, "other members are no longer allowed")
	default:
		c.compare(a, b, at+"/*")
	}
}
