package record

import (
	"errors"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Kinds of an [Error], beside the codes of errors of other packages.
const (
	InvalidInput   = "invalid_input"   // nothing to begin with, or no state to go on from
	Busy           = "busy"            // a step of the run is being executed
	NotWaiting     = "not_waiting"     // there is nothing to approve
	ApprovalNeeded = "approval_needed" // by a call, which Execute cannot get
	EmptyAnswer    = "empty_answer"    // of the model
	Refused        = "refused"         // by the model
	CutOff         = "cut_off"         // an answer of the model, at its limit on tokens
	StepsFailed    = "steps_failed"    // some or all
	Expired        = "ttl_expired"     // there were too many steps
	TokenBudget    = "token_budget"    // it is used up
)

// Error says what went wrong with a run or a step. It survives JSON both ways,
// but for what it wraps and the state.
type Error struct {
	Kind   string       `json:"code"`
	Step   string       `json:"step_id,omitempty"`
	Text   string       `json:"text"`
	Faults []tool.Fault `json:"faults,omitempty"` // of a plan or of arguments
	Retry  bool         `json:"retryable,omitempty"`
	State  *State       `json:"-"` // of a run that has no result
	Err    error        `json:"-"`
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns what went wrong elsewhere.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable tells whether the same may succeed at another time.
func (e *Error) Retryable() bool { return e.Retry }

// NewError returns an error of the kernel for what went wrong in a step.
func NewError(step string, err error) *Error {
	if known, ok := err.(*Error); ok {
		if known.Step != "" {
			return known
		}
		e := *known
		e.Step = step
		return &e
	}
	e := &Error{Kind: tool.Code(err), Step: step, Text: strings.ToValidUTF8(err.Error(), "\uFFFD"), Err: err}
	if e.Kind == "" {
		e.Kind = "error"
	}
	e.Retry = e.Kind != "deadline_exceeded" && tool.Retryable(err) // a deadline alone is that of the run
	var wrongPlan *plan.Error
	var arguments *tool.ArgumentError
	if errors.As(err, &wrongPlan) {
		e.Faults = wrongPlan.Faults
	} else if errors.As(err, &arguments) {
		e.Faults = arguments.Faults
	}
	return e
}

// NoAnswer returns an error if a model's response is no answer. Text that was cut
// off is none; in JSON that shows.
func NoAnswer(r llm.Response, text bool) error {
	switch {
	case r.Finish == llm.FinishRefused:
		return &Error{Kind: Refused, Text: "the model refused to answer"}
	case strings.TrimSpace(r.Text) == "":
		return &Error{Kind: EmptyAnswer, Text: "the model gave no answer"}
	case text && r.Finish == llm.FinishLength:
		return &Error{Kind: CutOff, Text: "the answer of the model was cut off at its limit on tokens"}
	}
	return nil
}
