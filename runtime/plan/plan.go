// Package plan is what an agent intends to do: a goal, and the steps to it in
// their order. It reads plans that models wrote and says everything that is wrong
// with one; it does not carry them out.
package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Limits of every plan.
const (
	MaxSteps = 1000
	MaxID    = 128 // bytes in the ID of a step
)

// Plan is pure data. Its JSON names are stable.
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
	Agent       string          `json:"agent,omitempty"`     // AgentLLM or nothing
	Errors      []string        `json:"errors,omitempty"`    // what is wrong with the step, see ValidateStep
}

// AgentLLM is the agent of a step that needs no tool: the model itself.
const AgentLLM = "llm"

// Status is where a step stands. It goes from pending over running to one of the
// others, and stays there.
type Status string

const (
	Pending  Status = "pending"
	Running  Status = "running"
	Complete Status = "complete"
	Failed   Status = "failed"
)

// Final tells whether the status stays as it is.
func (s Status) Final() bool { return s == Complete || s == Failed }

// next are the statuses that may follow; what is no key is no status.
var next = map[Status][]Status{
	Pending:  {Running},
	Running:  {Complete, Failed},
	Complete: nil,
	Failed:   nil,
}

// Advance gives the step its next status. The error is a [*TransitionError], and
// the step is as before, if that status cannot follow.
func (s *Step) Advance(to Status) error {
	for _, status := range next[s.Status] {
		if status == to {
			s.Status = to
			return nil
		}
	}
	return &TransitionError{Step: s.ID, From: s.Status, To: to}
}

// TransitionError says that a step cannot go from one status to another.
type TransitionError struct {
	Step     string // its ID
	From, To Status
}

// Error names the step and both statuses.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("step %q cannot go from %s to %s", e.Step, e.From, e.To)
}

// Code returns "step_transition".
func (e *TransitionError) Code() string { return "step_transition" }

// Retryable returns false.
func (e *TransitionError) Retryable() bool { return false }

// Error says what is wrong with a plan.
type Error struct {
	Faults []tool.Fault // in the order of the plan
	Err    error        // why there is no plan in a text at all
}

// Error lists the faults.
func (e *Error) Error() string {
	if e.Err != nil {
		return "there is no plan: " + e.Err.Error()
	}
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = f.String()
	}
	return "wrong plan: " + strings.Join(texts, "; ")
}

// Unwrap returns why there is no plan.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "invalid_plan".
func (e *Error) Code() string { return "invalid_plan" }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Validate returns everything that is wrong with the plan as an [*Error]. Whether
// there are such tools is for [ValidateStep] to say.
func Validate(p Plan) error {
	var f faults
	f.notBlank("/goal", p.Goal)
	if len(p.Steps) == 0 || len(p.Steps) > MaxSteps {
		f.add("/steps", fmt.Sprintf("1 to %d steps", MaxSteps), strconv.Itoa(len(p.Steps)))
		return f.err()
	}
	first := map[string]int{}
	for i, s := range p.Steps {
		at := "/steps/" + strconv.Itoa(i)
		f.step(at, s)
		if before, taken := first[s.ID]; taken {
			f.add(at+"/step_id", "an ID of its own", fmt.Sprintf("%s, as in /steps/%d", show(s.ID), before))
		} else if s.ID != "" {
			first[s.ID] = i
		}
	}
	return f.err()
}

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

// faults collects what is wrong.
type faults []tool.Fault

func (f *faults) add(pointer, expected, found string) {
	*f = append(*f, tool.Fault{Pointer: pointer, Expected: expected, Found: found})
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Faults: f}
}

func (f *faults) notBlank(pointer, text string) {
	if strings.TrimSpace(text) == "" {
		f.add(pointer, "a text", show(text))
	}
}

// step adds what is wrong with a step, apart from other steps.
func (f *faults) step(at string, s Step) {
	f.notBlank(at+"/step_id", s.ID)
	if len(s.ID) > MaxID {
		f.add(at+"/step_id", fmt.Sprintf("at most %d bytes", MaxID), strconv.Itoa(len(s.ID)))
	}
	f.notBlank(at+"/description", s.Description)
	f.status(at, s.Status)
	if s.Tool != "" {
		f.notBlank(at+"/tool", s.Tool)
	}
	if len(s.Arguments) > 0 && !json.Valid(s.Arguments) {
		f.add(at+"/arguments", "JSON", show(string(s.Arguments)))
	}
	if s.Agent != "" && s.Agent != AgentLLM {
		f.add(at+"/agent", `"llm", or no agent`, show(s.Agent))
	}
}

func (f *faults) status(at string, s Status) {
	if _, known := next[s]; !known {
		f.add(at+"/status", "pending, running, complete or failed", show(string(s)))
	}
}

// show quotes a text, cut where it is long.
func show(text string) string {
	const longest = 64
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "…"
	}
	return strconv.Quote(text)
}
