// Package python compiles lambdas: given what their names stand for in Go, they become
// functions of Go with the same meaning. Where Go means something else than Python, a
// function calls the packages runtime/py and runtime/py/dyn; everything else is Go as
// one would write it. This is the door; behind it, each knowing those further down:
//
//	check            names, types and refusals: a tree of syntax → typed code
//	args             what Go's functions are given
//	ops              what Python's operations make of typed values
//	size             how large a value may become
//	scope, instead   what a lambda is checked against; what messages say to write
//	lower            typed code → Go: the order of evaluation, variables, returns
//	code, kind       typed code: steps in Python's order; what Go's types are to Python
//	syntax           text → tree
package python

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/check"
	"github.com/aiongen/aiongen/gen/internal/python/lower"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// What Compile takes, what the names of a lambda stand for, among them what the
// application supplies, and what is known of its parameters; and what it finds out.
type (
	Scope    = scope.Scope
	Injected = scope.Injected
	Param    = check.Param
	Called   = check.Called
)

// A Func is a function that a lambda became.
type Func struct {
	Lit       *ast.FuncLit
	Uses      map[*ast.Ident]types.Object // the names of packages in it
	Locals    []*ast.Ident                // the variables that it declares
	Signature *types.Signature
	Called    Called
}

// Compile turns a lambda into a Go function. There is one Param for each of its
// parameters; want is the type that the result shall have if that is not plain
// from the lambda, or nil. The function is sound only where the list holds no
// error.
func Compile(l *syntax.Lambda, params []Param, want types.Type, s Scope) (*Func, diag.List) {
	program, called, faults := check.Lambda(l, params, want, s)
	if faults.Err() != nil {
		return nil, faults
	}
	f := lower.Write(program, s.Package())
	for _, t := range f.Nameless {
		faults.Errorf("lambda-type", s.At(syntax.Place{}), "the type %s needs a name to be used in a lambda", s.TypeName(t)).
			WithHelp("declare a type for it in Go")
	}
	if faults.Err() != nil {
		return nil, faults
	}
	return &Func{Lit: f.Lit, Uses: f.Uses, Locals: f.Locals, Signature: f.Signature, Called: called}, faults
}
