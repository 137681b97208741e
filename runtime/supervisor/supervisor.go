// Package supervisor repairs what a model wrote and a program cannot use: first
// without a model, then by asking one, and it believes nothing that comes back
// before it is checked.
//
// Its layers, from top to bottom:
//
//	loops       repairs with the supervisor's own model
//	repairs     what can be repaired, and how
//	attempts    a repair, attempt by attempt
//	supervisor  how repairs are made, and the record of them
//	prompt      what the model is told
package supervisor

import (
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

// New returns a supervisor that asks the given model. It may be nil where others
// ask one what a [Repair] is to be asked.
func New(model llm.Model, options ...Option) *Supervisor {
	s := &Supervisor{model: model, system: texts.Fill("system.txt", nil), attempts: 2, now: time.Now}
	for _, option := range options {
		option(s)
	}
	return s
}

// time returns the time, as far as JSON has it.
func (s *Supervisor) time() time.Time {
	now := s.now().UTC()
	if year := now.Year(); year < 0 || year > 9999 {
		return time.Unix(0, 0).UTC()
	}
	return now
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

	// Missing are the JSON Pointers of values that there have to be, and that nobody
	// found in what was to be repaired: others may be asked for them. Known is all
	// else, as far as it is right.
	Missing []string
	Known   json.RawMessage
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
