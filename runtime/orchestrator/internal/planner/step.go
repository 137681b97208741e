package planner

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// prepare returns the call that a step makes. It asks for what the step lacks. The
// error is a [*record.Stop], or the step's.
func (p *planning) prepare(s *plan.Step) (run.Request, error) {
	if missing := p.missing(s); len(missing) > 0 {
		if err := p.complete(s, missing, nil); err != nil {
			return run.Request{}, err
		}
	}
	return p.fill(s)
}

// fill returns the call of a step that lacks nothing, with the results that it refers
// to. The error is the step's.
func (p *planning) fill(s *plan.Step) (request run.Request, err error) {
	request = run.Request{Step: s.ID, Request: tool.Request{Name: s.Tool, Meta: p.task.Meta}}
	if request.Arguments, err = s.Fill(p.result); err != nil {
		return request, err
	}
	if len(s.References()) > 0 {
		if err := p.misfit(s, request.Arguments); err != nil {
			return request, err
		}
	}
	if p.isDenied(request.Name, request.Arguments) {
		return request, &record.Error{Kind: "denied", Text: "this very call was denied before"}
	}
	return request, nil
}

// misfit returns an error if the arguments of a step do not fit with the values that
// were put in. What cannot be checked is left to the tool.
func (p *planning) misfit(s *plan.Step, filled json.RawMessage) error {
	bad, _ := errors.AsType[*schema.Error](schema.Validate(p.byName[s.Tool].Input, filled))
	if bad == nil || len(bad.Faults) == 0 {
		return nil
	}
	written, err := jsontext.Parse(string(s.Arguments), jsontext.Depth)
	if err != nil {
		return err
	}
	at := bad.Faults[0].Pointer
	for at != "" && written.At(at) == nil { // it is in a value that was put in
		at = at[:strings.LastIndexByte(at, '/')]
	}
	return &plan.ReferenceError{Pointer: at, Reference: written.At(at).Str(), Reason: "it does not fit: " + bad.Error()}
}

// begins has a step begin, with its final arguments.
func (p *planning) begins(s *plan.Step, arguments json.RawMessage) {
	advance(s, plan.Running)
	as := *s
	as.Arguments = arguments
	p.fx.Emit(s.ID, event.StepStart{Step: as, Mode: mode(s)})
}

// came ends a step with what came of its call. What the tool itself refused of
// arguments that a model chose is asked for again, once, for it has not run.
func (p *planning) came(s *plan.Step, call *tool.Call) error {
	refused, isRefused := call.Err.(*tool.ArgumentError) // one that another error wraps is of another call
	if isRefused && p.task.Plan == nil {
		request, err := p.again(s, refused)
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
	r := &result{call: call}
	if r.Result = call.Output; call.Err != nil {
		r.fail(call.Err)
	}
	p.ends(s, r)
	return nil
}

// again returns the call of a step without what the tool refused of its arguments.
func (p *planning) again(s *plan.Step, refused *tool.ArgumentError) (run.Request, error) {
	var names []string
	for _, f := range refused.Faults {
		for name := range jsontext.Names(f.Pointer) {
			names = append(names, name)
			break
		}
	}
	slices.Sort(names)
	if err := p.complete(s, slices.Compact(names), refused); err != nil {
		return run.Request{}, err
	}
	return p.fill(s)
}

// ends ends a step.
func (p *planning) ends(s *plan.Step, r *result) {
	r.StepID, r.Mode, r.Success = s.ID, mode(s), r.Error == nil
	p.results[s.ID] = r
	if s.Status != plan.Running { // it never began
		advance(s, plan.Running)
	}
	if r.Success {
		advance(s, plan.Complete)
	} else {
		advance(s, plan.Failed)
	}
	as := *s
	if r.call != nil {
		as.Arguments = r.call.Request.Arguments
	}
	p.fx.Emit(s.ID, event.StepEnd{Step: as, Result: r.StepResult})
}

// reason has the model do a step. If it is the last one, that is the answer.
func (p *planning) reason(s *plan.Step) error {
	last := s.ID == p.plan.Steps[len(p.plan.Steps)-1].ID && s.Agent != ""
	p.begins(s, nil)
	q := question{purpose: event.ForReasoning, step: s.ID, file: "reason.txt", fill: func(d *shown) {
		d.Step, d.Fallback, d.Last = quote.Text(s.Description, planform.MaxText), s.Agent == "", last
	}}
	if s.Agent == "" {
		q.purpose = event.ForFallback
	}
	r := &result{}
	var err error
	if last {
		r.Result, err = p.say(q)
		p.answered = err == nil
	} else {
		r.Result, err = ask(p, q, readText)
	}
	if isStop(err) {
		return err
	}
	if err != nil {
		r.fail(err)
	}
	p.ends(s, r)
	return nil
}
