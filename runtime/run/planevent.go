package run

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// Purposes of asking a model.
const (
	PurposeQuestion  = "question" // a question that the function of a tool asks
	PurposePlan      = "plan"
	PurposeReplan    = "replan"    // the remaining steps: after a step failed, after a message, or where the plan says so
	PurposeArguments = "arguments" // the missing arguments of a step
	PurposeReasoning = "reasoning" // a step that the model does itself
	PurposeFallback  = "fallback"  // a step without a tool
	PurposeRepair    = "repair"
	PurposeAnswer    = "answer"
	PurposeTurn      = "turn" // a turn of a conversation
)

// Purposes returns all purposes.
func Purposes() []string {
	return []string{
		PurposeQuestion, PurposePlan, PurposeReplan, PurposeArguments, PurposeReasoning, PurposeFallback, PurposeRepair, PurposeAnswer, PurposeTurn,
	}
}

// Mode is how a step is executed.
type Mode string

// These are the modes of steps.
const (
	ModeTool     Mode = "tool"
	ModeLLM      Mode = "llm"
	ModeFallback Mode = "fallback" // by a model, because there is no tool for the step
	ModeReplan   Mode = "replan"   // the model plans the remaining steps
)

type (
	// PlanMade reports a new plan. Its steps are a copy, because the run changes its own steps later.
	PlanMade struct {
		Plan      plan.Plan
		Replanned bool // some steps have already run; the plan contains them
	}

	// StepStart reports that a step starts. Its arguments are final.
	StepStart struct {
		Step plan.Step
		Mode Mode
	}

	// StepEnd reports the outcome of a step, with the arguments it started with.
	StepEnd struct {
		Step   plan.Step
		Result StepResult
	}

	// RepairAttempted reports attempts to repair what the model wrote, such as a plan or a call.
	RepairAttempted struct {
		Kind    supervisor.Kind
		Tool    string // that the repair is about; may be empty
		Actions []supervisor.Action
		Error   *Error // if the repair failed
	}

	// StoreFailed reports that the result of a step could not be stored in the memory, or that entries of
	// the memory could not be read. The run continues.
	StoreFailed struct{ Error *Error }

	// MessageRead reports that a conversation or a plan has read a message.
	MessageRead struct{ Message llm.Message }

	// MessagesCompacted reports that a conversation now has fewer messages.
	MessagesCompacted struct{ Before, After int }
)

// StepResult is the outcome of a step.
type StepResult struct {
	StepID  string          `json:"step_id"`
	Mode    Mode            `json:"execution_mode"`
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}
