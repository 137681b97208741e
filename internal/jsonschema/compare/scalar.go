package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// subtractValues returns the values of a list that are not among others.
func subtractValues(list, others []*jsontext.Node) []*jsontext.Node {
	excluded := map[string]bool{}
	for _, v := range others {
		excluded[string(v.AppendCanonical(nil))] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(v *jsontext.Node) bool { return excluded[string(v.AppendCanonical(nil))] })
}

// These are limits of messages.
const (
	maxShown     = 6  // number of values in a list
	longestShown = 60 // length of a value in bytes
)

// enumerate lists values in a message.
func enumerate(list []*jsontext.Node, conjunction string) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, showValue(v))
	}
	return words.Join(texts, " "+conjunction+" ", maxShown)
}

// showValue returns a value for a message.
func showValue(v *jsontext.Node) string {
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

// compareText compares the values of a keyword that restricts strings. It does not find out whether one
// pattern or format includes another.
func (c *comparison) compareText(x, y *jsontext.Node, at, word string) {
	switch {
	case equalNodes(x, y):
	case x == nil:
		c.addDifference(at, Narrows, Plain, "the %s is %s, there was none", word, showValue(y))
	case y == nil:
		c.addDifference(at, Widens, Plain, "there is no %s, it was %s", word, showValue(x))
	default:
		c.addDifference(at, Narrows|Widens, Plain, "the %s is %s, it was %s", word, showValue(y), showValue(x))
	}
}

// compareSize compares the limits of a count.
func (c *comparison) compareSize(a, b jsonschema.Size, at, what string) {
	c.compareBound(countBound(a.Least), countBound(b.Least), at, "least "+what, Narrows, Widens)
	c.compareBound(countBound(a.Most), countBound(b.Most), at, "greatest "+what, Widens, Narrows)
}

// countBound returns a count as a bound. MaxInt means that there is no bound.
func countBound(n int) bound {
	if n == math.MaxInt {
		return bound{}
	}
	text := strconv.Itoa(n)
	return bound{limit: &jsonschema.Limit{Text: text, Value: jsontext.ParseDecimal(text)}}
}

// A bound is a limit of numbers, which may be exclusive.
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

// compareBound compares the bounds a and b. higher is the effect if b is greater than a, and lower if it is less.
func (c *comparison) compareBound(a, b bound, at, what string, higher, lower Effect) {
	switch {
	case a.limit == nil && b.limit == nil:
	case b.limit == nil:
		c.addDifference(at, Widens, Plain, "there is no %s, it was %v", what, a)
	case a.limit == nil:
		c.addDifference(at, Narrows, Plain, "the %s is %v, there was none", what, b)
	default:
		order := b.limit.Value.Compare(a.limit.Value)
		if order == 0 && a.exclusive != b.exclusive {
			order = 1
			if b.exclusive != (higher == Narrows) {
				order = -1
			}
		}
		if order != 0 {
			c.addDifference(at, map[int]Effect{1: higher, -1: lower}[order], Plain, "the %s is %v, it was %v", what, b, a)
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
		c.addDifference(at, Narrows, Plain, "only multiples of %v are allowed", bound{limit: y})
	case y == nil:
		c.addDifference(at, Widens, Plain, "other values than multiples of %v are allowed", bound{limit: x})
	case x.Value != y.Value:
		e := Narrows | Widens
		if y.Value.IsMultiple(x.Value) {
			e = Narrows
		} else if x.Value.IsMultiple(y.Value) {
			e = Widens
		}
		c.addDifference(at, e, Plain, "only multiples of %v are allowed, it was multiples of %v", bound{limit: y}, bound{limit: x})
	}
}

// tighter returns the more restrictive of two bounds: the greater one if sign is 1, the smaller
// one if sign is -1.
func tighter(inclusive, exclusive *jsonschema.Limit, sign int) bound {
	if exclusive == nil || inclusive != nil && sign*inclusive.Value.Compare(exclusive.Value) > 0 {
		return bound{inclusive, false}
	}
	return bound{exclusive, true}
}
