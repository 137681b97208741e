package run

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Input is the recorded input of a run.
type Input struct {
	Kind   string            `json:"kind"`
	Data   json.RawMessage   `json:"data,omitempty"`
	Tools  []tool.Definition `json:"tools,omitempty"`
	Limits Limits            `json:"limits,omitzero"`

	// Messages states that the function reads every message: it polls for messages while it works,
	// and ends with a Wait. If Messages is false, [Say] is refused unless the run waits for a message.
	Messages bool `json:"messages,omitempty"`

	Origin *Origin `json:"origin,omitempty"` // of a run that [Env.Fork] created
}

// Limits limit a run; zero is unlimited. They are checked before each new effect. [Extend]
// replaces them.
type Limits struct {
	Steps    int       `json:"steps,omitempty"`  // distinct steps that have effects
	Tokens   int       `json:"tokens,omitempty"` // input and output
	Cost     float64   `json:"cost,omitempty"`   // in the unit that the program chooses
	Deadline time.Time `json:"deadline,omitzero"`
}

// StepsLeft returns how many steps remain after the given number of steps; negative is unlimited.
func (l Limits) StepsLeft(steps int) int {
	if l.Steps <= 0 {
		return -1
	}
	return max(l.Steps-steps, 0)
}

// Usage is what a run has consumed.
type Usage struct {
	Steps      int       `json:"steps"`
	ModelCalls int       `json:"model_calls"`
	ToolCalls  int       `json:"tool_calls"`
	Tokens     llm.Usage `json:"tokens"`
	Cost       float64   `json:"cost,omitempty"`
	Estimated  bool      `json:"estimated,omitempty"` // some token counts are estimates
}

// Add adds more to u.
func (u *Usage) Add(more Usage) {
	u.Steps, u.ModelCalls, u.ToolCalls = u.Steps+more.Steps, u.ModelCalls+more.ModelCalls, u.ToolCalls+more.ToolCalls
	u.Tokens, u.Cost, u.Estimated = u.Tokens.Add(more.Tokens), u.Cost+more.Cost, u.Estimated || more.Estimated
}

// Statuses of a run.
const (
	Running     = "running"
	Waiting     = "waiting"     // for an approval, an answer, a decision or a message
	Interrupted = "interrupted" // resumes when it is executed again
	Expired     = "ttl_expired" // too many steps; resumes after [Extend]
	OverBudget  = "over_budget" // too many tokens, too expensive or too late; resumes after [Extend]
	Completed   = "completed"
	Failed      = "failed"
	Cancelled   = "cancelled"
)

// Values of WaitsFor of a waiting run.
const (
	ForApproval = "approval" // of a call: [Approve] or [Deny]
	ForAnswer   = "answer"   // to the questions of a call's function: [Reply] or [Deny]
	ForDecision = "decision" // about a call whose outcome is unknown: [Redo], [Deny] or [Supply]
	ForMessage  = "message"  // [Say]
)

// Wait is a call that a run waits for.
type Wait struct {
	Call      string          `json:"call"`                // its ID
	For       string          `json:"for"`                 // [ForApproval], [ForAnswer] or [ForDecision]
	Request   *tool.Request   `json:"request,omitempty"`   // of the call
	Questions []tool.Question `json:"questions,omitempty"` // that need an answer
}

// Result is the state in which an execution left a run. It can be encoded as JSON and decoded.
type Result struct {
	Status   string          `json:"status"`
	WaitsFor string          `json:"waits_for,omitempty"`
	Calls    []Wait          `json:"calls,omitempty"` // that the run waits for
	Answer   json.RawMessage `json:"answer,omitempty"`
	Usage    Usage           `json:"usage"`
	Error    *Error          `json:"error,omitempty"` // why the run failed or stopped, or why it waits for a message without an answer
}

// Err returns why there is no answer, as a sentence for people, such as "the run failed: no plan
// was made". It wraps the Error of the result. Err returns nil if the run is completed or waits
// for somebody.
func (r Result) Err() error {
	what := ""
	switch r.Status {
	case Failed:
		what = "failed"
	case Interrupted:
		what = "was interrupted"
	case Expired:
		what = "reached its limit on steps"
	case OverBudget:
		what = "is over its budget"
	case Waiting:
		what = "waits for a " + r.WaitsFor
	}
	switch {
	case r.Error == nil:
		return nil
	case what == "": // the run was canceled, which the error says
		return r.Error
	}
	return fmt.Errorf("the run %s: %w", what, r.Error)
}

// Answer is a recorded answer of the model.
type Answer struct {
	Response  llm.Response    `json:"response"`
	Read      json.RawMessage `json:"read,omitempty"`      // what the function Read of [Ask] returned
	Estimated bool            `json:"estimated,omitempty"` // the usage is estimated because the endpoint does not report it
	Cost      float64         `json:"cost,omitempty"`
	Duration  time.Duration   `json:"duration,omitempty"` // nanoseconds
	Error     *Error          `json:"error,omitempty"`    // why the answer is unusable
}

// Usage returns what the answer consumed.
func (a Answer) Usage() Usage {
	return Usage{ModelCalls: 1, Tokens: a.Response.Usage, Cost: a.Cost, Estimated: a.Estimated}
}
