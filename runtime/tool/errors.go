package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire"
)

// codeOf returns the name of an error of this package, "" of others.
func codeOf(err error) string {
	switch err.(type) {
	case *UnknownToolError:
		return "unknown_tool"
	case *DuplicateError:
		return "duplicate_tool"
	case *ArgumentError:
		return "invalid_arguments"
	case *TruncatedError:
		return "truncated"
	case *ToolError:
		return "tool_failed"
	case *DeniedError:
		return "denied"
	case *ApprovalError:
		return "needs_approval"
	case *ScopeError:
		return "scope"
	case *PanicError:
		return "panic"
	case *OutputError:
		return "invalid_output"
	case *DefinitionError:
		return "invalid_definition"
	}
	return ""
}

// Code returns the name of an error, which is stable and good for logs and
// programs: that of the first error in err which has one, else "". Of this package
// are unknown_tool, duplicate_tool, invalid_arguments, truncated, tool_failed,
// denied, needs_approval, scope, panic, invalid_output and invalid_definition; of
// package context cancelled and deadline_exceeded. Others say it by a method
// Code() string.
func Code(err error) string {
	switch e := first(err, named).(type) {
	case interface{ Code() string }:
		return e.Code()
	case nil:
	default:
		return codeOf(e)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded"
	}
	return ""
}

func named(err error) bool {
	_, names := err.(interface{ Code() string })
	return names || codeOf(err) != ""
}

// Retryable tells whether the very same call may succeed at another time: if the error
// of the function says so by a method Retryable() bool, or if a deadline passed.
func Retryable(err error) bool {
	switch e := first(err, retries).(type) {
	case *ToolError:
		return Retryable(e.Err)
	case interface{ Retryable() bool }:
		return e.Retryable()
	case nil:
		return errors.Is(err, context.DeadlineExceeded)
	}
	return false
}

func retries(err error) bool {
	_, says := err.(interface{ Retryable() bool })
	return says || codeOf(err) != ""
}

// first returns the first error in the tree of err that is such a one, nil if there
// is none.
func first(err error, such func(error) bool) error {
	if err == nil || such(err) {
		return err
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return first(e.Unwrap(), such)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if found := first(inner, such); found != nil {
				return found
			}
		}
	}
	return nil
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

// DuplicateError says that a tool was not registered for its name is taken.
type DuplicateError struct {
	Name          string
	First, Second string // import paths of the generated packages that have it, where they do
}

// Error names the tool, and the packages.
func (e *DuplicateError) Error() string {
	text := "a tool " + strconv.Quote(e.Name) + " is registered already"
	switch {
	case e.First != e.Second:
		return text + ": by " + cmp.Or(e.First, "hand") + ", and now by " + cmp.Or(e.Second, "hand") + "; tool.Prefix and tool.Rename give other names"
	case e.First != "":
		return text + ", by " + e.First
	}
	return text
}

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

// TruncatedError says that a call was refused since its request was read from
// text that was cut off.
type TruncatedError struct {
	Tool string
}

// Error names the tool.
func (e *TruncatedError) Error() string {
	return e.Tool + ": the request was cut off, its arguments may be incomplete"
}

// ToolError is an error that the function itself returned, or a hook of it.
type ToolError struct {
	Tool string
	Err  error
}

// Error ends with the text of the function's error.
func (e *ToolError) Error() string { return e.Tool + ": " + e.Err.Error() }

// Unwrap returns the function's error.
func (e *ToolError) Unwrap() error { return e.Err }

// DeniedError says that a call was refused by a rule of [Gate].
type DeniedError struct {
	Tool string
}

// Error names the tool.
func (e *DeniedError) Error() string { return e.Tool + ": the call is not allowed" }

// ApprovalError says that a call needs the approval of a person, by a rule of
// [Gate]. Whoever drives asks for it, and calls again with [Request.Approval].
type ApprovalError struct {
	Tool string
}

// Error names the tool.
func (e *ApprovalError) Error() string { return e.Tool + ": the call needs the approval of a person" }

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

// PanicError says that the function panicked, or other code of the user that is
// run for a call, such as a hook, or that it ended its goroutine.
type PanicError struct {
	Tool  string
	Value any    // of the panic
	Stack []byte // of the goroutine, never for the model

	readOnly bool   // so that nothing is half done, and a model may be told what it says
	told     string // of one that was read from JSON: what a model was
}

// Error tells the value, not the stack.
func (e *PanicError) Error() string { return e.Tool + ": panic: " + fmt.Sprint(e.Value) }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

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
