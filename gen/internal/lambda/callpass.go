package lambda

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// paramSlot is a parameter of the Go function and the range of arguments that it receives.
type paramSlot struct {
	typ      types.Type
	supplied bool
	from, to int // the range of indexes in args
	variadic bool
	spread   bool // its value is one list, which is passed with ...
}

// paramSlots assigns the arguments to the parameters.
func (c *callArguments) paramSlots() (slots []paramSlot) {
	next, last := 0, len(c.visible)-1
	for v := range c.sig.Params().Variables() {
		s := paramSlot{typ: v.Type(), supplied: c.Supplied(v.Type())}
		if !s.supplied {
			s.from, s.to = next, next+1
			if c.sig.Variadic() && next == last {
				s.to, s.variadic, s.spread = len(c.args), true, c.star != nil
			}
			next++
		}
		slots = append(slots, s)
	}
	return slots
}

// passArguments converts the arguments to the types of their parameters and adds them to call. It returns false
// after a fault.
func (c *callArguments) passArguments(call *ir.Step) (valid bool) {
	valid = true
	for _, s := range c.paramSlots() {
		var values []*ir.Value
		switch {
		case s.supplied:
			values = []*ir.Value{c.Supply(s.typ)}
		case s.spread:
			call.Spread = true
			values = []*ir.Value{c.concatVariadic(s)}
		case s.variadic:
			if option := c.Option(ir.ElemType(s.typ)); option != nil {
				values = append(values, option) // first, so that options in the lambda take precedence
			}
			values = append(values, c.convertArguments(s.from, s.to, valid)...)
		default:
			values = c.convertArguments(s.from, s.to, valid)
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
	t := c.paramType(i)
	if ir.KindOf(t) == ir.Any && !ir.IsNumberText(t) && !v.IsBad() && v.Kind() != ir.None && !v.HasType(t) {
		return c.boxAny(v, t)
	}
	return c.convertTo(v, t, c.places[i], c.describeParam(min(i, len(c.visible)-1)))
}

// concatVariadic returns the list for a variadic parameter: the elements of the starred argument, and the
// arguments before and after it.
func (c *callArguments) concatVariadic(s paramSlot) *ir.Value {
	at := max(s.from, min(c.starIndex, s.to))
	before, after := c.convertArguments(s.from, at, true), c.convertArguments(at, s.to, true)
	if option := c.Option(ir.ElemType(s.typ)); option != nil {
		before = slices.Insert(before, 0, option)
	}
	star := c.convertTo(c.star, s.typ, c.starPlace, "the starred argument")
	if ir.HasBad(before...) || ir.HasBad(after...) || star.IsBad() {
		return ir.NewBad()
	}
	lists := []*ir.Value{star}
	if len(before) > 0 {
		lists = slices.Insert(lists, 0, c.NewDisplay(s.typ, before...))
	}
	if len(after) > 0 {
		lists = append(lists, c.NewDisplay(s.typ, after...))
	}
	if len(lists) == 1 {
		return star
	}
	return c.CallInTurn(s.typ, ir.PackageRef("slices", "Concat"), lists...)
}
