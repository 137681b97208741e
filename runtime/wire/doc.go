// Package wire reads the arguments of a call and writes its result for generated code, without
// reflection. Readers record every fault at its place; writers produce only valid JSON. Package
// tool passes the text in and takes the outcome.
//
// Generated code reads with [Value], [Object] and the functions for slices, maps and named
// types, and writes with [Encoder]. Do not use the package in other code.
package wire

import "reflect"

// Generated2 stands for the contract between generated code and the runtime. Every generated file refers to
// it. When the contract changes incompatibly, the constant is replaced by Generated3, so that older generated
// code fails to build here instead of misbehaving. Run aiongen again, in the version of the runtime.
const Generated2 = 2

// Variables are the Go values that a call can refer to by name because JSON cannot carry them.
type Variables interface {
	// LookupVariable returns the value of a variable and reports whether it exists.
	LookupVariable(name string) (value any, ok bool)
	// MatchingNames returns the names of the variables whose values fit, sorted.
	MatchingNames(fits func(value any) bool) []string
	// StoreResult stores a part of the result, of type t, in a variable. It returns the name and the value's
	// own description. If the name is empty, the part is left out of the result.
	StoreResult(value any, t reflect.Type) (name, description string, err error)
}
