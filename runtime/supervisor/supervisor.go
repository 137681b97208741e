// Package supervisor repairs what a model wrote and a program cannot use: first
// without a model, then by asking one, and it believes nothing that comes back
// before it is checked.
//
// Its layers, from top to bottom:
//
//	repairs       what can be repaired, and how
//	supervisor    attempts, and the record of them
//	kept, prompt  whether values were kept; what the model is told
package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Supervisor asks a model for repairs. It is safe for concurrent use.
type Supervisor struct {
	model    llm.Model
	system   string
	attempts int
	now      func() time.Time
}

// Option sets up a [Supervisor].
type Option func(*Supervisor)

// System replaces the system prompt.
func System(prompt string) Option { return func(s *Supervisor) { s.system = prompt } }

// Attempts bounds how often the model is asked for one repair. The default is 2;
// with 0 there are only repairs without a model.
func Attempts(n int) Option { return func(s *Supervisor) { s.attempts = n } }

// Clock replaces the clock that actions take their time from.
func Clock(now func() time.Time) Option { return func(s *Supervisor) { s.now = now } }

// New returns a supervisor that asks the given model.
func New(model llm.Model, options ...Option) *Supervisor {
	s := &Supervisor{model: model, system: render("system.txt", nil), attempts: 2, now: time.Now}
	for _, option := range options {
		option(s)
	}
	return s
}

// Kind is what was repaired.
type Kind string

const (
	JSON     Kind = "json_repair"
	ToolCall Kind = "tool_call_repair"
	Plan     Kind = "plan_repair"
	Step     Kind = "step_repair"
)

// Action is one attempt at a repair: Repaired or Error is set.
type Action struct {
	Kind     Kind            `json:"type"`
	Original string          `json:"original"`
	Repaired json.RawMessage `json:"repaired,omitempty"`
	Error    string          `json:"error,omitempty"`
	Attempt  int             `json:"attempt"` // 0 is the one without a model
	Time     time.Time       `json:"timestamp"`
}

// Error says that there is no repair.
type Error struct {
	Kind    Kind
	Actions []Action // all attempts
	Err     error    // why the last one failed
}

// Error tells what could not be repaired and why.
func (e *Error) Error() string {
	return fmt.Sprintf("%s failed: %v", e.Kind, e.Err)
}

// Unwrap returns why the last attempt failed.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "repair_failed".
func (e *Error) Code() string { return "repair_failed" }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

const (
	temperature = 0.3       // of all repairs: they need no imagination
	mostBytes   = 256 << 10 // that a model is asked to write again
)

var errTooLong = fmt.Errorf("there are more than %d bytes, which no model writes again", mostBytes)

// repairing is one repair of a T.
type repairing[T any] struct {
	kind     Kind
	original string
	prompt   string                                         // template of the request
	data     question                                       // for it
	schema   json.RawMessage                                // of the reply
	local    func() (T, json.RawMessage, error)             // repairs without a model
	check    func(reply string) (T, json.RawMessage, error) // reads what the model wrote
}

// run makes the attempts. The actions are all of them, with an error, too.
func run[T any](ctx context.Context, s *Supervisor, r repairing[T]) (T, []Action, error) {
	var actions []Action
	record := func(attempt int, repaired json.RawMessage, err error) {
		a := Action{Kind: r.kind, Original: r.original, Attempt: attempt, Time: s.now()}
		if err == nil {
			a.Repaired = repaired
		} else {
			a.Error = err.Error()
		}
		actions = append(actions, a)
	}
	value, repaired, err := r.local()
	record(0, repaired, err)
	if err == nil {
		return value, actions, nil
	}
	r.data.Wrong = err.Error()
	messages := []llm.Message{{Role: llm.RoleUser, Text: render(r.prompt, r.data)}}
	length := len(r.original)
	for n := 1; n <= s.attempts && ctx.Err() == nil; n++ {
		if length > mostBytes {
			err = fmt.Errorf("%w; %w", err, errTooLong)
			break
		}
		var reply llm.Response
		reply, err = s.model.Generate(ctx, llm.Request{System: s.system, Messages: messages, Schema: r.schema, Temperature: new(temperature)})
		if err != nil {
			record(n, nil, err)
			continue
		}
		value, repaired, err = r.check(reply.Text)
		record(n, repaired, err)
		if err == nil {
			return value, actions, nil
		}
		length += len(reply.Text)
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Text: reply.Text},
			llm.Message{Role: llm.RoleUser, Text: render("again.txt", err.Error())})
	}
	if cancelled := llm.ContextError(ctx, err); cancelled != nil {
		err = cancelled
	}
	var none T
	return none, actions, &Error{Kind: r.kind, Actions: actions, Err: err}
}
