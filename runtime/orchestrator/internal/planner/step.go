package planner

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// prepare returns the call that a step makes. The failure is the step's.
func (p *planning) prepare(s *plan.Step) (request run.Request, failure *record.Error, err error) {
	request, failure = p.fill(s)
	return request, failure, nil
}

// fill returns the call of a step that lacks nothing, with the results that it refers
// to.
func (p *planning) fill(s *plan.Step) (run.Request, *record.Error) {
	arguments, err := s.Fill(p.result)
	request := run.Request{Step: s.ID, Request: tool.Request{Name: s.Tool, Arguments: arguments, Meta: p.task.Meta}}
	return request, record.NewError(err)
}

// result returns what came of a step, if it did not fail.
func (p *planning) result(step string) (plan.Result, bool) {
	r := p.results[step]
	if r == nil || !r.Success {
		return plan.Result{}, false
	}
	var output json.RawMessage
	if r.call != nil {
		output = p.byName[r.call.Request.Name].Output
	}
	return plan.Result{Value: r.Result, Output: output}, true
}

// start has a step begin with a call.
func (p *planning) start(s *plan.Step, request run.Request) {
	begins := *s
	begins.Arguments = request.Arguments
	p.begins(s, begins, event.ModeTool)
}

// begins has a step begin, and tells of it.
func (p *planning) begins(s *plan.Step, as plan.Step, mode event.Mode) {
	advance(s, plan.Running)
	as.Status = s.Status
	p.fx.Emit(s.ID, event.StepStart{Step: as, Mode: mode})
}

// came ends a step with what came of its call.
func (p *planning) came(s *plan.Step, request run.Request, call *tool.Call) error {
	p.end(s, call, call.Output, record.NewError(call.Err))
	return nil
}

// reason has the model do a step.
func (p *planning) reason(s *plan.Step) error {
	return &record.Error{Kind: "no_tool", Text: "the step has no tool"}
}

// end ends a step, with the call that it made, if it made one, and its result, if
// there is no error.
func (p *planning) end(s *plan.Step, call *tool.Call, value json.RawMessage, failure *record.Error) {
	mode := event.ModeTool
	switch {
	case s.Tool == "" && s.Agent == "":
		mode = event.ModeFallback
	case s.Tool == "":
		mode = event.ModeLLM
	}
	r := &result{event.StepResult{StepID: s.ID, Mode: mode, Success: failure == nil, Result: value, Error: failure}, call}
	p.results[s.ID] = r
	if s.Status != plan.Running { // it never began
		advance(s, plan.Running)
	}
	if failure != nil {
		advance(s, plan.Failed)
		r.Result = nil
	} else {
		advance(s, plan.Complete)
	}
	p.fx.Emit(s.ID, event.StepEnd{Result: r.StepResult})
}

func advance(s *plan.Step, to plan.Status) {
	if err := s.Advance(to); err != nil {
		panic(err) // each step is carried out once
	}
}
