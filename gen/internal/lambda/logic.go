package lambda

import (
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

func (c *checker) checkCond(e *pysyntax.Cond, want types.Type) *ir.Value {
	test := c.checkCondition(e.If)
	if constant, ok := test.Constant.(bool); ok {
		return c.checkSingle(map[bool]pysyntax.Expr{true: e.Then, false: e.Else}[constant], want)
	}
	then := c.checkBranch(e.Then, test.then, want)
	return c.chooseBranch(test.Value, then, c.checkBranch(e.Else, test.otherwise, want), want)
}

// branch is one side of a conditional expression.
type branch struct {
	value *ir.Value
	block *ir.Block // the steps that compute value
	at    pysyntax.Place
}

// checkBranch checks an expression that is evaluated conditionally. narrowed holds the names whose types the
// condition narrows; see truthTest.
func (c *checker) checkBranch(e pysyntax.Expr, narrowed map[string]*ir.Value, want types.Type) branch {
	s := branch{at: e.Location()}
	s.block = c.buildBranch(func() { c.withNarrowed(narrowed, func() { s.value = c.checkSingle(e, want) }) })
	return s
}

// newBranch returns a branch for a value that has already been computed.
func newBranch(v *ir.Value, e pysyntax.Expr) branch { return branch{v, &ir.Block{}, e.Location()} }

// chooseBranch returns the value of then if test is true, otherwise that of otherwise.
func (c *checker) chooseBranch(test *ir.Value, then, otherwise branch, want types.Type) *ir.Value {
	if ir.HasBad(then.value, otherwise.value) {
		return ir.NewBad()
	}
	t := ir.SettledType(ir.JoinTypes(then.value.Type, otherwise.value.Type))
	if want != nil && ir.KindOf(t) == ir.Any {
		t = want
	}
	if types.Identical(t, ir.GoNone) {
		test = test.KeepInVariable()
		c.runBlock(test, then.block)
		c.runBlock(c.NegateBool(test), otherwise.block)
		return c.NoneLiteral()
	}
	for _, s := range []branch{then, otherwise} {
		c.AppendTo(s.block, func() {
			v := c.convertTo(s.value, t, s.at, "this side")
			s.block.Result = v.Step
		})
	}
	return c.ChooseBlock("", t, test, then.block, otherwise.block)
}

// runBlock runs a block for its effects, if it has any.
func (c *checker) runBlock(test *ir.Value, b *ir.Block) {
	if !b.IsTrivial() {
		c.AddIf(test, b)
	}
}

// checkLogical checks `and` and `or`. As in Python, the result is the value of one of the operands.
func (c *checker) checkLogical(e *pysyntax.Binary, want types.Type) *ir.Value {
	and := e.Op.Text == "and"
	if pysyntax.IsTest(e) {
		return c.checkBothConditions(e).Value
	}
	if x, ok := e.X.(*pysyntax.Binary); ok && x.Op.Text == "and" && !and {
		return c.checkAndOr(x, e, want)
	}
	var left *ir.Value
	var t truthTest
	isTest := pysyntax.IsTest(e.X)
	if isTest {
		t = c.checkCondition(e.X)
		left = t.Value
	} else if left = c.checkSingle(e.X, want); left.Kind() == ir.Bool && left.Constant == nil {
		return c.checkLogicalBool(e, left, nil, want)
	} else {
		left = left.KeepInVariable()
		t = c.testTruth(e.X, left)
	}
	if constant, ok := t.Constant.(bool); ok {
		if constant != and {
			return left
		}
		return c.checkSingle(e.Y, want)
	}
	if isTest {
		return c.checkLogicalBool(e, left, t.narrowedAfter(and), want)
	}
	right := c.checkBranch(e.Y, t.narrowedAfter(and), want)
	if ir.HasBad(left, right.value) {
		return ir.NewBad()
	}
	return c.chooseOperand(e, t.Value, left, right, want)
}

// chooseOperand returns the value of left or of right, the operands of e. test is the truth value of left.
func (c *checker) chooseOperand(e *pysyntax.Binary, test, left *ir.Value, right branch, want types.Type) *ir.Value {
	switch and := e.Op.Text == "and"; {
	case and && left.Kind() == ir.Object: // an object is false only if it is None
		return c.chooseBranch(test, right, newBranch(c.NoneLiteral(), e.X), want)
	case and:
		return c.chooseBranch(test, right, newBranch(left, e.X), want)
	}
	return c.chooseBranch(test, newBranch(c.narrowTrue(left), e.X), right, want)
}

// narrowTrue returns v for code that runs only if v is true, where an optional value is not None.
func (o *valueBuilder) narrowTrue(v *ir.Value) *ir.Value {
	if v.Kind() == ir.Optional {
		return o.narrowNotNone(v)
	}
	return v
}

// checkAndOr checks `x and y or z`: y if both x and y are true, otherwise z. The value is never x, so
// only y and z need a common type.
func (c *checker) checkAndOr(and, or *pysyntax.Binary, want types.Type) *ir.Value {
	left := c.checkCondition(and.X)
	if constant, ok := left.Constant.(bool); ok {
		if !constant {
			return c.checkSingle(or.Y, want)
		}
		return c.checkLogical(&pysyntax.Binary{Place: or.Place, Op: or.Op, X: and.Y, Y: or.Y}, want)
	}
	middle := c.checkBranch(and.Y, left.then, want)
	if middle.value.IsBad() || left.IsBad() {
		c.checkSingle(or.Y, want)
		return ir.NewBad()
	}
	isReusable := middle.value.Timing == ir.Anytime && middle.block.IsTrivial()
	var right *ir.Value
	c.AppendTo(middle.block, func() { right = c.truthOf(middle.value) })
	isBool := middle.value.Kind() == ir.Bool && middle.value.Constant == nil
	switch {
	case isBool:
		return c.checkLogicalBool(or, c.joinConditions(token.LAND, left.Value, right, middle.block), nil, want)
	case right.Constant == false:
		c.runBlock(left.Value, middle.block)
		return c.checkSingle(or.Y, want)
	case right.Constant == true:
		return c.chooseBranch(left.Value, middle, c.checkBranch(or.Y, nil, want), want)
	case isReusable:
		test := c.joinConditions(token.LAND, left.Value, right, middle.block)
		return c.chooseBranch(test, newBranch(c.narrowTrue(middle.value), and.Y), c.checkBranch(or.Y, nil, want), want)
	}
	return c.chooseAndElse(left.Value, middle, c.checkBranch(or.Y, nil, want), want)
}

// chooseAndElse returns the value of `left and middle or other`: the value of middle if it and left are true, otherwise
// the value of other.
func (c *checker) chooseAndElse(left *ir.Value, middle, other branch, want types.Type) *ir.Value {
	t := ir.SettledType(middle.value.Type)
	result := c.DefineVariable("", t, nil).SetOrigin(middle.value.Origin)
	var right *ir.Value
	c.AppendTo(middle.block, func() {
		c.AssignVariable(result, middle.value)
		right = c.truthOf(result)
	})
	test := c.joinConditions(token.LAND, left, right, middle.block).KeepInVariable()
	if !other.value.HasType(t) {
		return c.chooseBranch(test, branch{c.narrowTrue(result), &ir.Block{}, middle.at}, other, want)
	}
	c.AppendTo(other.block, func() { c.AssignVariable(result, other.value) })
	c.AddIf(c.NegateBool(test), other.block)
	return result
}

// checkLogicalBool is checkLogical for an expression whose left side is a bool, which often becomes && or ||.
// narrowed holds the names whose types the left side narrows on the right side; see truthTest.
func (c *checker) checkLogicalBool(e *pysyntax.Binary, left *ir.Value, narrowed map[string]*ir.Value, want types.Type) *ir.Value {
	right := c.checkBranch(e.Y, narrowed, want)
	if ir.HasBad(left, right.value) {
		return ir.NewBad()
	}
	if right.value.Kind() == ir.Bool {
		var truth *ir.Value
		c.AppendTo(right.block, func() { truth = c.toGoBool(right.value) })
		return c.joinConditions(logicOperator(e.Op.Text == "and"), c.toGoBool(left), truth, right.block)
	}
	left = left.KeepInVariable()
	return c.chooseOperand(e, left, left, right, want)
}

// toGoBool converts a bool of any type to Go's bool.
func (c *checker) toGoBool(v *ir.Value) *ir.Value {
	if v.Constant != nil {
		return v
	}
	return c.truthOf(v)
}

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
func (o *valueBuilder) joinConditions(op token.Token, left, right *ir.Value, rightSteps *ir.Block) *ir.Value {
	rightSteps.Result = right.Step
	return o.LogicOp(op, left, rightSteps)
}

func logicOperator(and bool) token.Token {
	if and {
		return token.LAND
	}
	return token.LOR
}
