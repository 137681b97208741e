// Package wire reads the arguments of a call and writes its result for generated code, without reflection.
// Readers record every fault with the JSON Pointer of its value; writers produce only valid JSON. Package tool
// calls the generated code with the text, and receives the value and the faults.
//
// Generated code reads with [Value], [Object] and the functions for slices, maps and named
// types, and writes with [Encoder]. Do not use the package in other code.
package wire

import "reflect"

// Generated2 is the version of the contract between generated code and the runtime. Every generated file refers to
// it. If the contract changes incompatibly, Generated3 replaces it, so that older generated
// code fails to compile instead of misbehaving. If that happens, generate the code again with the aiongen of the same
// version as the runtime.
const Generated2 = 2

// Variables are the Go values that a call can refer to by name. They are for values that JSON cannot represent.
type Variables interface {
	// LookupVariable returns the value of a variable and reports whether it exists.
	LookupVariable(name string) (value any, ok bool)
	// MatchingNames returns the names of the variables whose values fit, sorted.
	MatchingNames(fits func(value any) bool) []string
	// StoreResult stores a value of type t, which is part of the result, in a variable. It returns the name of
	// the variable and the value's own description. If the name is empty, the result contains null instead of a
	// reference.
	StoreResult(value any, t reflect.Type) (name, description string, err error)
}
