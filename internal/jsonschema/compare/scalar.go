package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

func without(list, others []*jsontext.Node) []*jsontext.Node {
	known := map[string]bool{}
	for _, v := range others {
		known[string(v.AppendCanonical(nil))] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(v *jsontext.Node) bool { return known[string(v.AppendCanonical(nil))] })
}

// What a message shows at most.
const (
	mostShown    = 6  // values of a list
	longestShown = 60 // bytes of a value
)

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

func (c *comparison) compareString(a, b *jsonschema.Schema, at string) {
	c.compareSize(a.Length, b.Length, at, "length")
	for _, word := range []string{"pattern", "format", "contentEncoding", "contentMediaType"} {
		c.compareText(a.Node.Member(word), b.Node.Member(word), at, word)
	}
}

// compareText compares a keyword that limits texts. Whether one pattern or format
// allows what another one does is not looked into.
func (c *comparison) compareText(x, y *jsontext.Node, at, word string) {
	switch {
	case equal(x, y):
	case x == nil:
		c.add(at, Narrows, Plain, "the %s is %s, there was none", word, shown(y))
	case y == nil:
		c.add(at, Widens, Plain, "there is no %s, it was %s", word, shown(x))
	default:
		c.add(at, Narrows|Widens, Plain, "the %s is %s, it was %s", word, shown(y), shown(x))
	}
}

// compareSize compares how many there may be of something.
func (c *comparison) compareSize(a, b jsonschema.Size, at, what string) {
	c.compareBound(count(a.Least), count(b.Least), at, "least "+what, Narrows, Widens)
	c.compareBound(count(a.Most), count(b.Most), at, "greatest "+what, Widens, Narrows)
}

// count is a number of things as a bound, which the greatest is not.
func count(n int) bound {
	if n == math.MaxInt {
		return bound{}
	}
	text := strconv.Itoa(n)
	return bound{limit: &jsonschema.Limit{Text: text, Value: jsontext.ParseDecimal(text)}}
}

// A bound is what a number may reach, or not even that.
type bound struct {
	limit     *jsonschema.Limit // nil if there is none
	exclusive bool
}

func (b bound) String() string {
	text := words.Cut(b.limit.Text, longestShown)
	if b.exclusive {
		return text + " (exclusive)"
	}
	return text
}

// compareBound compares a bound. Higher and lower are what it means that it is
// that.
func (c *comparison) compareBound(a, b bound, at, what string, higher, lower Effect) {
	switch {
	case a.limit == nil && b.limit == nil:
	case b.limit == nil:
		c.add(at, Widens, Plain, "there is no %s, it was %v", what, a)
	case a.limit == nil:
		c.add(at, Narrows, Plain, "the %s is %v, there was none", what, b)
	default:
		order := b.limit.Value.Compare(a.limit.Value)
		if order == 0 && a.exclusive != b.exclusive {
			order = 1
			if b.exclusive != (higher == Narrows) {
				order = -1
			}
		}
		if order != 0 {
			c.add(at, map[int]Effect{1: higher, -1: lower}[order], Plain, "the %s is %v, it was %v", what, b, a)
		}
	}
}

func (c *comparison) compareNumber(a, b *jsonschema.Schema, at string) {
	c.compareBound(tighter(a.Minimum, a.ExclusiveMinimum, 1), tighter(b.Minimum, b.ExclusiveMinimum, 1), at, "minimum", Narrows, Widens)
	c.compareBound(tighter(a.Maximum, a.ExclusiveMaximum, -1), tighter(b.Maximum, b.ExclusiveMaximum, -1), at, "maximum", Widens, Narrows)
	x, y := a.MultipleOf, b.MultipleOf
	switch {
	case x == nil && y == nil:
	case x == nil:
		c.add(at, Narrows, Plain, "only multiples of %v are allowed", bound{limit: y})
	case y == nil:
		c.add(at, Widens, Plain, "other values than multiples of %v are allowed", bound{limit: x})
	case x.Value != y.Value:
		e := Narrows | Widens
		if y.Value.IsMultiple(x.Value) {
			e = Narrows
		} else if x.Value.IsMultiple(y.Value) {
			e = Widens
		}
		c.add(at, e, Plain, "only multiples of %v are allowed, it was those of %v", bound{limit: y}, bound{limit: x})
	}
}

// tighter is the bound that decides, if there are two: the greater for the sign
// 1, the smaller for -1.
func tighter(inclusive, exclusive *jsonschema.Limit, sign int) bound {
	if exclusive == nil || inclusive != nil && sign*inclusive.Value.Compare(exclusive.Value) > 0 {
		return bound{inclusive, false}
	}
	return bound{exclusive, true}
}
