// Package event is what plans and conversations tell of themselves, as [record.Event]
// carries it, beside what every run tells (package record). It is plain data.
package event

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// What a model is asked for.
const (
	ForPlan      = "plan"
	ForReplan    = "replan"    // of the steps that are left: after a step failed, after a message, or where the plan says so
	ForArguments = "arguments" // that a step lacks
	ForReasoning = "reasoning" // a step that the model does itself
	ForFallback  = "fallback"  // a step that no tool does
	ForRepair    = "repair"
	ForAnswer    = "answer"
	ForTurn      = "turn" // of a conversation
)

// Mode is how a step is executed.
type Mode string

const (
	ModeTool     Mode = "tool"
	ModeLLM      Mode = "llm"
	ModeFallback Mode = "fallback" // by a model, since there is no tool for it
	ModeReplan   Mode = "replan"   // the model plans the rest
)

type (
	// PlanMade tells of a plan, or of a new one in its place, and only then. Its steps
	// are a copy: those of the run go on.
	PlanMade struct {
		Plan plan.Plan
		Anew bool // some steps ran already, and stand in it
	}

	// StepStart tells that a step begins; its arguments are final.
	StepStart struct {
		Step plan.Step
		Mode Mode
	}

	// StepEnd tells what came of a step, with the arguments that it began with.
	StepEnd struct {
		Step   plan.Step
		Result StepResult
	}

	// Repaired tells of attempts to repair something.
	Repaired struct {
		Kind    supervisor.Kind
		Tool    string // that it is about, if it is about one that there is
		Actions []supervisor.Action
		Error   *record.Error // if there is no repair
	}

	// StoreFailed tells that what a step resulted in is not in the store, or that what
	// is remembered cannot be read: the run goes on without.
	StoreFailed struct{ Error *record.Error }

	// Heard tells of a message that a conversation or a plan has read.
	Heard struct{ Message llm.Message }

	// Compacted tells that the messages of a conversation became fewer.
	Compacted struct{ Before, After int }
)

// StepResult is what came of a step.
type StepResult struct {
	StepID  string          `json:"step_id"`
	Mode    Mode            `json:"execution_mode"`
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *record.Error   `json:"error,omitempty"`
}
