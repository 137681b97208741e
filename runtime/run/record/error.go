package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Error is what went wrong in a run, as its journal keeps it.
type Error struct {
	Kind  string `json:"code"`
	Text  string `json:"text"`
	Retry bool   `json:"retryable,omitempty"`
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable tells whether the same may succeed at another time.
func (e *Error) Retryable() bool { return e.Retry }

// longestError bounds, in bytes, the text of an error that is kept.
const longestError = 64 << 10

// NewError returns the record of an error, whose text is cut where long; nil of none.
func NewError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Kind: cmp.Or(tool.Code(err), "error"), Text: strings.ToValidUTF8(words.Cut(err.Error(), longestError), "\uFFFD"), Retry: tool.Retryable(err)}
}

// TakenOver says that another worker drives a run.
type TakenOver struct {
	Run, By string
}

// Error names the worker.
func (e *TakenOver) Error() string {
	return fmt.Sprintf("run %q is driven by the worker %s", e.Run, e.By)
}

// Code returns "taken_over".
func (e *TakenOver) Code() string { return "taken_over" }

// Drift says that the function of a run did not do what it did when its journal was
// written.
type Drift struct {
	Run         string
	There, Come string // kind and effect of the entry, and of what came in its place
}

// Error tells both.
func (e *Drift) Error() string {
	return fmt.Sprintf("run %q has changed: its journal goes on with %q, its function with %q", e.Run, e.There, e.Come)
}

// Code returns "drift".
func (e *Drift) Code() string { return "drift" }

// Stop is what effects return when a run has to stop: it waits, was interrupted, or is
// beyond a limit.
type Stop struct {
	Status, WaitsFor string
	Calls            []Wait          // that it waits for
	Answer           json.RawMessage // of a run that waits for a message
	Err              *Error          // why, if it does not wait; or why there is no answer
}

// Error tells the status.
func (e *Stop) Error() string {
	if e.WaitsFor != "" {
		return "the run waits for " + e.WaitsFor
	}
	return "the run stops: it is " + e.Status
}

// Result returns where a run stands that stops so.
func (e *Stop) Result(used Usage) *Result {
	return &Result{Status: e.Status, WaitsFor: e.WaitsFor, Calls: e.Calls, Answer: e.Answer, Usage: used, Error: e.Err}
}
