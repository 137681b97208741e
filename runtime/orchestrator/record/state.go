// Package record is what a run of the orchestrator keeps and tells: plain data,
// which survives JSON both ways.
package record

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Format is the version of the form in which states are kept.
const Format = 1

// Status is where a run stands.
type Status string

const (
	Running    Status = "running"     // there is more to do
	Waiting    Status = "waiting"     // a call waits for approval, until a person decides
	Completed  Status = "completed"   // all steps are complete
	Failed     Status = "failed"      // a step failed, or there is no plan, or no model
	TTLExpired Status = "ttl_expired" // steps or tokens ran out
)

// State is all of a run, and survives JSON both ways. Its lists only grow.
type State struct {
	Format      int                `json:"format"`
	Version     int                `json:"version"`
	ID          string             `json:"id"`
	Request     string             `json:"request,omitempty"`
	Meta        map[string]string  `json:"meta,omitempty"`
	Tools       []tool.Definition  `json:"tools,omitempty"` // as they were at the start
	Status      Status             `json:"status"`
	Plan        *plan.Plan         `json:"plan,omitempty"`
	CurrentStep string             `json:"current_step_id,omitempty"`
	ToolHistory []ToolRecord       `json:"tool_history,omitempty"`
	Outputs     []ModelOutput      `json:"llm_outputs,omitempty"`
	Repairs     []SupervisorAction `json:"supervisor_actions,omitempty"`
	Results     []StepResult       `json:"step_results,omitempty"`
	TTL         int                `json:"ttl_remaining"`
	Cycles      int                `json:"cycles"` // how many there were
	Usage       Usage              `json:"usage"`
	Waiting     *tool.Request      `json:"waiting,omitempty"` // for approval, or approved and not yet called
	Denied      bool               `json:"denied,omitempty"`  // what waited; the step is to fail
	Error       *Error             `json:"error,omitempty"`
}

// ToolRecord is a call of a step.
type ToolRecord struct {
	StepID string     `json:"step_id"`
	Call   *tool.Call `json:"call"`
}

// SupervisorAction is an attempt at a repair for a step, or for the plan.
type SupervisorAction struct {
	StepID string `json:"step_id,omitempty"`
	supervisor.Action
}

// Purpose is what a model is asked for.
type Purpose string

const (
	ForPlan      Purpose = "plan"
	ForArguments Purpose = "arguments"
	ForReasoning Purpose = "reasoning"
	ForFallback  Purpose = "fallback"
	ForRepair    Purpose = "repair"
)

// ModelOutput is what a model answered: a text or an error.
type ModelOutput struct {
	StepID  string     `json:"step_id,omitempty"`
	Purpose Purpose    `json:"purpose"`
	Text    string     `json:"text"`
	Model   string     `json:"model,omitempty"`
	Finish  llm.Finish `json:"finish,omitempty"`
	Usage   llm.Usage  `json:"usage,omitzero"`
	Error   *Error     `json:"error,omitempty"`
}

// Mode is how a step was executed.
type Mode string

const (
	ModeTool     Mode = "tool"
	ModeLLM      Mode = "llm"
	ModeFallback Mode = "fallback" // by a model, since there is no tool for it
)

// StepResult is what came of a step.
type StepResult struct {
	StepID  string          `json:"step_id"`
	Mode    Mode            `json:"execution_mode"`
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Usage sums up what a run took.
type Usage struct {
	ModelCalls int       `json:"model_calls"`
	ToolCalls  int       `json:"tool_calls"`
	Tokens     llm.Usage `json:"tokens"`
}

// Result is what came of a run.
type Result struct {
	Plan   *plan.Plan `json:"plan"`
	Status Status     `json:"status"` // Completed, Failed or TTLExpired
	State  State      `json:"state"`
	Usage  Usage      `json:"usage"`
	Error  *Error     `json:"error,omitempty"` // why it is not Completed
}
