package repair

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Error reports that a text contains no value or call, or none that can be read reliably.
type Error struct {
	code    string
	Offset  int          // position in the text, in bytes
	Line    int          // line, from 1; 0 if the error has no position
	Column  int          // column in characters, from 1
	Message string       // what is wrong
	Faults  []tool.Fault // at most 64 arguments that do not match the schema, or values that are not from the [Origin]
}

// newError returns the error for a failure in a text.
func newError(f *reader.Failure, text string) *Error {
	e := &Error{code: f.Code, Message: f.Message, Faults: f.Faults}
	if f.At != reader.Nowhere {
		e.Offset = f.At
		e.Line, e.Column = Position(text, f.At)
	}
	return e
}

// Error returns the position and the message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Code returns the kind of error: no_value, no_call, broken_call, unreadable, ambiguous, too_deep,
// too_long, invalid_arguments, invented or schema.
func (e *Error) Code() string { return e.code }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Position returns the line and the column, in characters, of an offset in bytes, both from 1.
func Position(text string, offset int) (line, column int) {
	before := text[:max(0, min(offset, len(text)))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}
