package check

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// pending is a return whose type hangs on that of the others.
type pending struct {
	block *code.Block
	value *code.Value
	at    syntax.Place
}

// tail checks the expression that a function ends with.
func (c *checker) tail(e syntax.Expr, want types.Type) {
	choice, ok := e.(*syntax.Cond)
	if !ok {
		v := c.expr(e, want)
		c.returns = append(c.returns, &pending{c.Block(), v, e.At()})
		return
	}
	test := c.condition(choice.If)
	if known, ok := test.Known.(bool); ok {
		c.tail(map[bool]syntax.Expr{true: choice.Then, false: choice.Else}[known], want)
		return
	}
	c.If(test.Value, c.within(func() { c.Narrowed(test.then, func() { c.tail(choice.Then, want) }) }))
	c.Narrowed(test.otherwise, func() { c.tail(choice.Else, want) })
}

// finish settles the type of the result, and completes all returns.
func (c *checker) finish(p *code.Program, want types.Type) {
	p.Results = c.results(want)
	if c.Faults.Err() != nil {
		return
	}
	for _, r := range c.returns {
		c.In(r.block, func() { c.complete(r, p.Results) })
	}
	if several, ok := c.returns[0].value.Type.(*types.Tuple); ok {
		for v := range several.Variables() {
			p.Names = append(p.Names, v.Name())
		}
	}
	p.Fails = c.Fails()
}

// complete returns a value as results of some types.
func (c *checker) complete(r *pending, results []types.Type) {
	v := r.value
	values := v.Several
	if values == nil && len(results) > 0 {
		values = []*code.Step{c.Convert(v, results[0], r.at, "the result").Step}
	}
	for i, t := range results[:len(values)] {
		if c.AnyOfGo(t) && !v.Whole && (v.Several != nil || kind.HoldsAny(v.Type)) {
			values[i] = c.Made(t, code.Dyn("Whole"), &code.Value{Step: values[i]}).Step
		}
	}
	c.Return(values...)
}

// results are the types of the function's results without the error.
func (c *checker) results(want types.Type) []types.Type {
	var t types.Type
	for i, r := range c.returns {
		switch {
		case r.value.Bad():
			return nil
		case r.value.Kind() == kind.Tuple:
			return c.severalResults(r)
		case i == 0:
			t = r.value.Type
		default:
			t = kind.Join(t, r.value.Type)
		}
	}
	switch k := kind.Of(t); {
	case k == kind.None && want != nil && kind.Of(want) != kind.None:
		return []types.Type{kind.OrNone(want)}
	case k == kind.None:
		return nil
	case want == nil || types.Identical(t, want):
	case k == kind.Any, kind.IsEmpty(t), k == kind.Int && kind.Of(want) == kind.Float, types.Identical(t, kind.AnyList), types.Identical(t, kind.AnyDict):
		return []types.Type{want}
	case k == kind.Optional && kind.Of(want) != kind.Optional && kind.Of(kind.Elem(t)) == kind.Any:
		return []types.Type{kind.OrNone(want)}
	}
	return []types.Type{kind.Settled(t)}
}

// severalResults are those of a Go function that a lambda is nothing but a call of.
func (c *checker) severalResults(r *pending) []types.Type {
	if len(c.returns) > 1 {
		c.Mismatch(r.at, "a function with several results can only be the whole of a lambda")
		return nil
	}
	var list []types.Type
	for v := range r.value.Type.(*types.Tuple).Variables() {
		list = append(list, v.Type())
	}
	return list
}
