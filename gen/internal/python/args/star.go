package args

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// bindStar spreads the starred argument over the parameters that are left, of which
// those behind it already have the arguments that followed it.
func (c *call) bindStar(positional int) bool {
	what := "Value"
	if positional == c.starAt && c.starAt == 0 {
		what = c.name + "() argument"
	}
	if c.star.Kind() == kind.Any {
		c.star = c.Do("list", kind.AnyList, c.starred, code.Dyn("Starred"), c.star, c.Str(what))
	} else {
		c.star = c.IterableElse(c.star, c.starred, "a starred argument", what+" after * must be an iterable, not NoneType")
	}
	if c.star.Bad() {
		return false
	}
	after := positional - c.starAt
	if c.sig.Variadic() {
		return c.bindVariadic(after)
	}
	free := 0 // parameters without an argument by name
	for i := range c.visible {
		if c.args[i] == nil || i < positional {
			free++
		} else if i < len(c.visible)-1 && c.args[i+1] == nil {
			c.wrong(c.starred, "names a parameter that the starred argument may reach")
			return false
		}
	}
	count := free - positional
	if count < 0 {
		c.wrong(c.At(), "has %d arguments, but it takes %d", positional, free)
		return false
	}
	c.spread("Spread", free, c.Int(int64(c.starAt)), c.Int(int64(after)))
	copy(c.args[c.starAt+count:free], c.args[c.starAt:positional])
	copy(c.places[c.starAt+count:free], c.places[c.starAt:positional])
	c.elements(count)
	return true
}

// bindVariadic binds a starred argument of a variadic function: its first elements
// go to the parameters that are left, the others to the last one.
func (c *call) bindVariadic(after int) bool {
	last := len(c.visible) - 1
	first := max(0, last-c.starAt)
	if first == 0 {
		return c.counted()
	}
	if after > 0 || slices.ContainsFunc(c.args[c.starAt:last], func(v *code.Value) bool { return v != nil }) {
		c.Unsupported(c.starred, "a starred argument that "+c.name+" takes by a parameter and by its variadic one, with others behind it").
			WithHelp("pass the first elements by index")
		return false
	}
	c.spread("SpreadSome", last, c.Int(int64(c.starAt)))
	c.elements(first)
	c.star = c.Rest(c.star.Type, c.star, first).From(c.star.Origin)
	c.starAt = last
	return c.counted()
}

// spread checks that the starred argument is as long as the parameters need it.
func (c *call) spread(helper string, params int, numbers ...*code.Value) {
	c.star = c.star.Kept()
	args := append(append([]*code.Value{c.star}, numbers...), c.Str(c.name))
	for _, name := range c.paramNames(params) {
		args = append(args, c.Str(name))
	}
	c.Check(c.Position(c.At()), code.Py(helper), args...)
}

// elements makes the first elements of the starred argument arguments.
func (c *call) elements(n int) {
	for i := range n {
		c.args[c.starAt+i] = c.Element(kind.Elem(c.star.Type), c.star, i).From(c.star.Element())
		c.places[c.starAt+i] = c.starred
	}
}
