package cyclelog

import (
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// cycle is a line of the log. What did not change in it is left out.
type cycle struct {
	Run     string     `json:"run"`
	Number  int        `json:"step_number"` // in the order in which steps began to do something; 0 is of no step
	Plan    *planState `json:"plan_state,omitempty"`
	Outputs []output   `json:"llm_output,omitempty"`
	Actions []action   `json:"supervisor_actions,omitempty"`
	Calls   []call     `json:"tool_calls,omitempty"`
	TTL     *int       `json:"ttl_remaining,omitempty"` // steps that the run may still begin, if there is a limit
	Errors  []fault    `json:"errors,omitempty"`
	Time    time.Time  `json:"timestamp"` // of the end of the cycle

	events []record.Event // that the rest is made of
}

// appears reports whether a line has something of an event.
func appears(what any) bool {
	switch what.(type) {
	case record.ModelEnd, record.CallEnd, record.Dropped, record.Stopped, record.Lost,
		event.Repaired, event.StoreFailed, event.PlanMade, event.StepEnd:
		return true
	}
	return false
}

// planState is what changed of a plan and its run.
type planState struct {
	Status   string `json:"status,omitempty"`    // of the run, when it stops
	WaitsFor string `json:"waits_for,omitempty"` // if it is waiting
	Goal     string `json:"goal,omitempty"`      // of a plan that was made, with all its steps
	Steps    []any  `json:"steps,omitempty"`     // a plan.Step, or a stepState
}

// stepState is a step of a plan that ended.
type stepState struct {
	ID     string      `json:"step_id"`
	Status plan.Status `json:"status"`
	Mode   event.Mode  `json:"execution_mode,omitempty"`
}

// output is an answer of a model.
type output struct {
	For     string `json:"purpose"`
	Tool    string `json:"tool,omitempty"`
	Asked   string `json:"asked_model,omitempty"`
	Attempt int    `json:"attempt,omitempty"` // where it is not the first
	llm.Response
	Estimated bool    `json:"estimated,omitempty"` // the usage
	Cost      float64 `json:"cost,omitempty"`
	Duration  string  `json:"duration,omitempty"` // as Go writes it
}

// action is an attempt at a repair.
type action struct {
	Tool string `json:"tool,omitempty"`
	supervisor.Action
}

// call is a call of a tool.
type call struct {
	Attempt int        `json:"attempt,omitempty"` // where it is not the first
	Dropped bool       `json:"dropped,omitempty"` // somebody decided about the call before it ended
	Call    *tool.Call `json:"call"`
}

// fault is what went wrong, and where.
type fault struct {
	Step string `json:"step_id,omitempty"`
	record.Error
}

// model notes an answer. What only its provider reads, and what was read from it, which
// other events tell, is left out.
func (l *cycle) model(e record.Event, w record.ModelEnd) {
	o := output{For: w.For, Tool: w.Tool, Asked: w.Model, Response: w.Answer.Response, Estimated: w.Answer.Estimated, Cost: w.Answer.Cost}
	o.Provider = nil
	o.Attempt = further(w.Attempt)
	if w.Answer.Duration > 0 {
		o.Duration = w.Answer.Duration.String()
	}
	l.Outputs = append(l.Outputs, o)
	l.fail(e, w.Answer.Error)
}

// further returns an attempt that is not the first.
func further(attempt int) int {
	if attempt == 1 {
		return 0
	}
	return attempt
}

// add adds what a line has of an event; see appears.
func (l *cycle) add(e record.Event) {
	switch w := e.What.(type) {
	case record.ModelEnd:
		l.model(e, w)
	case record.CallEnd:
		l.Calls = append(l.Calls, call{Attempt: further(w.Attempt), Call: w.Call})
		l.fail(e, record.NewError(w.Call.Err))
	case record.Dropped:
		l.Calls = append(l.Calls, call{Dropped: true, Call: w.Call})
	case event.Repaired:
		for _, a := range w.Actions {
			l.Actions = append(l.Actions, action{w.Tool, a})
		}
		l.fail(e, w.Error)
	case event.StoreFailed:
		l.fail(e, w.Error)
	case event.PlanMade:
		l.Plan = &planState{Goal: w.Plan.Goal}
		for _, s := range w.Plan.Steps {
			l.Plan.Steps = append(l.Plan.Steps, s)
		}
	case event.StepEnd:
		l.Plan = &planState{Steps: []any{stepState{w.Result.StepID, status(w.Result), w.Result.Mode}}}
		l.fail(e, w.Result.Error)
	case record.Stopped:
		l.Plan = &planState{Status: w.Result.Status, WaitsFor: w.Result.WaitsFor}
		l.fail(e, w.Result.Error)
	case record.Lost:
		l.fail(e, w.Error)
	}
}

func status(r event.StepResult) plan.Status {
	if r.Success {
		return plan.Complete
	}
	return plan.Failed
}

// fail notes an error, unless it is the last one again, as of a call and its step.
func (l *cycle) fail(e record.Event, err *record.Error) {
	if err == nil {
		return
	}
	if n := len(l.Errors); n > 0 && l.Errors[n-1].Error == *err {
		return
	}
	l.Errors = append(l.Errors, fault{e.Step, *err})
}

func (l *cycle) empty() bool {
	return l.Plan == nil && len(l.Outputs)+len(l.Actions)+len(l.Calls)+len(l.Errors) == 0
}
