// Package plan reads, checks and completes plans that models write. A plan is a goal and a list of steps. [Read]
// reads a plan, and [Compile] checks it against the schemas of the tools. [Suspects] returns the texts in it that
// may be placeholders. [Step.Fill] puts results into the arguments of later steps. Package orchestrator executes
// plans.
package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// These are the limits of a plan.
const (
	MaxSteps = 1000
	MaxID    = 128      // bytes of the ID of a step
	MaxText  = 64 << 10 // bytes of the goal, and of each description
)

// Plan is a goal and the steps to reach it. Its JSON names are stable. See [MaxSteps] for its
// limits.
type Plan struct {
	Goal  string `json:"goal"`
	Steps []Step `json:"steps"`
}

// Step is a call of a tool, or a task for the model.
type Step struct {
	ID          string          `json:"step_id"`
	Description string          `json:"description"`
	Status      Status          `json:"status"`
	Tool        string          `json:"tool,omitempty"`      // the tool to call; takes precedence over Agent
	Arguments   json.RawMessage `json:"arguments,omitempty"` // the arguments of the call that were known when the plan was made
	Agent       string          `json:"agent,omitempty"`     // AgentLLM, AgentReplan or empty
	Errors      []string        `json:"errors,omitempty"`    // what is wrong with the step, see ValidateStep
}

// These are the agents of steps that call no tool.
const (
	AgentLLM    = "llm"    // the model does what the description says
	AgentReplan = "replan" // the model replaces the steps after this one, using the results so far
)

// Status is the status of a step. It changes from pending to running to complete or failed. The
// empty status means [Pending] and is encoded as Pending.
type Status string

// These are the statuses of a step.
const (
	Pending  Status = "pending"
	Running  Status = "running"
	Complete Status = "complete"
	Failed   Status = "failed"
)

// MarshalText implements [encoding.TextMarshaler].
func (s Status) MarshalText() ([]byte, error) { return []byte(s.orPending()), nil }

func (s Status) orPending() Status { return cmp.Or(s, Pending) }

// Final reports whether the status is final.
func (s Status) Final() bool { return s == Complete || s == Failed }

// nextStatuses maps each valid status to the statuses that may follow it.
var nextStatuses = map[Status][]Status{
	Pending:  {Running},
	Running:  {Complete, Failed},
	Complete: nil,
	Failed:   nil,
}

// Advance changes the status of the step. If the new status may not follow the current one, Advance returns an error
// with the code "step_transition" and does not change the step.
func (s *Step) Advance(to Status) error {
	from := s.Status.orPending()
	if !slices.Contains(nextStatuses[from], to) {
		return &transitionError{Step: s.ID, From: from, To: to}
	}
	s.Status = to
	return nil
}

// transitionError reports an invalid change of a step's status.
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

// ValidateStep reports whether the step names one of the defined tools or no tool. It sets
// s.Errors.
func ValidateStep(s *Step, definitions []tool.Definition) bool {
	s.Errors = nil
	switch {
	case s.Tool == "":
		return true
	case strings.TrimSpace(s.Tool) == "":
		s.Errors = []string{"Tool field cannot be empty"}
		return false
	case slices.ContainsFunc(definitions, func(d tool.Definition) bool { return d.Name == s.Tool }):
		return true
	}
	s.Errors = []string{fmt.Sprintf("Tool '%s' not found in registry", s.Tool)}
	return false
}
