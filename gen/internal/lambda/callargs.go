package lambda

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// callArguments is the state of a call of a Go function while its arguments are bound to parameters.
type callArguments struct {
	*checker
	*pysyntax.Call
	name      string // of the function in the lambda
	obj       types.Object
	sig       *types.Signature
	visible   []*types.Var     // the parameters that are not supplied
	args      []*ir.Value      // by index in visible; a variadic parameter may have several, at the end
	places    []pysyntax.Place // of args
	star      *ir.Value        // the starred argument, or nil
	starIndex int              // the index in args of its first element
	starPlace pysyntax.Place
}

// buildCall builds a call of a Go function. name is its name in the lambda. callee returns the step for the
// function. It is called after the arguments are built, because its nil check must follow their evaluation.
func (c *checker) buildCall(e *pysyntax.Call, name string, obj types.Object, sig *types.Signature, callee func() *ir.Step) *ir.Value {
	if sig.TypeParams().Len() > 0 {
		c.addUnsupported(e.Location(), "a call of "+name+", which is generic").Related = c.Declared(obj)
		return ir.NewBad()
	}
	visible := c.visibleParams(sig)
	call := &callArguments{
		checker: c, Call: e, name: name, obj: obj, sig: sig, visible: visible,
		args: make([]*ir.Value, len(visible)), places: make([]pysyntax.Place, len(visible)),
	}
	if !call.bindArguments() {
		return ir.NewBad()
	}
	s := callee()
	if !call.passArguments(s) {
		return ir.NewBad()
	}
	return call.callResult(s)
}

// bindArguments checks the arguments in order and assigns them to parameters. It returns false after a fault.
func (c *callArguments) bindArguments() bool {
	valid := true
	position := 0
	for _, a := range c.ArgsInOrder() {
		i := position
		if a.Name != "" {
			if i = c.paramIndex(c.visible, a.Name); i < 0 || c.sig.Variadic() && i == len(c.visible)-1 {
				c.reportNoParam(a)
				c.checkSingle(a.Value, nil)
				valid = false
				continue
			}
			if c.args[i] != nil {
				c.addCallFault(a.Place, "gets its parameter %s twice", a.Name)
				valid = false
				continue
			}
		}
		v := c.checkSingle(a.Value, paramType(c.sig, c.visible, i))
		switch {
		case v.IsBad():
			valid = false
		case a.Star:
			c.star, c.starIndex, c.starPlace = v, position, a.Value.Location()
			continue // bindStar assigns its elements
		}
		if a.Name == "" {
			position++
		}
		for i >= len(c.args) {
			c.args, c.places = append(c.args, nil), append(c.places, pysyntax.Place{})
		}
		c.args[i], c.places[i] = v, a.Value.Location()
	}
	switch {
	case !valid:
		return false
	case c.star != nil:
		return c.bindStar(position)
	}
	return c.checkCount()
}

// callResult returns the result of a call: a value, None, or several values.
func (c *callArguments) callResult(s *ir.Step) *ir.Value {
	results := c.sig.Results()
	n := results.Len()
	for r := range results.Variables() {
		c.noteGoValue(r.Type())
	}
	if n > 0 && types.Identical(results.At(n-1).Type(), ir.GoError) {
		s.Fails = true
		n--
	}
	from := ir.Origin{What: "the result of " + c.name, Why: "as Go declares it", Related: c.Declared(c.obj)}
	switch n {
	case 0:
		c.CallForeign(s)
		return c.NoneLiteral().SetOrigin(from)
	case 1:
		s.Type = results.At(0).Type()
		return c.CallForeign(s).SetOrigin(from)
	}
	v := &ir.Value{Step: s, Origin: ir.Origin{What: from.What, Related: from.Related}}
	vars := slices.Collect(results.Variables())[:n]
	for _, r := range vars {
		s.Results = append(s.Results, c.NewParam(r.Name(), r.Type()).Step)
	}
	c.CallForeign(s)
	v.Type, v.TupleSteps = types.NewTuple(vars...), s.Results
	return v
}
