// Package py has what compiled lambdas need of Python where Go means something
// else: arithmetic that does not wrap, text by code points, indices from the end. It
// is for generated code only.
//
// Every function does what the Python operation of its comment does, and fails
// with Python's exception as an [*Error]; none of them panics.
//
// Its layers, from top to bottom:
//
//	list, number, text    what lists, numbers and texts can do
//	case, pow, quote, py  letters, powers, texts in quotes; exceptions
package py

import (
	"fmt"
	"math"
)

// Error is what would be an exception in Python.
type Error struct {
	Type    string // such as ValueError
	Message string // in Python's words
	Place   string // of the expression: file:line:column of the .aion file
}

// Error is the type and the message, with the place behind them.
func (e *Error) Error() string {
	text := e.ModelText()
	if e.Place != "" {
		text += " (" + e.Place + ")"
	}
	return text
}

// ModelText is the error as a model is told of it: the place is none that it can see.
func (e *Error) ModelText() string { return e.Type + ": " + e.Message }

// Errorf returns an exception of a type.
func Errorf(exception, format string, args ...any) *Error {
	return &Error{Type: exception, Message: fmt.Sprintf(format, args...)}
}

// NoAttribute is the error of an attribute of None.
func NoAttribute(name string) error {
	return Errorf("AttributeError", "'NoneType' object has no attribute '%s'", name)
}

// At gives an error its place, unless it has one. Errors that are no [*Error], and
// nil, it returns as they are.
func At(place string, err error) error {
	if e, ok := err.(*Error); ok && e.Place == "" {
		return &Error{e.Type, e.Message, place}
	}
	return err
}

// Start and End are bounds of a slice: before the first element, and behind the
// last, of any list.
const (
	Start = math.MinInt
	End   = math.MaxInt
)

// MaxSize bounds the bytes of a text, or the elements of a list, that *, join, replace,
// format and comprehensions make, so that small arguments have no large results.
const MaxSize = 1 << 22

// TooLarge is the error of a text or a list that would be larger.
func TooLarge(what string) error {
	return Errorf("MemoryError", "the %s is larger than %d", what, MaxSize)
}
