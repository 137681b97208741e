// Package check finds out what the names and operators of a lambda mean, types it, and
// makes typed code of it, or faults. From top to bottom:
//
//	check.go, result.go, size.go  the lambda as a whole, and how large it may become
//	expr.go, call.go              every expression, and every call
//	builtin.go, method.go         calls of Python's functions and methods; args.go, of Go's
//	loop.go, logic.go             what is taken several times, or not at all; display.go
//	condition.go, attribute.go    truth, and what is known where something is true; names
//	state.go, name.go             what is known so far, and what names stand for
package check

import (
	"cmp"
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A Param says what is known of a parameter of a lambda.
type Param struct {
	Type     types.Type // nil for that of the Go parameter which receives it
	Optional bool       // it is None where it is left out
	Origin   string     // what says so, such as `by arg-1`
	Property string     // its name where its note stands, if it has one: arg-1, or a key of args_schema
	Span     diag.Span  // of the note
}

// Lambda checks a lambda. The program is sound only where the list holds no error.
func Lambda(l *syntax.Lambda, params []Param, want types.Type, s *scope.Scope) (*code.Program, []types.Object, diag.List) {
	report := &scope.Report{Scope: s}
	c := &checker{
		Ops:     ops.Ops{Values: ops.NewValues(report)},
		names:   &names{Report: report, env: map[string]*code.Value{}, python: sortedKeys(builtins)},
		checked: map[*code.Step]bool{},
	}
	c.expr = c.anyExpr
	p := &code.Program{Body: c.Block()}
	received := c.receivers(l)
	for i, name := range l.Params {
		v := c.param(name, i, params[i], received[name.Name])
		p.Params = append(p.Params, v.Step)
		c.env[name.Name] = v
	}
	(&scale{checker: c, names: map[string]int{}}).of(l.Body)
	c.tail(l.Body, want)
	c.finish(p, want)
	for _, v := range c.supplied {
		p.Supplied = append(p.Supplied, v.Step)
	}
	return p, c.calls, report.Faults
}

// param is a parameter. One whose type nothing says is a string, as every argument is
// to AIONS.
func (c *checker) param(p syntax.Param, i int, said Param, received *receiver) *code.Value {
	t, o := said.Type, code.Origin{What: "parameter " + p.Name}
	switch {
	case t != nil:
		if said.Optional {
			t = kind.OrNone(t)
		}
		o.Why = said.Origin
		o.Related = []diag.Related{{Span: said.Span, Message: p.Name + " is " + c.Name(t) + " by this note"}}
	case received != nil:
		t, o.Why, o.Related = received.typ, "as "+received.function.Name()+" takes it", c.Declared(received.function)
	default:
		t = kind.GoString
		o.Why = "as every argument is whose note names no type"
		o.Help = fmt.Sprintf("list its type, as in %s --> \"int\"", cmp.Or(said.Property, fmt.Sprintf("arg-%d", i+1)))
	}
	if said.Optional {
		t = kind.OrNone(t)
	}
	v := c.Param(c.Local(p.Name), t).From(o)
	v.Whole = true
	return v
}

// A receiver is a parameter of a Go function that takes a parameter of the lambda
// as it is.
type receiver struct {
	typ      types.Type
	function types.Object
}

// receivers finds, for each parameter of a lambda, the first parameter of a Go
// function that it is handed to.
func (n *names) receivers(l *syntax.Lambda) map[string]*receiver {
	found := map[string]*receiver{}
	syntax.Walk(l.Body, func(e syntax.Expr) {
		call, ok := e.(*syntax.Call)
		if !ok {
			return
		}
		fn, sig := n.plainFunction(call.Func, l.Params)
		if fn == nil {
			return
		}
		visible := n.visible(sig)
		for i, arg := range call.Args {
			name, ok := arg.Value.(*syntax.Name)
			if !ok || arg.Star || found[name.Name] != nil {
				continue
			}
			if t := n.parameterOf(sig, visible, i, arg.Name); t != nil {
				found[name.Name] = &receiver{t, fn}
			}
		}
	})
	return found
}

// parameterOf is the type of the parameter that an argument goes to, given by
// position or by name; nil if there is none.
func (n *names) parameterOf(sig *types.Signature, visible []*types.Var, i int, name string) types.Type {
	if name != "" {
		i = n.paramIndex(visible, name)
	}
	last := len(visible) - 1
	switch {
	case i < 0 || last < 0:
		return nil
	case sig.Variadic() && i >= last:
		return visible[last].Type().(*types.Slice).Elem()
	case i > last:
		return nil
	}
	return visible[i].Type()
}
