// Package plan reads, checks and completes the plans that models write: a goal and the
// steps to it, in their order. [Read] reads a plan, [Compile] finds what cannot work in it
// by the schemas of the tools, [Suspects] returns the texts that may be placeholders, and
// [Step.Fill] puts results into the arguments of later steps. The package does not carry
// plans out.
package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// MaxSteps is how many steps a plan may have.
const MaxSteps = 1000

// Plan is pure data. Its JSON names are stable. The ID of a step has at most 128 bytes,
// the goal and each description at most 64 KiB.
type Plan struct {
	Goal  string `json:"goal"`
	Steps []Step `json:"steps"`
}

// Step is one thing to do: to call a tool, or to have a model reason.
type Step struct {
	ID          string          `json:"step_id"`
	Description string          `json:"description"`
	Status      Status          `json:"status"`
	Tool        string          `json:"tool,omitempty"`      // to call; it wins over Agent
	Arguments   json.RawMessage `json:"arguments,omitempty"` // of the call, as far as they were known when the plan was made
	Agent       string          `json:"agent,omitempty"`     // AgentLLM, AgentReplan or nothing
	Errors      []string        `json:"errors,omitempty"`    // what is wrong with the step, see ValidateStep
}

// The agents of steps that call no tool.
const (
	AgentLLM    = "llm"    // the model does what the description says
	AgentReplan = "replan" // the model plans the rest, with the results so far; the steps after this one are replaced
)

// Status is where a step stands. It goes from pending over running to one of the
// others, and stays there. None is that of a step which nobody began: [Pending], as
// which JSON has it.
type Status string

const (
	Pending  Status = "pending"
	Running  Status = "running"
	Complete Status = "complete"
	Failed   Status = "failed"
)

// MarshalText writes the status.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.orPending()), nil }

func (s Status) orPending() Status { return cmp.Or(s, Pending) }

// Final tells whether the status stays as it is.
func (s Status) Final() bool { return s == Complete || s == Failed }

// next are the statuses that may follow; what is no key is no status.
var next = map[Status][]Status{
	Pending:  {Running},
	Running:  {Complete, Failed},
	Complete: nil,
	Failed:   nil,
}

// Advance gives the step its next status. There is an error, of code "step_transition",
// and the step is as before, if that status cannot follow.
func (s *Step) Advance(to Status) error {
	from := s.Status.orPending()
	if !slices.Contains(next[from], to) {
		return &transitionError{Step: s.ID, From: from, To: to}
	}
	s.Status = to
	return nil
}

// transitionError says that a step cannot go from one status to another.
type transitionError struct {
	Step     string // its ID
	From, To Status
}

// Error names the step and both statuses.
func (e *transitionError) Error() string {
	return fmt.Sprintf("step %q cannot go from %s to %s", e.Step, e.From, e.To)
}

// Code returns "step_transition".
func (e *transitionError) Code() string { return "step_transition" }

// Retryable returns false.
func (e *transitionError) Retryable() bool { return false }

// ValidateStep tells whether the step names a tool that is one of the
// definitions, or none, and sets its errors to what is wrong.
func ValidateStep(s *Step, definitions []tool.Definition) bool {
	s.Errors = nil
	switch {
	case s.Tool == "":
		return true
	case strings.TrimSpace(s.Tool) == "":
		s.Errors = []string{"Tool field cannot be empty"}
		return false
	}
	for _, d := range definitions {
		if d.Name == s.Tool {
			return true
		}
	}
	s.Errors = []string{fmt.Sprintf("Tool '%s' not found in registry", s.Tool)}
	return false
}
