package lambda

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// passArguments converts the arguments to the types of their parameters and adds them to call. It returns false
// after a fault.
func (c *callArguments) passArguments(call *ir.Step) (valid bool) {
	valid = true
	next := 0
	for v := range c.sig.Params().Variables() {
		var values []*ir.Value
		switch t, isLast := v.Type(), next == len(c.visible)-1; {
		case c.Supplied(t):
			values = []*ir.Value{c.suppliedParam(t)}
		case !c.sig.Variadic() || !isLast:
			values = c.convertArguments(next, next+1, valid)
			next++
		case c.star != nil:
			call.Spread = true
			values = []*ir.Value{c.concatVariadic(t, next)}
		default:
			if option := c.optionWithContext(ir.ElemType(t)); option != nil {
				values = append(values, option) // first, so that options in the lambda take precedence
			}
			values = append(values, c.convertArguments(next, len(c.args), valid)...)
		}
		for _, v := range values {
			valid = valid && !v.IsBad()
			call.Args = append(call.Args, v.Step)
		}
	}
	return valid
}

// convertArguments converts the arguments from up to but not including to. valid is false if there was a fault
// before. After a fault, it reports no others for elements of the starred argument, because they all have the same
// place.
func (c *callArguments) convertArguments(from, to int, valid bool) (list []*ir.Value) {
	for i := from; i < to; i++ {
		switch v := c.args[i]; {
		case v == nil:
		case !valid && c.star != nil && c.places[i] == c.starPlace:
			list = append(list, ir.NewBad())
		default:
			v = c.convertArgument(v, i)
			list = append(list, v)
			valid = valid && !v.IsBad()
		}
	}
	return list
}

// convertArgument converts v to the type of the parameter of argument i. A parameter of type any accepts every
// value, because only the Go function knows which ones it can use.
func (c *callArguments) convertArgument(v *ir.Value, i int) *ir.Value {
	t := paramType(c.sig, c.visible, i)
	if ir.KindOf(t) == ir.Any && !ir.IsNumberText(t) && !v.IsBad() && v.Kind() != ir.None && !v.HasType(t) {
		return c.boxAny(v, t)
	}
	return c.convertTo(v, t, c.places[i], c.describeParam(min(i, len(c.visible)-1)))
}

// concatVariadic returns the list for a variadic parameter of type t: the elements of the starred argument, and the
// arguments before and after it, of which the first one has index from.
func (c *callArguments) concatVariadic(t types.Type, from int) *ir.Value {
	at := max(from, min(c.starIndex, len(c.args)))
	before, after := c.convertArguments(from, at, true), c.convertArguments(at, len(c.args), true)
	if option := c.optionWithContext(ir.ElemType(t)); option != nil {
		before = slices.Insert(before, 0, option)
	}
	star := c.convertTo(c.star, t, c.starPlace, "the starred argument")
	lists := []*ir.Value{star}
	if len(before) > 0 {
		lists = slices.Insert(lists, 0, c.NewDisplay(t, before...))
	}
	if len(after) > 0 {
		lists = append(lists, c.NewDisplay(t, after...))
	}
	if len(lists) == 1 {
		return star
	}
	return c.CallInTurn(t, ir.PackageRef("slices", "Concat"), lists...)
}
