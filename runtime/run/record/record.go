// Package record is what a run keeps, tells and is told: plain data, which survives JSON
// both ways.
//
// Its layers, from top to bottom:
//
//	signal, event  what it is told, and tells
//	record         what is in entries
//	error          what goes wrong
package record

import (
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Input is what a run begins with, and keeps.
type Input struct {
	Kind   string            `json:"kind"`
	Data   json.RawMessage   `json:"data,omitempty"`
	Tools  []tool.Definition `json:"tools,omitempty"`
	Limits Limits            `json:"limits,omitzero"`

	// Messages says that the function of the run reads every message: it polls for them
	// while it works, and ends with a Wait. Without it, [Say] is refused unless the run
	// waits for a message.
	Messages bool `json:"messages,omitempty"`
}

// Limits are how far a run may go, until [Extend]; zero is no limit. They are looked
// at before an effect that was not there before.
type Limits struct {
	Steps    int       `json:"steps,omitempty"`  // different ones that have effects
	Tokens   int       `json:"tokens,omitempty"` // of input and output
	Cost     float64   `json:"cost,omitempty"`   // in the unit of the program's choice
	Deadline time.Time `json:"deadline,omitzero"`
}

// Left returns how many steps there may still be after so many; below 0 is any number.
func (l Limits) Left(steps int) int {
	if l.Steps <= 0 {
		return -1
	}
	return max(l.Steps-steps, 0)
}

// Usage is what a run took.
type Usage struct {
	Steps      int       `json:"steps"`
	ModelCalls int       `json:"model_calls"`
	ToolCalls  int       `json:"tool_calls"`
	Tokens     llm.Usage `json:"tokens"`
	Cost       float64   `json:"cost,omitempty"`
	Estimated  bool      `json:"estimated,omitempty"` // some of the tokens
}

// Add adds what something took more.
func (u *Usage) Add(more Usage) {
	u.Steps, u.ModelCalls, u.ToolCalls = u.Steps+more.Steps, u.ModelCalls+more.ModelCalls, u.ToolCalls+more.ToolCalls
	u.Tokens, u.Cost, u.Estimated = u.Tokens.Add(more.Tokens), u.Cost+more.Cost, u.Estimated || more.Estimated
}

// Statuses of a run.
const (
	Running     = "running"
	Waiting     = "waiting"     // for an approval, an answer, a decision or a message
	Interrupted = "interrupted" // goes on when it is executed again
	Expired     = "ttl_expired" // too many steps; goes on after [Extend]
	OverBudget  = "over_budget" // too many tokens, too expensive or too late; goes on after [Extend]
	Completed   = "completed"
	Failed      = "failed"
	Cancelled   = "cancelled"
)

// What a run that is waiting waits for.
const (
	ForApproval = "approval" // of a call: [Approve] or [Deny]
	ForAnswer   = "answer"   // to what the function of a call asks: [Reply] or [Deny]
	ForDecision = "decision" // about a call of which nobody knows what came of it: [Redo], [Deny] or [Supply]
	ForMessage  = "message"  // [Say]
)

// Wait is a call that a run waits for.
type Wait struct {
	Call      string         `json:"call"`                // its ID
	For       string         `json:"for"`                 // [ForApproval], [ForAnswer] or [ForDecision]
	Request   *tool.Request  `json:"request,omitempty"`   // of the call
	Questions []ask.Question `json:"questions,omitempty"` // that wait for an answer
}

// Result is where a run stands. It survives JSON both ways.
type Result struct {
	Status   string          `json:"status"`
	WaitsFor string          `json:"waits_for,omitempty"`
	Calls    []Wait          `json:"calls,omitempty"` // that it waits for
	Answer   json.RawMessage `json:"answer,omitempty"`
	Usage    Usage           `json:"usage"`
	Error    *Error          `json:"error,omitempty"` // why it is neither completed nor waiting, or waits for a message without an answer
}

// Answer is what a model answered.
type Answer struct {
	Response  llm.Response    `json:"response"`
	Read      json.RawMessage `json:"read,omitempty"`
	Estimated bool            `json:"estimated,omitempty"` // the usage, from bytes, since the endpoint tells none
	Cost      float64         `json:"cost,omitempty"`
	Duration  time.Duration   `json:"duration,omitempty"` // nanoseconds
	Error     *Error          `json:"error,omitempty"`    // why it is no answer
}

// Usage returns what the answer took.
func (a Answer) Usage() Usage {
	return Usage{ModelCalls: 1, Tokens: a.Response.Usage, Cost: a.Cost, Estimated: a.Estimated}
}
