package tool

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
)

// ownError is implemented by the error types of this package.
type ownError interface {
	error
	Code() string
	toRecord() *errorRecord // the fields of its own type; recordError adds the common ones
}

// Code returns the stable code of an error, for logs and programs. It searches the tree of err for
// the first error with a method Code() string, and returns the result of that method. The codes of
// this package are unknown_tool, duplicate_tool, invalid_arguments, truncated, tool_failed, denied,
// needs_approval, needs_answer, unknown_outcome, scope, panic, invalid_output and
// invalid_definition. The errors of package context have the codes cancelled and
// deadline_exceeded. Code returns "" for other errors.
func Code(err error) string {
	if e, ok := errtype.As[coder](firstError(err, errtype.Is[coder])); ok {
		return e.Code()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded"
	}
	return ""
}

// coder is an error with a stable code.
type coder interface{ Code() string }

// Retryable reports whether the same call may succeed later. It searches the tree of err for the first error with a
// method Retryable() bool, such as one that a tool's function returned, and returns the result of that method. Errors
// of this package without the method are not retryable. If the tree has no error of either kind, Retryable reports
// whether a deadline passed.
func Retryable(err error) bool {
	first := firstError(err, decidesRetry)
	if e, ok := errtype.As[retryable](first); ok {
		return e.Retryable()
	}
	return first == nil && errors.Is(err, context.DeadlineExceeded)
}

// retryable is an error that states whether the same call may succeed later.
type retryable interface{ Retryable() bool }

// decidesRetry reports whether Retryable can stop its search at err: err has a method Retryable, or is an error of
// this package, which is not retryable if it lacks the method.
func decidesRetry(err error) bool { return errtype.Is[retryable](err) || errtype.Is[ownError](err) }

// firstError returns the first error in the tree of err that matches, or nil.
func firstError(err error, matches func(error) bool) error {
	if err == nil || matches(err) {
		return err
	}
	if e, ok := errtype.As[interface{ Unwrap() error }](err); ok {
		return firstError(e.Unwrap(), matches)
	}
	if e, ok := errtype.As[interface{ Unwrap() []error }](err); ok {
		for _, inner := range e.Unwrap() {
			if found := firstError(inner, matches); found != nil {
				return found
			}
		}
	}
	return nil
}

// ModelText returns the text about a failed call for a model: what was wrong and what to do instead. For an error
// of another package, the text contains the result of its method ModelText() string, or the result of Error if there
// is no such method. If a [ReadOnly] tool panics, the text contains the message of the panic, but never a stack.
func ModelText(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errtype.As[modelTexter](firstError(err, errtype.Is[ownError])); ok {
		return e.ModelText()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "The call was cancelled before it had a result."
	case errors.Is(err, context.DeadlineExceeded):
		return "The call took too long and was stopped. Try a smaller call, or go on without it."
	case isPrivate(err):
		return "The call failed because of an error in the program. The same call again will not help; go on without it."
	}
	return "The call failed: " + causeText(err)
}

// ownFault follows "<tool> failed" in the text for a model if the model must not read the error itself.
const ownFault = " because of an error in its code. The same call again will not help; go on without it."

// longestCause is the length in bytes to which causeText and panicText cut longer texts.
const longestCause = 4000

// causeText returns the text of an error of another package for a model, cut to longestCause.
func causeText(err error) string { return words.Cut(foreignText(err), longestCause) }

// publicCause returns a colon and causeText, or "" if err is nil or private.
func publicCause(err error) string {
	if err == nil || isPrivate(err) {
		return ""
	}
	return ": " + causeText(err)
}

// modelTexter is an error with a text for the model.
type modelTexter interface{ ModelText() string }

// foreignText returns the text of an error of another package for a model.
func foreignText(err error) string {
	hasText := func(err error) bool { return errtype.Is[modelTexter](err) && !errtype.Is[ownError](err) }
	if e, ok := errtype.As[modelTexter](firstError(err, hasText)); ok {
		return e.ModelText()
	}
	return err.Error()
}

// isPrivate reports whether the text of an error may contain the value of a panic or a Go
// type. It also checks the code, because an error that was read from JSON may have lost its type.
func isPrivate(err error) bool {
	private := firstError(err, func(err error) bool {
		return errtype.Is[*PanicError](err) || errtype.Is[*OutputError](err)
	})
	return private != nil || slices.Contains([]string{"panic", "invalid_output", "scope"}, Code(err))
}

// panicText returns the first line of a panic's value, if it is a string or an error. A model reads it,
// because bad arguments may have caused the panic, and the model can correct them. panicText returns ""
// if the line is only useful to programmers; see describesProgram. It also returns "" if the method
// Error panics itself, as it may for a nil pointer.
func panicText(value any) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	text, _ = value.(string)
	if err, ok := value.(error); ok {
		if _, ok := errors.AsType[runtime.Error](err); ok || isPrivate(err) {
			return ""
		}
		text = foreignText(err)
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text = strings.TrimSpace(text); describesProgram(text) {
		return ""
	}
	return words.Cut(text, longestCause)
}
