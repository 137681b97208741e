package contract

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// compareValues compares what values two forms list.
func (c *comparison) compareValues(a, b form, at string) {
	x, y := valuesOf(a.words), valuesOf(b.words)
	switch {
	case x == nil && y == nil:
	case x == nil:
		c.add(at, narrows, values, "only %s is allowed, it was any %s", enumerate(y, "or"), a.name())
	case y == nil:
		c.add(at, widens, values, "any %s is allowed, it was %s", b.name(), enumerate(x, "or"))
	default:
		if lost := without(x, y); len(lost) > 0 {
			c.add(at, narrows, values, "%s is no longer allowed", enumerate(lost, "or"))
		}
		if gained := without(y, x); len(gained) > 0 {
			c.add(at, widens, values, "%s is allowed now, too", enumerate(gained, "or"))
		}
	}
}

func without(list, others []*jsontext.Node) []*jsontext.Node {
	return slices.DeleteFunc(slices.Clone(list), func(v *jsontext.Node) bool {
		return slices.ContainsFunc(others, func(other *jsontext.Node) bool { return equal(v, other) })
	})
}

// mostShown is how many values a message lists.
const mostShown = 6

// enumerate is a list of values in a message.
func enumerate(list []*jsontext.Node, conjunction string) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, shown(v))
	}
	return words.Join(texts, " "+conjunction+" ", mostShown)
}

// shown is a value of a schema in a message.
func shown(v *jsontext.Node) string {
	text := v.String()
	if v.Kind == jsontext.String {
		text = jsontext.Quote(v.Str())
	}
	return words.Cut(text, longestShown)
}

const longestShown = 60 // bytes

func (c *comparison) compareString(a, b *jsontext.Node, at string) {
	c.compareBounds(a, b, at, "minLength", "maxLength", "length")
	c.compareText(a, b, at, "pattern")
	c.compareText(a, b, at, "format")
	c.compareText(a, b, at, "contentEncoding")
	c.compareText(a, b, at, "contentMediaType")
}

// compareText compares a keyword that limits texts. Whether one pattern or format
// allows what another one does is not looked into.
func (c *comparison) compareText(a, b *jsontext.Node, at, word string) {
	x, y := a.Member(word), b.Member(word)
	switch {
	case equal(x, y):
	case x == nil:
		c.add(at, narrows, plain, "the %s is %s, there was none", word, shown(y))
	case y == nil:
		c.add(at, widens, plain, "there is no %s, it was %s", word, shown(x))
	default:
		c.add(at, narrows|widens, plain, "the %s is %s, it was %s", word, shown(y), shown(x))
	}
}

func (c *comparison) compareBounds(a, b *jsontext.Node, at, least, most, what string) {
	c.compareBound(bound{orElse(a, least, zero), false}, bound{orElse(b, least, zero), false}, at, "least "+what, narrows, widens)
	c.compareBound(bound{a.Member(most), false}, bound{b.Member(most), false}, at, "greatest "+what, widens, narrows)
}

// A bound is what a number may reach, or not even that.
type bound struct {
	value     *jsontext.Node // nil if there is none
	exclusive bool
}

func (b bound) String() string {
	if b.exclusive {
		return shown(b.value) + " (exclusive)"
	}
	return shown(b.value)
}

// compareBound compares a bound. Higher and lower are what it means that it is
// that.
func (c *comparison) compareBound(a, b bound, at, what string, higher, lower effect) {
	x, hadOne := numberOf(a.value)
	y, hasOne := numberOf(b.value)
	switch {
	case a.exclusive == b.exclusive && equal(a.value, b.value):
	case hadOne && hasOne:
		order := y.Compare(x)
		if order == 0 && a.exclusive != b.exclusive {
			order = 1
			if b.exclusive != (higher == narrows) {
				order = -1
			}
		}
		if order != 0 {
			c.add(at, map[int]effect{1: higher, -1: lower}[order], plain, "the %s is %v, it was %v", what, b, a)
		}
	case hadOne && b.value == nil:
		c.add(at, widens, plain, "there is no %s, it was %v", what, a)
	case hasOne && a.value == nil:
		c.add(at, narrows, plain, "the %s is %v, there was none", what, b)
	default:
		c.add(at, narrows|widens, uncompared, "the %s is %v, it was %v", what, b, a)
	}
}

func (c *comparison) compareNumber(a, b form, at string) {
	c.compareBound(a.lower(), b.lower(), at, "minimum", narrows, widens)
	c.compareBound(a.upper(), b.upper(), at, "maximum", widens, narrows)
	x, y := a.words.Member("multipleOf"), b.words.Member("multipleOf")
	if equal(x, y) {
		return
	}
	m, hadOne := numberOf(x)
	n, hasOne := numberOf(y)
	switch {
	case !hadOne && hasOne:
		c.add(at, narrows, plain, "only multiples of %s are allowed", shown(y))
	case hadOne && !hasOne:
		c.add(at, widens, plain, "other values than multiples of %s are allowed", shown(x))
	case hadOne && hasOne:
		e := narrows | widens
		if n.IsMultiple(m) {
			e = narrows
		} else if m.IsMultiple(n) {
			e = widens
		}
		c.add(at, e, plain, "only multiples of %s are allowed, it was those of %s", shown(y), shown(x))
	}
}

func (f form) lower() bound {
	return tighter(bound{f.words.Member("minimum"), false}, bound{f.words.Member("exclusiveMinimum"), true}, 1)
}

func (f form) upper() bound {
	return tighter(bound{f.words.Member("maximum"), false}, bound{f.words.Member("exclusiveMaximum"), true}, -1)
}

// tighter is the bound that decides, if there are two: the greater for the sign
// 1, the smaller for -1.
func tighter(inclusive, exclusive bound, sign int) bound {
	x, one := numberOf(inclusive.value)
	y, other := numberOf(exclusive.value)
	switch {
	case exclusive.value == nil, one && other && sign*x.Compare(y) > 0:
		return inclusive
	}
	return exclusive
}
