// Package py implements Python operations that behave differently in Go: arithmetic that does not
// wrap, text indexed by code points, indices from the end. It is for generated code only.
//
// Every function implements the Python operation in its comment and fails with Python's exception as
// an [*Error]. None of them panics unless its comment says so.
package py

import (
	"fmt"
	"math"

	"github.com/aiongen/aiongen/runtime/internal/errtype"
)

// Error is a Python exception.
type Error struct {
	Type    string // such as ValueError
	Message string // Python's message
	Place   string // of the expression: file:line:column of the .aion file
}

// Error returns the type and the message, followed by the place if it is set.
func (e *Error) Error() string {
	text := e.ModelText()
	if e.Place != "" {
		text += " (" + e.Place + ")"
	}
	return text
}

// ModelText returns the error as a model sees it, without the place.
func (e *Error) ModelText() string { return e.Type + ": " + e.Message }

// Errorf returns an exception of the given type.
func Errorf(exception, format string, args ...any) *Error {
	return &Error{Type: exception, Message: fmt.Sprintf(format, args...)}
}

// NoAttribute returns the error of reading an attribute of None.
func NoAttribute(name string) error {
	return Errorf("AttributeError", "'NoneType' object has no attribute '%s'", name)
}

// At sets the place of an error that is an [*Error] without one. It returns other errors, and nil,
// unchanged.
func At(place string, err error) error {
	if e, ok := errtype.As[*Error](err); ok && e.Place == "" {
		return &Error{e.Type, e.Message, place}
	}
	return err
}

// Start and End are bounds of a slice before the first and after the
// last element of any list.
const (
	Start = math.MinInt
	End   = math.MaxInt
)

// MaxSize limits the bytes of a text or the elements of a list that *, join, replace,
// format and comprehensions return, so that small arguments cannot have large results.
const MaxSize = 1 << 22

// TooLarge returns the error of a text or list that would exceed MaxSize.
func TooLarge(what string) error {
	return Errorf("MemoryError", "the %s is larger than %d", what, MaxSize)
}
