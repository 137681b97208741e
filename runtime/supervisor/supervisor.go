// Package supervisor repairs malformed output of models. It first tries to repair it without a
// model, then asks a model, whose answers it checks. Create a supervisor with [New], and call the
// method for the kind of output: [Supervisor.RepairJSON], [Supervisor.RepairToolCall],
// [Supervisor.RepairPlan] or [Supervisor.RepairStep]. Agents of package orchestrator use a
// supervisor automatically.
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

// Option configures a [Supervisor].
type Option func(*Supervisor)

// System replaces the system prompt.
func System(prompt string) Option { return func(s *Supervisor) { s.system = prompt } }

// Attempts limits the number of requests to the model for one repair. The default is 2; with 0, the
// model is never asked.
func Attempts(n int) Option { return func(s *Supervisor) { s.attempts = n } }

// Clock replaces the clock for the times of actions.
func Clock(now func() time.Time) Option { return func(s *Supervisor) { s.now = now } }

// New returns a supervisor that asks the given model. The model may be nil if the caller uses only
// methods that return a [Repair], and asks a model itself.
func New(model llm.Model, options ...Option) *Supervisor {
	s := &Supervisor{model: model, system: texts.Fill("system.txt", nil), attempts: 2, now: time.Now}
	for _, option := range options {
		option(s)
	}
	return s
}

// currentTime returns the time in UTC. If its year has no valid form in JSON, it returns the Unix
// epoch.
func (s *Supervisor) currentTime() time.Time {
	now := s.now().UTC()
	if year := now.Year(); year < 0 || year > 9999 {
		return time.Unix(0, 0).UTC()
	}
	return now
}

// Kind is the kind of a repair.
type Kind string

// These are the kinds of repairs.
const (
	JSON     Kind = "json_repair"
	ToolCall Kind = "tool_call_repair"
	Plan     Kind = "plan_repair"
	Step     Kind = "step_repair"
)

// Action is one attempt at a repair. Either Repaired or Error is set.
type Action struct {
	Kind     Kind            `json:"type"`
	Original string          `json:"original"`
	Repaired json.RawMessage `json:"repaired,omitempty"`
	Error    string          `json:"error,omitempty"`
	Attempt  int             `json:"attempt"` // 0 is the attempt without a model
	Time     time.Time       `json:"timestamp"`
}

// Error reports that a repair failed.
type Error struct {
	Kind    Kind
	Actions []Action // all attempts
	Err     error    // error of the last attempt

	// Missing contains the JSON Pointers of required values that the original does not contain, so
	// that the caller can ask a person for them. Known contains the valid values.
	Missing []string
	Known   json.RawMessage
}

// Error returns the kind and the last error.
func (e *Error) Error() string {
	return fmt.Sprintf("%s failed: %v", e.Kind, e.Err)
}

// Unwrap returns the error of the last attempt.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "repair_failed".
func (e *Error) Code() string { return "repair_failed" }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }
