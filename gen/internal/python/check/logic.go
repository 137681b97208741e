package check

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

func (c *checker) cond(e *syntax.Cond, want types.Type) *code.Value {
	test := c.condition(e.If)
	if known, ok := test.Known.(bool); ok {
		return c.single(map[bool]syntax.Expr{true: e.Then, false: e.Else}[known], want)
	}
	then := c.side(e.Then, test.then, want)
	return c.choose(test.Value, then, c.side(e.Else, test.otherwise, want), want)
}

// A choice is one side of a conditional expression.
type choice struct {
	value *code.Value
	block *code.Block
	at    syntax.Place
}

// side checks an expression that is not always taken, with what is known of names
// where it is.
func (c *checker) side(e syntax.Expr, known map[string]*code.Value, want types.Type) choice {
	s := choice{at: e.At()}
	s.block = c.within(func() { c.Narrowed(known, func() { s.value = c.single(e, want) }) })
	return s
}

// taken is a value that is there as a side.
func taken(v *code.Value, e syntax.Expr) choice { return choice{v, &code.Block{}, e.At()} }

// choose is the value of one of two sides.
func (c *checker) choose(test *code.Value, then, otherwise choice, want types.Type) *code.Value {
	if code.AnyBad(then.value, otherwise.value) {
		return code.Bad()
	}
	t := code.Joined(then.value, otherwise.value)
	if want != nil && kind.Of(t) == kind.Any {
		t = want
	}
	if types.Identical(t, kind.GoNone) {
		test = test.Kept()
		c.run(test, then.block)
		c.run(c.Not(test), otherwise.block)
		return c.None()
	}
	for _, s := range []choice{then, otherwise} {
		c.In(s.block, func() {
			v := c.Convert(s.value, t, s.at, "this side")
			s.block.Result = v.Step
		})
	}
	return c.Choose("", t, test, then.block, otherwise.block)
}

// run runs a block for what it does, if it does something.
func (c *checker) run(test *code.Value, b *code.Block) {
	if !b.Trivial() {
		c.If(test, b)
	}
}

// logical checks `and` and `or`, whose value is one of the operands.
func (c *checker) logical(e *syntax.Binary, want types.Type) *code.Value {
	and := e.Op.Text == "and"
	if syntax.IsTest(e) {
		return c.bothConditions(e).Value
	}
	if x, ok := e.X.(*syntax.Binary); ok && x.Op.Text == "and" && !and {
		return c.andOr(x, e, want)
	}
	if syntax.IsTest(e.X) {
		t := c.condition(e.X)
		switch {
		case t.Known == and:
			return c.single(e.Y, want)
		case t.Known != nil:
			return t.Value
		}
		return c.logicalBool(e, t.Value, t.entering(and), want)
	}
	left := c.single(e.X, want)
	if left.Kind() == kind.Bool && left.Known == nil {
		return c.logicalBool(e, left, nil, want)
	}
	left = left.Kept()
	t := c.truthOf(e.X, left)
	if known, ok := t.Known.(bool); ok && !left.Bad() {
		if known != and {
			return left
		}
		return c.single(e.Y, want)
	}
	right := c.side(e.Y, t.entering(and), want)
	if code.AnyBad(left, right.value) {
		return code.Bad()
	}
	switch {
	case and && left.Kind() == kind.Object: // what is not true is None
		return c.choose(t.Value, right, taken(c.None(), e.X), want)
	case and:
		return c.choose(t.Value, right, taken(left, e.X), want)
	}
	return c.choose(t.Value, taken(c.whenTrue(left), e.X), right, want)
}

// whenTrue is a value where it is known to be true.
func (c *checker) whenTrue(v *code.Value) *code.Value {
	if v.Kind() == kind.Optional {
		return c.There(v)
	}
	return v
}

// andOr checks `x and y or z`: y where both x and y are true, else z, but never
// x, so that only y and z need a type in common.
func (c *checker) andOr(and, or *syntax.Binary, want types.Type) *code.Value {
	left := c.condition(and.X)
	if known, ok := left.Known.(bool); ok {
		if !known {
			return c.single(or.Y, want)
		}
		return c.logical(&syntax.Binary{Place: or.Place, Op: or.Op, X: and.Y, Y: or.Y}, want)
	}
	kept := c.side(and.Y, left.then, want)
	if kept.value.Bad() || left.Bad() {
		c.single(or.Y, want)
		return code.Bad()
	}
	plain := kept.value.When == code.Anytime && kept.block.Trivial()
	var right *code.Value
	c.In(kept.block, func() { right = c.Truth(kept.value) })
	isBool := kept.value.Kind() == kind.Bool && kept.value.Known == nil
	switch {
	case isBool:
		return c.logicalBool(or, c.join(token.LAND, left.Value, right, kept.block), nil, want)
	case right.Known == false:
		c.run(left.Value, kept.block)
		return c.single(or.Y, want)
	case right.Known == true:
		return c.choose(left.Value, kept, c.side(or.Y, nil, want), want)
	case plain:
		test := c.join(token.LAND, left.Value, right, kept.block)
		return c.choose(test, taken(c.whenTrue(kept.value), and.Y), c.side(or.Y, nil, want), want)
	}
	return c.andElse(left.Value, kept, c.side(or.Y, nil, want), want)
}

// andElse is the value of a side where a condition and the value itself are true, else
// that of another.
func (c *checker) andElse(left *code.Value, kept, other choice, want types.Type) *code.Value {
	if other.value.Bad() {
		return other.value
	}
	t := kind.Settled(kept.value.Type)
	result := c.Define("", t, nil).From(kept.value.Origin)
	var right *code.Value
	c.In(kept.block, func() {
		c.Assign(result, kept.value)
		right = c.Truth(result)
	})
	holds := c.join(token.LAND, left, right, kept.block).Kept()
	if !other.value.Is(t) {
		return c.choose(holds, choice{c.whenTrue(result), &code.Block{}, kept.at}, other, want)
	}
	c.In(other.block, func() { c.Assign(result, other.value) })
	c.If(c.Not(holds), other.block)
	return result
}

// logicalBool is logical for a bool at the left, where Go's operators often do. What
// is known of names where the right side is evaluated comes from the left one.
func (c *checker) logicalBool(e *syntax.Binary, left *code.Value, entering map[string]*code.Value, want types.Type) *code.Value {
	right := c.side(e.Y, entering, want)
	if code.AnyBad(left, right.value) {
		return code.Bad()
	}
	and := e.Op.Text == "and"
	if right.value.Kind() == kind.Bool {
		var truth *code.Value
		c.In(right.block, func() { truth = c.asBool(right.value) })
		return c.join(operator(and), c.asBool(left), truth, right.block)
	}
	left = left.Kept()
	if and {
		return c.choose(left, right, taken(left, e.X), want)
	}
	return c.choose(left, taken(left, e.X), right, want)
}

// asBool is a bool of any type as one of Go's own.
func (c *checker) asBool(v *code.Value) *code.Value {
	if v.Known != nil {
		return v
	}
	return c.Truth(v)
}
