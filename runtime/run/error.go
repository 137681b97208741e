package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Error is an error of a run, in the form that the journal stores.
type Error struct {
	Kind  string `json:"code"`
	Text  string `json:"text"`
	Retry bool   `json:"retryable,omitempty"`
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable reports whether another attempt may succeed.
func (e *Error) Retryable() bool { return e.Retry }

// maxErrorLength is the maximum length of a recorded error text in bytes.
const maxErrorLength = 64 << 10

// NewError converts an error to the form that the journal stores. It cuts the text to 64 KiB, and
// returns nil for nil.
func NewError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errtype.As[*Error](err); ok {
		return e
	}
	return &Error{Kind: cmp.Or(tool.Code(err), "error"), Text: strings.ToValidUTF8(words.Cut(err.Error(), maxErrorLength), "\uFFFD"), Retry: tool.Retryable(err)}
}

// TakenOverError reports that another worker now drives a run. By is the ID of that worker.
type TakenOverError struct {
	Run, By string
}

// Error names the worker.
func (e *TakenOverError) Error() string {
	return fmt.Sprintf("run %q is driven by worker %s", e.Run, e.By)
}

// Code returns "taken_over".
func (e *TakenOverError) Code() string { return "taken_over" }

// NonDeterminismError reports that the function of a run requested a different effect from the one
// that the journal records next.
type NonDeterminismError struct {
	Run           string
	Recorded, Got string // kind and effect of the journal entry and of the request
}

// Error names the recorded and the requested effect.
func (e *NonDeterminismError) Error() string {
	return fmt.Sprintf("run %q has changed: its journal has %q next, its function requested %q", e.Run, e.Recorded, e.Got)
}

// Code returns "drift".
func (e *NonDeterminismError) Code() string { return "drift" }

// Stop is the error of an effect when the run has to stop, because it waits, was interrupted or has
// reached a limit.
type Stop struct {
	Status, WaitsFor string
	Calls            []Wait          // the calls that the run waits for
	Answer           json.RawMessage // the last answer, if the run waits for a message
	Err              *Error          // why the run stopped, or, if it waits, why there is no answer
}

// Error returns the status.
func (e *Stop) Error() string {
	if e.WaitsFor != "" {
		return "the run waits for " + e.WaitsFor
	}
	return "the run stops: it is " + e.Status
}

// Result returns the result of a run that stops this way.
func (e *Stop) Result(used Usage) *Result {
	return &Result{Status: e.Status, WaitsFor: e.WaitsFor, Calls: e.Calls, Answer: e.Answer, Usage: used, Error: e.Err}
}
