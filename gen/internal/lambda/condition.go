package lambda

import (
	"go/token"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// truthTest is a condition with the names whose types it narrows. If x is a *int, the condition `x is not None`
// narrows x to int where it is true.
type truthTest struct {
	*ir.Value
	then, otherwise map[string]*ir.Value // names narrowed where the condition is true, and where it is false
}

// narrowedAfter returns the names that t narrows on the right side of `t and …` or, if and is false, of `t or …`.
func (t truthTest) narrowedAfter(and bool) map[string]*ir.Value {
	if and {
		return t.then
	}
	return t.otherwise
}

// checkCondition checks an expression of which only the truth value is used, as after if.
func (c *checker) checkCondition(e pysyntax.Expr) truthTest {
	switch e := e.(type) {
	case *pysyntax.Unary:
		if e.Op.Text == "not" {
			t := c.checkCondition(e.X)
			t.Value = c.NegateBool(t.Value)
			t.then, t.otherwise = t.otherwise, t.then
			return t
		}
	case *pysyntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return c.checkBothConditions(e)
		}
	case *pysyntax.Compare:
		if len(e.Rest) == 1 && strings.HasPrefix(e.Rest[0].Op.Text, "is") {
			return c.testNone(e.X, e.Rest[0].Op.Text == "is")
		}
	}
	return c.testTruth(e, c.checkSingle(e, nil))
}

// testTruth returns the truth value of e, whose value is v. If e is a name, it is not None where the test is true.
func (c *checker) testTruth(e pysyntax.Expr, v *ir.Value) truthTest {
	t := c.truthOf(v)
	return truthTest{Value: t, then: c.narrowToValue(e, v)}
}

// narrowToValue returns the names that are narrowed where e, whose value is v, is not None: e itself, if it is
// a name or a field such as user.age and its type includes None.
func (c *checker) narrowToValue(e pysyntax.Expr, v *ir.Value) map[string]*ir.Value {
	name := dottedPath(e)
	if name == "" || v.Timing != ir.Anytime || v.Kind() != ir.Optional && (v.Kind() != ir.Object || !ir.HasNil(v.Type)) {
		return nil
	}
	return map[string]*ir.Value{name: c.narrowNotNone(v)}
}

// testNone checks `is None` and `is not None`.
func (c *checker) testNone(e pysyntax.Expr, isNone bool) truthTest {
	v := c.checkSingle(e, nil)
	t := truthTest{Value: c.isNone(v, isNone)}
	if isNone {
		t.otherwise = c.narrowToValue(e, v)
	} else {
		t.then = c.narrowToValue(e, v)
	}
	return t
}

// checkBothConditions checks an expression with `and` or `or` of which only the truth value is used.
func (c *checker) checkBothConditions(e *pysyntax.Binary) truthTest {
	and := e.Op.Text == "and"
	left := c.checkCondition(e.X)
	if constant, ok := left.Constant.(bool); ok {
		if constant != and {
			return left
		}
		return c.checkCondition(e.Y)
	}
	var right truthTest
	rightSteps := c.buildBranch(func() { c.withNarrowed(left.narrowedAfter(and), func() { right = c.checkCondition(e.Y) }) })
	joined := truthTest{Value: c.joinConditions(logicOperator(and), left.Value, right.Value, rightSteps)}
	if and {
		joined.then = mergeNarrowed(left.then, right.then)
	} else {
		joined.otherwise = mergeNarrowed(left.otherwise, right.otherwise)
	}
	return joined
}

func mergeNarrowed(a, b map[string]*ir.Value) map[string]*ir.Value {
	if a == nil {
		return b
	}
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// maxLinks limits the length of a chain of comparisons, because each one may add a level of nesting to the Go code.
const maxLinks = 100

// checkCompare checks a chain of comparisons such as a < b < c. As in Python, each operand is evaluated at most
// once, and none after a comparison that is false.
func (c *checker) checkCompare(e *pysyntax.Compare) *ir.Value {
	if len(e.Rest) > maxLinks {
		c.addFault("too-deep", e.Location(), "a chain of comparisons has at most %d operators", maxLinks).WithHelp("join comparisons with and")
		return ir.NewBad()
	}
	return c.compareChain(c.checkSingle(e.X, nil), e.X, e.Rest)
}

// compareChain compares x, the value of left, with the rest of a chain.
func (c *checker) compareChain(x *ir.Value, left pysyntax.Expr, rest []pysyntax.Comparison) *ir.Value {
	r := rest[0]
	x, y := c.checkSearched(x, r)
	t := c.compareValues(r.Op.Text, x, y, pysyntax.Place{From: left.Location().From, To: r.Y.Location().To})
	if len(rest) == 1 || t.IsBad() {
		return t
	}
	var next *ir.Value
	nextSteps := c.buildBranch(func() { next = c.compareChain(y, r.Y, rest[1:]) })
	return c.joinConditions(token.LAND, t, next, nextSteps)
}

// joinConditions joins two conditions with op. rightSteps are the steps that compute right.
func (c *checker) joinConditions(op token.Token, left, right *ir.Value, rightSteps *ir.Block) *ir.Value {
	rightSteps.Result = right.Step
	return c.LogicOp(op, left, rightSteps)
}

func logicOperator(and bool) token.Token {
	if and {
		return token.LAND
	}
	return token.LOR
}
