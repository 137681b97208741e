package tool

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Every error of this package has a method Code, which returns a name that is
// stable and good for logs and programs, and a method Retryable, which tells
// whether the very same call may succeed at another time.

// Code returns the name of an error: what its method Code says, or that of an
// error it wraps; cancelled and deadline_exceeded for those of package context;
// else "".
func Code(err error) string {
	var coded interface{ Code() string }
	switch {
	case errors.As(err, &coded):
		return coded.Code()
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded"
	}
	return ""
}

func retryable(err error) bool {
	var r interface{ Retryable() bool }
	if errors.As(err, &r) {
		return r.Retryable()
	}
	return errors.Is(err, context.DeadlineExceeded)
}

// UnknownToolError says that there is no tool of the name that was called.
type UnknownToolError struct {
	Name    string
	Nearest []string // names of tools that may have been meant, at most three, the nearest first
}

// Error names the tool, and those that may have been meant.
func (e *UnknownToolError) Error() string {
	text := "unknown tool " + strconv.Quote(words.Cut(e.Name, longestName))
	if len(e.Nearest) > 0 {
		text += ", did you mean " + words.List(e.Nearest, " or ") + "?"
	}
	return text
}

// Code returns "unknown_tool".
func (e *UnknownToolError) Code() string { return "unknown_tool" }

// Retryable returns false.
func (e *UnknownToolError) Retryable() bool { return false }

// DuplicateError says that a tool was not registered for its name is taken.
type DuplicateError struct {
	Name string
}

// Error names the tool.
func (e *DuplicateError) Error() string {
	return "a tool " + strconv.Quote(e.Name) + " is registered already"
}

// Code returns "duplicate_tool".
func (e *DuplicateError) Code() string { return "duplicate_tool" }

// Retryable returns false.
func (e *DuplicateError) Retryable() bool { return false }

// Fault is one thing that is wrong with the arguments of a call.
type Fault = wire.Fault

// longestName is how much of a name that somebody wrote is told again, in bytes.
const longestName = 64

// ArgumentError says what is wrong with the arguments of a call: that they are
// no JSON or beyond a limit, which is then the only fault, or everything in them
// that is not what the tool takes.
type ArgumentError struct {
	Tool   string
	Faults []Fault // the first 64
	Count  int     // of all
	Repair error   // why the arguments could not be repaired, if that was tried
}

// Error lists the faults.
func (e *ArgumentError) Error() string {
	var b strings.Builder
	b.WriteString(e.Tool + ": wrong arguments")
	for i, f := range e.Faults {
		b.WriteString([]string{": ", "; "}[min(i, 1)] + f.String())
	}
	if more := e.Count - len(e.Faults); more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	if e.Repair != nil {
		b.WriteString("; no repair: " + e.Repair.Error())
	}
	return b.String()
}

// Unwrap returns why the arguments could not be repaired.
func (e *ArgumentError) Unwrap() error { return e.Repair }

// Code returns "invalid_arguments".
func (e *ArgumentError) Code() string { return "invalid_arguments" }

// Retryable returns false.
func (e *ArgumentError) Retryable() bool { return false }

// TruncatedError says that a call was refused since its request was read from
// text that was cut off.
type TruncatedError struct {
	Tool string
}

// Error names the tool.
func (e *TruncatedError) Error() string {
	return e.Tool + ": the request was cut off, its arguments may be incomplete"
}

// Code returns "truncated".
func (e *TruncatedError) Code() string { return "truncated" }

// Retryable returns false.
func (e *TruncatedError) Retryable() bool { return false }

// ToolError is an error that the function itself returned, or a hook of it.
type ToolError struct {
	Tool string
	Err  error
}

// Error ends with the text of the function's error.
func (e *ToolError) Error() string { return e.Tool + ": " + e.Err.Error() }

// Unwrap returns the function's error.
func (e *ToolError) Unwrap() error { return e.Err }

// Code returns "tool_failed".
func (e *ToolError) Code() string { return "tool_failed" }

// Retryable returns what the function's error says, if it has such a method,
// else whether a deadline passed.
func (e *ToolError) Retryable() bool { return retryable(e.Err) }

// DeniedError says that a call was refused by a rule of [Gate].
type DeniedError struct {
	Tool string
}

// Error names the tool.
func (e *DeniedError) Error() string { return e.Tool + ": the call is not allowed" }

// Code returns "denied".
func (e *DeniedError) Code() string { return "denied" }

// Retryable returns false.
func (e *DeniedError) Retryable() bool { return false }

// ApprovalError says that a call needs the approval of a person, by a rule of
// [Gate]. Whoever drives asks for it, and calls again with [Request.Approval].
type ApprovalError struct {
	Tool string
}

// Error names the tool.
func (e *ApprovalError) Error() string { return e.Tool + ": the call needs the approval of a person" }

// Code returns "needs_approval".
func (e *ApprovalError) Code() string { return "needs_approval" }

// Retryable returns false: the next call is one with an approval.
func (e *ApprovalError) Retryable() bool { return false }

// ScopeError says that a variable cannot be kept or taken, or that there is no
// [Scope] for it.
type ScopeError struct {
	Name string // of the variable, if it has one
	Err  error
}

// Error tells what is wrong.
func (e *ScopeError) Error() string {
	if e.Name == "" {
		return e.Err.Error()
	}
	return "variable " + strconv.Quote(words.Cut(e.Name, longestName)) + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *ScopeError) Unwrap() error { return e.Err }

// Code returns "scope".
func (e *ScopeError) Code() string { return "scope" }

// Retryable returns false.
func (e *ScopeError) Retryable() bool { return false }

// PanicError says that the function panicked, or other code of the user that is
// run for a call, such as a hook, or that it ended its goroutine.
type PanicError struct {
	Tool  string
	Value any    // of the panic
	Stack []byte // of the goroutine, never for the model
}

// Error tells the value, not the stack.
func (e *PanicError) Error() string { return e.Tool + ": panic: " + fmt.Sprint(e.Value) }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Code returns "panic".
func (e *PanicError) Code() string { return "panic" }

// Retryable returns false.
func (e *PanicError) Retryable() bool { return false }

// OutputError says that the result of the function could not be written as JSON,
// or is too long or nested too deeply. The function has run.
type OutputError struct {
	Tool    string
	Pointer string // JSON Pointer of what could not be written, cut where long
	Err     error
}

// Error tells what is wrong with the result.
func (e *OutputError) Error() string {
	place := e.Pointer
	if place != "" {
		place += ": "
	}
	return e.Tool + ": the result cannot be written: " + place + e.Err.Error()
}

// Unwrap returns what is wrong with the result.
func (e *OutputError) Unwrap() error { return e.Err }

// Code returns "invalid_output".
func (e *OutputError) Code() string { return "invalid_output" }

// Retryable returns false.
func (e *OutputError) Retryable() bool { return false }
