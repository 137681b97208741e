// Package py implements Python operations that behave differently in Go, such as arithmetic that does not
// overflow silently, text indexed by code points, and indexes from the end. It is for generated code only.
//
// The comment of a function contains the Python operation that it implements. If Python raises an exception, the
// function returns it as an [*Error]. Functions panic only if their comments say so.
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
	Place   string // position of the expression: file:line:column of the .aion file
}

// Error returns the type and the message, followed by the place if it is set.
func (e *Error) Error() string {
	text := e.ModelText()
	if e.Place != "" {
		text += " (" + e.Place + ")"
	}
	return text
}

// ModelText returns the text of the error for a model, which does not contain the place.
func (e *Error) ModelText() string { return e.Type + ": " + e.Message }

// Errorf returns an exception of the given type.
func Errorf(exception, format string, args ...any) *Error {
	return &Error{Type: exception, Message: fmt.Sprintf(format, args...)}
}

// NoAttribute returns the error for reading an attribute of None.
func NoAttribute(name string) error {
	return Errorf("AttributeError", "'NoneType' object has no attribute '%s'", name)
}

// At returns err with its place set if it is an [*Error] without a place. It returns other errors, and nil,
// unchanged.
func At(place string, err error) error {
	if e, ok := errtype.As[*Error](err); ok && e.Place == "" {
		return &Error{e.Type, e.Message, place}
	}
	return err
}

// Start and End are bounds of slices. For every list, Start is before the first element, and End is after the
// last one.
const (
	Start = math.MinInt
	End   = math.MaxInt
)

// MaxSize is the maximum number of bytes of a text, or of elements of a list, that *, join, replace,
// format and comprehensions return. Without it, small arguments could produce huge results.
const MaxSize = 1 << 22

// TooLarge returns the error for a text or list that would exceed MaxSize.
func TooLarge(what string) error {
	return Errorf("MemoryError", "the %s is larger than %d", what, MaxSize)
}
