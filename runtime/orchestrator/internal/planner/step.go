package planner

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// prepareCall returns the call of a step. It asks for missing arguments. The error is a
// [*run.Stop], or the step's.
func (p *planning) prepareCall(s *plan.Step) (run.Request, error) {
	if missing := p.missingArguments(s); len(missing) > 0 {
		if err := p.askArguments(s, missing, nil); err != nil {
			return run.Request{}, err
		}
	}
	return p.fillCall(s)
}

// fillCall returns the call of a complete step, with the results that it refers to. The error is
// the step's.
func (p *planning) fillCall(s *plan.Step) (request run.Request, err error) {
	request = run.Request{Step: s.ID, Request: tool.Request{Name: s.Tool, Meta: p.task.Meta}}
	if request.Arguments, err = s.Fill(p.successfulResult); err != nil {
		return request, err
	}
	if len(s.References()) > 0 {
		if err := p.checkFilled(s, request.Arguments); err != nil {
			return request, err
		}
	}
	if p.isDenied(request.Name, request.Arguments) {
		return request, &run.Error{Kind: "denied", Text: "the same call was denied before"}
	}
	return request, nil
}

// checkFilled returns an error if the arguments of a step, with the results filled in, do not fit the
// schema of its tool. If the schema is invalid, only the tool checks the arguments.
func (p *planning) checkFilled(s *plan.Step, filled json.RawMessage) error {
	bad, _ := errors.AsType[*schema.Error](schema.Validate(p.byName[s.Tool].Input, filled))
	if bad == nil || len(bad.Faults) == 0 {
		return nil
	}
	written, err := jsontext.Parse(string(s.Arguments), jsontext.Depth)
	if err != nil {
		return err
	}
	at := bad.Faults[0].Pointer
	for at != "" && written.At(at) == nil { // the fault is inside a filled-in value
		at = at[:strings.LastIndexByte(at, '/')]
	}
	return &plan.ReferenceError{Pointer: at, Reference: written.At(at).Str(), Reason: "it does not fit: " + bad.Error()}
}

// startStep starts a step with its final arguments.
func (p *planning) startStep(s *plan.Step, arguments json.RawMessage) {
	advanceStep(s, plan.Running)
	started := *s
	started.Arguments = arguments
	p.fx.Emit(s.ID, run.StepStart{Step: started, Mode: stepMode(s)})
}

// endCallStep ends a step with the outcome of its call. If the model chose the arguments and the
// tool itself rejected them, the call has not run: endCallStep asks the model once for other
// arguments and makes the call again.
func (p *planning) endCallStep(s *plan.Step, call *tool.Call) error {
	refused, isRefused := errtype.As[*tool.ArgumentError](call.Err) // a wrapped error would belong to another call
	if isRefused && p.task.Plan == nil {
		request, err := p.correctRefused(s, refused)
		if isStop(err) {
			return err
		}
		if err == nil {
			calls, err := p.fx.Call(request)
			if err != nil {
				return err
			}
			call = calls[0]
		}
	}
	p.endStep(s, call, call.Output, call.Err)
	return nil
}

// correctRefused returns the call of a step with new values for the arguments that the tool
// refused.
func (p *planning) correctRefused(s *plan.Step, refused *tool.ArgumentError) (run.Request, error) {
	var names []string
	for _, f := range refused.Faults {
		for name := range jsontext.Names(f.Pointer) {
			names = append(names, name)
			break
		}
	}
	slices.Sort(names)
	if err := p.askArguments(s, slices.Compact(names), refused); err != nil {
		return run.Request{}, err
	}
	return p.fillCall(s)
}

// endStep ends a step with a result or an error. Call is the last call of the step, if there is one.
func (p *planning) endStep(s *plan.Step, call *tool.Call, result json.RawMessage, err error) {
	r := run.StepResult{StepID: s.ID, Mode: stepMode(s), Success: err == nil, Error: run.NewError(err)}
	if r.Success {
		r.Result = result
	}
	p.results[s.ID] = &stepResult{r, call}
	if s.Status != plan.Running { // it failed before it started
		advanceStep(s, plan.Running)
	}
	if r.Success {
		advanceStep(s, plan.Complete)
	} else {
		advanceStep(s, plan.Failed)
	}
	ended := *s
	if call != nil {
		ended.Arguments = call.Request.Arguments
		if tool.Code(call.Err) == "denied" {
			p.denied = append(p.denied, call.Request)
		}
	}
	p.fx.Emit(s.ID, run.StepEnd{Step: ended, Result: r})
}

// runModelStep lets the model do a step. If it is the last one, its result is the answer.
func (p *planning) runModelStep(s *plan.Step) error {
	last := s.ID == p.plan.Steps[len(p.plan.Steps)-1].ID && s.Agent != ""
	p.startStep(s, nil)
	q := question{purpose: run.PurposeReasoning, step: s.ID, file: "reason.txt", fillPrompt: func(d *promptData) {
		d.Step, d.Fallback, d.Last = jsontext.QuoteLine(s.Description, plan.MaxText), s.Agent == "", last
	}}
	if s.Agent == "" {
		q.purpose = run.PurposeFallback
	}
	var result json.RawMessage
	var err error
	if last {
		result, err = p.askAnswer(q)
		p.answered = err == nil
	} else {
		result, err = askUntilValid(p, q, readText)
	}
	if isStop(err) {
		return err
	}
	p.endStep(s, nil, result, err)
	return nil
}
