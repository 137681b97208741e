// Package check finds out what the names and operators of a lambda mean, types it, and
// makes typed code of it, or faults. From top to bottom:
//
//	check.go, result.go           the lambda as a whole
//	expr.go, call.go              every expression, and every call
//	builtin.go, method.go         calls of Python's functions and methods
//	display.go                    lists and dicts
//	loop.go, logic.go             what is taken several times, or not at all
//	condition.go                  truth, and what is known where something is true
//	name.go                       names and fields, and what is known of them
package check

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/size"
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

// Called is what a lambda calls of Go.
type Called struct {
	Functions []types.Object // of packages
	Whole     types.Object   // the function or method that it is nothing but a call of, nil if there is none
}

// Lambda checks a lambda. The program is sound only where the list holds no error.
func Lambda(l *syntax.Lambda, params []Param, want types.Type, s scope.Scope) (*code.Program, Called, diag.List) {
	report := &scope.Report{Scope: s}
	c := &checker{
		Ops:     ops.Ops{Values: ops.NewValues(report)},
		Names:   &scope.Names{Report: report, Env: map[string]*code.Value{}, Python: slices.Sorted(maps.Keys(builtins))},
		checked: map[*code.Step]bool{},
		body:    l.Body,
	}
	c.expr = c.anyExpr
	p := &code.Program{Body: c.Block()}
	for _, p := range l.Params {
		c.Env[p.Name] = code.Bad()
	}
	received := c.Receivers(l)
	for i, name := range l.Params {
		v := c.param(name, i, params[i], received[name.Name])
		p.Params = append(p.Params, v.Step)
		c.Env[name.Name] = v
	}
	size.Check(l.Body, c.Names)
	c.tail(l.Body, want)
	c.finish(p, want)
	for _, v := range c.supplied {
		p.Supplied = append(p.Supplied, v.Step)
	}
	return p, c.called, report.Faults
}

// param is a parameter. One whose type nothing says is a string, as every argument is
// to AIONS.
func (c *checker) param(p syntax.Param, i int, said Param, received *scope.Receiver) *code.Value {
	t, o := said.Type, code.Origin{What: "parameter " + p.Name}
	switch {
	case t != nil:
		o.Why = said.Origin
	case received != nil:
		t, o.Why, o.Related = received.Type, "as "+received.Function.Name()+" takes it", c.Declared(received.Function)
	default:
		t = kind.GoString
		o.Why = "as every argument is whose note names no type"
		o.Help = fmt.Sprintf("list its type, as in %s --> \"int\"", cmp.Or(said.Property, fmt.Sprintf("arg-%d", i+1)))
	}
	if said.Optional {
		t = kind.OrNone(t)
	}
	if said.Type != nil {
		o.Related = []diag.Related{{Span: said.Span, Message: p.Name + " is " + c.Name(t) + " by this note"}}
	}
	v := c.Param(scope.Local(p.Name), t).From(o)
	v.Whole = true
	return v
}
