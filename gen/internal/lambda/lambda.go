// Package lambda compiles Python lambdas to Go functions.
//
// Compile takes a lambda that package pysyntax has parsed, checks its types and prints a Go function. A Scope
// resolves the Go names in the lambda. Where Python and Go differ, the function calls the packages runtime/py and
// runtime/py/dyn; the rest is ordinary Go.
package lambda

import (
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/lower"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// Func is the Go function compiled from a lambda.
type Func struct {
	*lower.Func
	Called CalledObjects
}

// Compile compiles a lambda to a Go function. params describes its parameters in order. want is the preferred
// result type, for a lambda that does not determine it, or nil. The function is nil if the list contains an error.
func Compile(l *pysyntax.Lambda, params []Param, want types.Type, s Scope) (*Func, diag.List) {
	program, called, faults := checkLambda(l, params, want, s)
	if faults.Err() != nil {
		return nil, faults
	}
	f := lower.Write(program, s.Package())
	for _, t := range f.UnnamedTypes {
		faults.Errorf("lambda-type", s.At(pysyntax.Place{}), "the type %s needs a name to be used in a lambda", s.TypeName(t)).
			WithHelp("declare a type for it in Go")
	}
	if faults.Err() != nil {
		return nil, faults
	}
	return &Func{f, called}, faults
}
