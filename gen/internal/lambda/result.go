package lambda

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// pendingResult is a return that is completed when the result type is known, which depends on all returns.
type pendingResult struct {
	block *ir.Block
	value *ir.Value
	at    pysyntax.Place
}

// checkTail checks an expression whose value the function returns. A conditional expression becomes an if statement
// with two returns.
func (c *checker) checkTail(e pysyntax.Expr, want types.Type) {
	choice, ok := e.(*pysyntax.Cond)
	if !ok {
		v := c.expr(e, want)
		c.returns = append(c.returns, &pendingResult{c.Block(), v, e.Location()})
		return
	}
	test := c.checkCondition(choice.If)
	if constant, ok := test.Constant.(bool); ok {
		c.checkTail(map[bool]pysyntax.Expr{true: choice.Then, false: choice.Else}[constant], want)
		return
	}
	c.AddIf(test.Value, c.buildBranch(func() { c.withNarrowed(test.then, func() { c.checkTail(choice.Then, want) }) }))
	c.withNarrowed(test.otherwise, func() { c.checkTail(choice.Else, want) })
}

// finishReturns determines the result type and completes all returns.
func (c *checker) finishReturns(p *ir.Program, want types.Type) {
	p.Results = c.resultTypes(want)
	if c.Faults.Err() != nil {
		return
	}
	for _, r := range c.returns {
		c.AppendTo(r.block, func() { c.completeReturn(r, p.Results) })
	}
	if tuple, ok := c.returns[0].value.Type.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			p.Names = append(p.Names, v.Name())
		}
	}
	p.Fails = c.MayFail()
}

// completeReturn adds the step that returns r's value, converted to the result types.
func (c *checker) completeReturn(r *pendingResult, results []types.Type) {
	v := r.value
	values := v.TupleSteps
	if values == nil && len(results) > 0 {
		values = []*ir.Step{c.convertTo(v, results[0], r.at, "the result").Step}
	}
	for i, t := range results[:len(values)] {
		if c.mayHoldGoAny(t) && !v.NilFree && (v.TupleSteps != nil || ir.HoldsAny(v.Type)) {
			values[i] = c.CallPure(t, ir.DynRef("FillNil"), &ir.Value{Step: values[i]}).Step
		}
	}
	c.AddReturn(values...)
}

// resultTypes returns the types of the function's results, without the error. It returns nil after a fault.
func (c *checker) resultTypes(want types.Type) []types.Type {
	var t types.Type
	for i, r := range c.returns {
		switch {
		case r.value.IsBad():
			return nil
		case r.value.Kind() == ir.Tuple:
			return c.tupleResults(r)
		case i == 0:
			t = r.value.Type
		default:
			t = ir.JoinTypes(t, r.value.Type)
		}
	}
	return fitResult(t, want)
}

// fitResult returns the result types of a function that returns values of type t. The result type is want if t does
// not determine one, as any, [] and []any do not, or if an int can become the float that is wanted. Otherwise it is
// t. There is no result type if the value is always None and want is nil.
func fitResult(t, want types.Type) []types.Type {
	switch k := ir.KindOf(t); {
	case k == ir.None && want != nil && ir.KindOf(want) != ir.None:
		return []types.Type{ir.OrNone(want)}
	case k == ir.None:
		return nil
	case want == nil || types.Identical(t, want):
	case k == ir.Any, ir.IsEmpty(t), k == ir.Int && ir.KindOf(want) == ir.Float, types.Identical(t, ir.AnyList), types.Identical(t, ir.AnyDict):
		return []types.Type{want}
	case k == ir.Optional && ir.KindOf(want) != ir.Optional && ir.KindOf(ir.ElemType(t)) == ir.Any:
		return []types.Type{ir.OrNone(want)}
	}
	return []types.Type{ir.SettledType(t)}
}

// tupleResults returns the result types of a lambda that returns all results of a Go function.
func (c *checker) tupleResults(r *pendingResult) []types.Type {
	if len(c.returns) > 1 {
		c.addMismatch(r.at, "a function with several results can only be called as the whole lambda")
		return nil
	}
	var list []types.Type
	for v := range r.value.Type.(*types.Tuple).Variables() {
		list = append(list, v.Type())
	}
	return list
}
