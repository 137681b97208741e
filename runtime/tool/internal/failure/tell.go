package failure

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Types are the types of errors that are failures.
type Types struct {
	Of   func(error) (f Failure, ok bool) // what is in an error, if it is one of them
	Make func(Failure) error
}

// Code returns the code of the first error in err that has one, else "".
func (t Types) Code(err error) string {
	switch e := first(err, t.isNamed).(type) {
	case interface{ Code() string }:
		return e.Code()
	case nil:
	default:
		return kinds[t.kind(e)].code
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded"
	}
	return ""
}

func (t Types) isNamed(err error) bool {
	_, names := err.(interface{ Code() string })
	return names || t.kind(err) > 0
}

// kind is the kind of an error itself.
func (t Types) kind(err error) Kind {
	f, _ := t.Of(err)
	return f.Kind
}

// Retryable tells whether the very same call may succeed at another time: what the
// function says of its own error, and if a deadline passed.
func (t Types) Retryable(err error) bool {
	e := first(err, t.retries)
	if f, ok := t.Of(e); ok {
		return f.Kind == Tool && t.Retryable(f.Cause)
	}
	if says, ok := e.(interface{ Retryable() bool }); ok {
		return says.Retryable()
	}
	return errors.Is(err, context.DeadlineExceeded)
}

func (t Types) retries(err error) bool {
	_, says := err.(interface{ Retryable() bool })
	return says || t.kind(err) > 0
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

// among returns the first failure in err that is of one of the kinds, or of any if
// none is given.
func (t Types) among(err error, wanted ...Kind) (Failure, bool) {
	return t.Of(first(err, func(err error) bool {
		kind := t.kind(err)
		return kind > 0 && (len(wanted) == 0 || slices.Contains(wanted, kind))
	}))
}

// longestText bounds, in bytes, what of a function's own error a model is told.
const longestText = 4000

// ModelText says an error of a call in words for the model: what was wrong, and what to
// do instead.
func (t Types) ModelText(err error) string {
	f, _ := t.among(err)
	text := f.told(t.says(f))
	switch {
	case err == nil || text != "":
		return text
	case errors.Is(err, context.Canceled):
		return "The call was cancelled before it had a result."
	case errors.Is(err, context.DeadlineExceeded):
		return "The call took too long and was given up. Try it with less to do, or go on without it."
	case t.isPrivate(err):
		return "The call failed by a fault of the program. The same call again will not help; go on without it."
	}
	return "The call failed: " + words.Cut(ownText(err), longestText)
}

// says is what a model is told of the cause of a failure.
func (t Types) says(f Failure) string {
	switch f.Kind {
	case Panic:
		return f.Says
	case Ask, UnknownOutcome:
		if f.Cause == nil || t.isPrivate(f.Cause) {
			return ""
		}
		return ": " + words.Cut(ownText(f.Cause), longestText)
	case Tool:
	default:
		return ""
	}
	if asked, ok := t.Of(f.Cause); ok && (asked.Kind == Ask || asked.Kind == UnknownOutcome) {
		return ". " + asked.told(t.says(asked))
	}
	if scope, ok := t.among(f.Cause, Scope); ok {
		return ". " + scope.told("")
	}
	if t.isPrivate(f.Cause) { // of a call that the function made
		return ownFault
	}
	text := ": " + words.Cut(ownText(f.Cause), longestText)
	if t.Retryable(f.Cause) {
		text += "\nThe same call may succeed later."
	}
	return text
}

// ownText is what a model is told of an error that is no failure.
func ownText(err error) string {
	var says interface{ ModelText() string }
	if errors.As(err, &says) {
		return says.ModelText()
	}
	return err.Error()
}

// isPrivate reports whether the text of an error may have the value of a panic or
// a Go type in it. One that was read from JSON may be known by its code alone.
func (t Types) isPrivate(err error) bool {
	_, private := t.among(err, Panic, Output)
	code := t.Code(err)
	return private || slices.ContainsFunc([]Kind{Panic, Output, Scope}, func(k Kind) bool { return code == kinds[k].code })
}

// Panicked returns what a panic says of its own, as one that is for bad arguments does,
// if a model may be told: the first line of a string or an error that is not about the
// program. An error that panics itself, as that of a nil pointer may, says nothing.
func (t Types) Panicked(value any) (says string) {
	defer func() {
		if recover() != nil {
			says = ""
		}
	}()
	text, _ := value.(string)
	if err, ok := value.(error); ok {
		var fault runtime.Error
		if errors.As(err, &fault) || t.isPrivate(err) {
			return ""
		}
		text = ownText(err)
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text = strings.TrimSpace(text); isInside(text) {
		return ""
	}
	return words.Cut(text, longestText)
}
