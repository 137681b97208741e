package lambda

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// bindStar assigns the elements of the starred argument to parameters. In f(a, *xs, b), the first parameter
// receives a, the last one b, and those between them the elements of xs. positional is the number of positional
// arguments, not counting the starred one. bindStar returns false after a fault.
func (c *callArguments) bindStar(positional int) bool {
	what := "Value"
	if positional == c.starIndex && c.starIndex == 0 {
		what = c.name + "() argument"
	}
	if c.star.Kind() == ir.Any {
		c.star = c.callHelper("list", ir.AnyList, c.starPlace, ir.DynRef("Starred"), c.star, c.StrLiteral(what))
	} else {
		c.star = c.toIterableOrError(c.star, c.starPlace, "a starred argument", what+" after * must be an iterable, not NoneType")
	}
	if c.star.IsBad() {
		return false
	}
	after := positional - c.starIndex
	if c.sig.Variadic() {
		return c.bindVariadic(after)
	}
	free := 0 // parameters without a keyword argument
	for i := range c.visible {
		if c.args[i] == nil || i < positional {
			free++
		} else if i < len(c.visible)-1 && c.args[i+1] == nil {
			c.addCallFault(c.starPlace, "names a parameter that the starred argument may also supply")
			return false
		}
	}
	count := free - positional
	if count < 0 {
		c.addCallFault(c.Location(), "has %d arguments, but it takes %d", positional, free)
		return false
	}
	c.checkSpread("Spread", free, c.IntLiteral(int64(c.starIndex)), c.IntLiteral(int64(after)))
	copy(c.args[c.starIndex+count:free], c.args[c.starIndex:positional])
	copy(c.places[c.starIndex+count:free], c.places[c.starIndex:positional])
	c.bindElements(count)
	return true
}

// bindVariadic is bindStar for a variadic function. It assigns the first elements of the starred argument to the
// parameters before the variadic one, which receives the others. after is the number of positional arguments
// after the starred one.
func (c *callArguments) bindVariadic(after int) bool {
	last := len(c.visible) - 1
	first := max(0, last-c.starIndex)
	if first == 0 {
		return c.checkCount()
	}
	if after > 0 || slices.ContainsFunc(c.args[c.starIndex:last], func(v *ir.Value) bool { return v != nil }) {
		c.addUnsupported(c.starPlace, "a starred argument of "+c.name+" that supplies both named and variadic parameters and is followed by other arguments").
			WithHelp("pass the first elements by index")
		return false
	}
	c.checkSpread("SpreadSome", last, c.IntLiteral(int64(c.starIndex)))
	c.bindElements(first)
	c.star = c.SliceFrom(c.star.Type, c.star, first).SetOrigin(c.star.Origin)
	c.starIndex = last
	return c.checkCount()
}

// checkSpread adds a run-time check that the starred argument has as many elements as there are parameters for
// them. helper is the function of package py that checks it; params is the number of parameters to name in errors.
func (c *callArguments) checkSpread(helper string, params int, numbers ...*ir.Value) {
	c.star = c.star.KeepInVariable()
	args := append(append([]*ir.Value{c.star}, numbers...), c.StrLiteral(c.name))
	for _, name := range c.paramNames(params) {
		args = append(args, c.StrLiteral(name))
	}
	c.CheckCall(c.placeText(c.Location()), ir.PyRef(helper), args...)
}

// bindElements stores the first n elements of the starred argument in args.
func (c *callArguments) bindElements(n int) {
	for i := range n {
		c.args[c.starIndex+i] = c.ElementAt(ir.ElemType(c.star.Type), c.star, i).SetOrigin(c.star.ElementOrigin())
		c.places[c.starIndex+i] = c.starPlace
	}
}
