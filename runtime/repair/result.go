package repair

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Error says why a text has no value, or none that can be relied upon.
type Error struct {
	code    string
	Offset  int          // where in the text, in bytes
	Line    int          // the same, from 1; 0 if it is about no place
	Column  int          // the same, in characters from 1
	Message string       // what is wrong
	Faults  []tool.Fault // what of arguments does not fit the schema, or is not of the [Origin], at most 64
}

// errorOf returns the error about a text.
func errorOf(f *report.Failure, text string) *Error {
	e := &Error{code: f.Code, Message: f.Message, Faults: f.Faults}
	if f.At != report.Nowhere {
		e.Offset = f.At
		e.Line, e.Column = Position(text, f.At)
	}
	return e
}

// Error tells the place and what is wrong there.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Code returns the reason: no_value, no_call, broken_call, unreadable, ambiguous, too_deep,
// too_long, invalid_arguments, invented or schema.
func (e *Error) Code() string { return e.code }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Position returns the line and the column, in characters, of an offset in
// bytes. Both count from 1.
func Position(text string, offset int) (line, column int) {
	before := text[:max(0, min(offset, len(text)))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}
