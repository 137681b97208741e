package check

import (
	"go/token"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A test is a condition, with what is known of names where it holds and where it does
// not.
type test struct {
	*code.Value
	then, otherwise map[string]*code.Value
}

// entering is what is known where `and`, or `or`, goes on behind a condition.
func (t test) entering(and bool) map[string]*code.Value {
	if and {
		return t.then
	}
	return t.otherwise
}

// condition checks an expression of which only the truth counts.
func (c *checker) condition(e syntax.Expr) test {
	switch e := e.(type) {
	case *syntax.Unary:
		if e.Op.Text == "not" {
			t := c.condition(e.X)
			if !t.Bad() {
				t.Value = c.Not(t.Value)
			}
			t.then, t.otherwise = t.otherwise, t.then
			return t
		}
	case *syntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return c.bothConditions(e)
		}
	case *syntax.Compare:
		if len(e.Rest) == 1 && strings.HasPrefix(e.Rest[0].Op.Text, "is") {
			return c.testNone(e.X, e.Rest[0].Op.Text == "is")
		}
	}
	return c.truthOf(e, c.single(e, nil))
}

// truthOf is whether Python takes the value of an expression for true. A name whose
// value is true is not None.
func (c *checker) truthOf(e syntax.Expr, v *code.Value) test {
	t := c.Truth(v)
	return test{Value: t, then: c.narrowing(e, v)}
}

// narrowing is what is known of a name, or a field of one, where it is not None.
func (c *checker) narrowing(e syntax.Expr, v *code.Value) map[string]*code.Value {
	name := pathOf(e)
	if name == "" || v.When != code.Anytime || v.Kind() != kind.Optional && (v.Kind() != kind.Object || !kind.HasNil(v.Type)) {
		return nil
	}
	return map[string]*code.Value{name: c.There(v)}
}

// testNone checks a comparison with `is None` or `is not None`.
func (c *checker) testNone(e syntax.Expr, isNone bool) test {
	v := c.single(e, nil)
	t := test{Value: c.IsNone(v, isNone)}
	if isNone {
		t.otherwise = c.narrowing(e, v)
	} else {
		t.then = c.narrowing(e, v)
	}
	return t
}

// bothConditions checks `and` and `or` where only the truth counts.
func (c *checker) bothConditions(e *syntax.Binary) test {
	and := e.Op.Text == "and"
	left := c.condition(e.X)
	if known, ok := left.Known.(bool); ok {
		if known != and {
			return left
		}
		return c.condition(e.Y)
	}
	var right test
	more := c.within(func() { c.Narrowed(left.entering(and), func() { right = c.condition(e.Y) }) })
	if code.AnyBad(left.Value, right.Value) {
		return test{Value: code.Bad()}
	}
	joined := test{Value: c.join(operator(and), left.Value, right.Value, more)}
	if and {
		joined.then = merged(left.then, right.then)
	} else {
		joined.otherwise = merged(left.otherwise, right.otherwise)
	}
	return joined
}

func merged(a, b map[string]*code.Value) map[string]*code.Value {
	if a == nil {
		return b
	}
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// maxLinks bounds a chain of comparisons, each of which may nest in the Go code.
const maxLinks = 100

// compare checks a chain of comparisons. Each operand is evaluated once, and
// none behind a comparison that is false.
func (c *checker) compare(e *syntax.Compare) *code.Value {
	if len(e.Rest) > maxLinks {
		c.Fault("too-deep", e.At(), "a chain of comparisons has at most %d operators", maxLinks).WithHelp("join comparisons with and")
		return code.Bad()
	}
	return c.chain(c.single(e.X, nil), e.X, e.Rest)
}

// chain compares a value with the rest of a chain.
func (c *checker) chain(x *code.Value, left syntax.Expr, rest []syntax.Comparison) *code.Value {
	r := rest[0]
	y := c.single(r.Y, nil)
	t := c.Compare(r.Op.Text, x, y, syntax.Place{From: left.At().From, To: r.Y.At().To})
	if len(rest) == 1 || t.Bad() {
		return t
	}
	var next *code.Value
	more := c.within(func() { next = c.chain(y, r.Y, rest[1:]) })
	if next.Bad() {
		return next
	}
	return c.join(token.LAND, t, next, more)
}

// join joins two conditions, of which steps make the second one.
func (c *checker) join(op token.Token, left, right *code.Value, more *code.Block) *code.Value {
	more.Result = right.Step
	return c.Logic(op, left, more)
}

func operator(and bool) token.Token {
	if and {
		return token.LAND
	}
	return token.LOR
}
