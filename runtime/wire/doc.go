// Package wire is how generated code reads the arguments of a call and writes its
// result, without reflection: readers that record every fault at its place, and
// writers that keep what is written valid. It knows nothing of tools and
// registries; package tool hands it the text and takes what came of it.
//
// Generated code reads with [Value], [Object] and the functions that make slices,
// maps and types of one's own of them, and writes with [Encoder]. Its layers, from
// top to bottom; no file calls one above it:
//
//	object, any, json, quoted, text                      what is read of a value
//	into, containers                                     lists, maps and pointers
//	ref, bounds, value, place                            one value, where it is, and what it refers to
//	tool, decoder, fault                                 all arguments, and what is wrong with them
//	encode, encoder                                      the writers
//
// Below are the texts themselves: package tape has the list of the values in one,
// faults what is wrong with them, number and format what numbers, and strings in a
// format, say; bounded is the text of a result, write makes texts of simple values,
// stdjson of all that only encoding/json knows; slab is where short ones are kept.
package wire

import "reflect"

// Generated2 stands for the contract between generated code and the runtime;
// every generated file refers to it. When that contract changes in a way that
// existing generated code would not survive, the constant is replaced by
// Generated3, so that such code fails to build here, by name, instead of
// misbehaving: generate it anew with the aiongen of the same version.
const Generated2 = 2

// Variables are the Go values that a call can refer to by name, since JSON cannot
// carry them.
type Variables interface {
	// Lookup returns the value of a variable, if there is one of the name.
	Lookup(name string) (value any, ok bool)
	// Fitting returns the names of the variables whose values fit, sorted.
	Fitting(fits func(value any) bool) []string
	// Keep gives a part of the result, of a Go type, to a variable, and returns its
	// name and what the value says of itself. Without a name, the part is not told.
	Keep(value any, t reflect.Type) (name, description string, err error)
}
