// Package args calls Go's functions as Python does: it finds the parameters that the
// arguments of a call are for, by position, name and star, and passes what no argument
// is written for.
//
// Its layers, from top to bottom:
//
//	args        a call, from its arguments to its result
//	star, pass  the starred argument, spread over parameters; what all of them get
//	param       parameters, by name and number
package args

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A Caller makes calls.
type Caller struct {
	ops.Ops
	*scope.Names
	Expr   func(syntax.Expr, types.Type) *code.Value // the value of an argument that is wanted in a type
	Supply func(types.Type) *code.Value              // what no argument is written for
}

// Call makes a call of a Go function, by the name that it was called by. The callee is
// made when its arguments are there.
func (c Caller) Call(e *syntax.Call, name string, obj types.Object, sig *types.Signature, callee func() *code.Step) *code.Value {
	if sig.TypeParams().Len() > 0 {
		c.Unsupported(e.At(), "a call of "+name+", which is generic").Related = c.Declared(obj)
		return code.Bad()
	}
	visible := c.Visible(sig)
	call := &call{
		Caller: c, Call: e, name: name, obj: obj, sig: sig, visible: visible,
		args: make([]*code.Value, len(visible)), places: make([]syntax.Place, len(visible)),
	}
	if !call.bind() {
		return code.Bad()
	}
	s := callee()
	if !call.pass(s) {
		return code.Bad()
	}
	return call.result(s)
}

// A call is one on its way.
type call struct {
	Caller
	*syntax.Call
	name    string
	obj     types.Object
	sig     *types.Signature
	visible []*types.Var
	args    []*code.Value // by parameter; those of a variadic one at the end
	places  []syntax.Place
	star    *code.Value // the starred argument
	starAt  int         // the parameter that its first element goes to
	starred syntax.Place
}

// bind checks the arguments in their order, and finds their parameters.
func (c *call) bind() bool {
	sound := true
	position := 0
	for _, a := range c.Ordered() {
		i := position
		if a.Name != "" {
			if i = c.ParamIndex(c.visible, a.Name); i < 0 || c.sig.Variadic() && i == len(c.visible)-1 {
				c.noParam(a)
				c.Expr(a.Value, nil)
				sound = false
				continue
			}
			if c.args[i] != nil {
				c.wrong(a.Place, "gets its parameter %s twice", a.Name)
				sound = false
				continue
			}
		}
		v := c.Expr(a.Value, c.paramType(i))
		switch {
		case v.Bad():
			sound = false
		case a.Star:
			c.star, c.starAt, c.starred = v, position, a.Value.At()
			continue // it counts as many positions as are left
		}
		if a.Name == "" {
			position++
		}
		for i >= len(c.args) {
			c.args, c.places = append(c.args, nil), append(c.places, syntax.Place{})
		}
		c.args[i], c.places[i] = v, a.Value.At()
	}
	switch {
	case !sound:
		return false
	case c.star != nil:
		return c.bindStar(position)
	}
	return c.counted()
}

// result is what a call returns: a value, None, or several values.
func (c *call) result(s *code.Step) *code.Value {
	results := c.sig.Results()
	n := results.Len()
	for r := range results.Variables() {
		c.FromGo(r.Type())
	}
	if n > 0 && types.Identical(results.At(n-1).Type(), kind.GoError) {
		s.Fails = true
		n--
	}
	from := code.Origin{What: "the result of " + c.name, Why: "as Go declares it", Related: c.Declared(c.obj)}
	switch n {
	case 0:
		c.Foreign(s)
		return c.None().From(from)
	case 1:
		s.Type = results.At(0).Type()
		return c.Foreign(s).From(from)
	}
	v := &code.Value{Step: s, Origin: code.Origin{What: from.What, Related: from.Related}}
	vars := slices.Collect(results.Variables())[:n]
	for _, r := range vars {
		s.Results = append(s.Results, c.Param(r.Name(), r.Type()).Step)
	}
	c.Foreign(s)
	v.Type, v.Several = types.NewTuple(vars...), s.Results
	return v
}
