package orchestrator

import (
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// cycle is one line of the log; see [CycleLog].
type cycle struct {
	Run     string         `json:"run"`
	Agent   string         `json:"agent_call,omitempty"` // the call that the agent of the cycle carries out
	Number  int            `json:"step_number"`          // steps are numbered in the order of their first effects; 0 outside of a step
	Plan    *planState     `json:"plan_state,omitempty"`
	Outputs []modelOutput  `json:"llm_output,omitempty"`
	Actions []repairAction `json:"supervisor_actions,omitempty"`
	Calls   []toolCall     `json:"tool_calls,omitempty"`
	TTL     *int           `json:"ttl_remaining,omitempty"` // steps that the run may still begin, if there is a limit
	Errors  []loggedError  `json:"errors,omitempty"`
	Time    time.Time      `json:"timestamp"` // the end of the cycle

	events []run.Event // the other fields are derived from them
}

// isLogged reports whether a line contains an event of this type.
func isLogged(what any) bool {
	switch what.(type) {
	case run.ModelEnd, run.CallEnd, run.OutcomeDropped, run.RunStopped, run.RunDetached,
		run.RepairAttempted, run.StoreFailed, run.PlanMade, run.StepEnd:
		return true
	}
	return false
}

// planState describes a change of a plan or of its run.
type planState struct {
	Status   string `json:"status,omitempty"`    // of the run, when it stops
	WaitsFor string `json:"waits_for,omitempty"` // if it is waiting
	Goal     string `json:"goal,omitempty"`      // of a new plan; Steps then contains all its steps
	Steps    []any  `json:"steps,omitempty"`     // each is a plan.Step or a stepState
}

// stepState is the final state of a step.
type stepState struct {
	ID     string      `json:"step_id"`
	Status plan.Status `json:"status"`
	Mode   run.Mode    `json:"execution_mode,omitempty"`
}

// modelOutput is an answer of a model.
type modelOutput struct {
	For     string `json:"purpose"`
	Tool    string `json:"tool,omitempty"`
	Asked   string `json:"asked_model,omitempty"` // the requested model; Response.Model is the one that answered
	Attempt int    `json:"attempt,omitempty"`     // unless it is the first
	llm.Response
	Estimated bool    `json:"estimated,omitempty"` // the usage is an estimate
	Cost      float64 `json:"cost,omitempty"`
	Duration  string  `json:"duration,omitempty"` // as formatted by time.Duration
}

// repairAction is an attempt at a repair.
type repairAction struct {
	Tool string `json:"tool,omitempty"`
	supervisor.Action
}

// toolCall is a call of a tool.
type toolCall struct {
	Attempt int        `json:"attempt,omitempty"` // unless it is the first
	Dropped bool       `json:"dropped,omitempty"` // somebody decided about the call before it ended
	Call    *tool.Call `json:"call"`
}

// loggedError is an error with the step in which it occurred.
type loggedError struct {
	Step string `json:"step_id,omitempty"`
	run.Error
}

// addAnswer adds an answer. It omits the data that only the provider can read.
func (l *cycle) addAnswer(e run.Event, w run.ModelEnd) {
	o := modelOutput{For: w.For, Tool: w.Tool, Asked: w.Model, Response: w.Answer.Response, Estimated: w.Answer.Estimated, Cost: w.Answer.Cost}
	o.Provider = nil
	o.Attempt = laterAttempt(w.Attempt)
	if w.Answer.Duration > 0 {
		o.Duration = w.Answer.Duration.String()
	}
	l.Outputs = append(l.Outputs, o)
	l.addError(e, w.Answer.Error)
}

// laterAttempt returns the number of an attempt, or 0 for the first one, which the log omits.
func laterAttempt(attempt int) int {
	if attempt == 1 {
		return 0
	}
	return attempt
}

// addEvent adds an event for which isLogged reports true.
func (l *cycle) addEvent(e run.Event) {
	switch w := e.What.(type) {
	case run.ModelEnd:
		l.addAnswer(e, w)
	case run.CallEnd:
		l.Calls = append(l.Calls, toolCall{Attempt: laterAttempt(w.Attempt), Call: w.Call})
		l.addError(e, run.NewError(w.Call.Err))
	case run.OutcomeDropped:
		l.Calls = append(l.Calls, toolCall{Dropped: true, Call: w.Call})
	case run.RepairAttempted:
		for _, a := range w.Actions {
			l.Actions = append(l.Actions, repairAction{w.Tool, a})
		}
		l.addError(e, w.Error)
	case run.StoreFailed:
		l.addError(e, w.Error)
	case run.PlanMade:
		l.Plan = &planState{Goal: w.Plan.Goal}
		for _, s := range w.Plan.Steps {
			l.Plan.Steps = append(l.Plan.Steps, s)
		}
	case run.StepEnd:
		l.Plan = &planState{Steps: []any{stepState{w.Result.StepID, stepStatus(w.Result), w.Result.Mode}}}
		l.addError(e, w.Result.Error)
	case run.RunStopped:
		l.Plan = &planState{Status: w.Result.Status, WaitsFor: w.Result.WaitsFor}
		l.addError(e, w.Result.Error)
	case run.RunDetached:
		l.addError(e, w.Error)
	}
}

func stepStatus(r run.StepResult) plan.Status {
	if r.Success {
		return plan.Complete
	}
	return plan.Failed
}

// addError adds an error, unless it equals the last one: a step often fails with the error of its
// call.
func (l *cycle) addError(e run.Event, err *run.Error) {
	if err == nil {
		return
	}
	if n := len(l.Errors); n > 0 && l.Errors[n-1].Error == *err {
		return
	}
	l.Errors = append(l.Errors, loggedError{e.Step, *err})
}

func (l *cycle) isEmpty() bool {
	return l.Plan == nil && len(l.Outputs)+len(l.Actions)+len(l.Calls)+len(l.Errors) == 0
}
