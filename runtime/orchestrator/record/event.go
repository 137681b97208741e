package record

import (
	"time"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// EventKind is what an [Event] tells of.
type EventKind string

const (
	RunStart    EventKind = "run_start"    // has Plan, if it begins with one
	PlanMade    EventKind = "plan"         // has Plan
	StepStart   EventKind = "step_start"   // has Plan
	ModelStart  EventKind = "model_start"  // has Model, which is only its purpose
	ModelEnd    EventKind = "model_end"    // has Model
	ToolStart   EventKind = "tool_start"   // has Request
	ToolEnd     EventKind = "tool_end"     // has Call
	RepairStart EventKind = "repair_start" // has Repair
	RepairEnd   EventKind = "repair_end"   // has Repair, Actions, and Error if it failed
	StoreFailed EventKind = "store_failed" // has Error; the result counts all the same
	StepEnd     EventKind = "step_end"     // has Plan and Result
	CycleEnd    EventKind = "cycle"        // has Cycle
	RunEnd      EventKind = "run_end"      // has Status, Usage, and Error if it is not completed
	RunWaits    EventKind = "run_waits"    // has Request
)

// Event tells what happens in a run.
type Event struct {
	Kind    EventKind          `json:"event"`
	Time    time.Time          `json:"time"`
	Run     string             `json:"run"`
	Step    string             `json:"step_id,omitempty"`
	Plan    *plan.Plan         `json:"plan,omitempty"`
	Model   *ModelOutput       `json:"model,omitempty"`
	Request *tool.Request      `json:"request,omitempty"`
	Call    *tool.Call         `json:"call,omitempty"`
	Repair  supervisor.Kind    `json:"repair,omitempty"`
	Actions []SupervisorAction `json:"actions,omitempty"`
	Result  *StepResult        `json:"result,omitempty"`
	Cycle   *Cycle             `json:"cycle,omitempty"`
	Status  Status             `json:"status,omitempty"`
	Usage   *Usage             `json:"usage,omitempty"`
	Error   *Error             `json:"error,omitempty"`
}

// Cycle is all that one step of the kernel did: a line of the log.
type Cycle struct {
	Number  int                `json:"step_number"` // from 1
	Plan    *plan.Plan         `json:"plan_state"`
	Outputs []ModelOutput      `json:"llm_output"`
	Repairs []SupervisorAction `json:"supervisor_actions"`
	Calls   []ToolRecord       `json:"tool_calls"`
	TTL     int                `json:"ttl_remaining"`
	Errors  []*Error           `json:"errors"`
	Time    time.Time          `json:"timestamp"`
}
