package planner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// carryOut makes the plan, if there is none, does its steps, and answers.
func (p *planning) carryOut() (json.RawMessage, error) {
	if err := p.plans(); err != nil {
		return nil, err
	}
	for {
		if err := p.listen(); err != nil {
			return nil, err
		}
		if p.isNews {
			if err := p.replanned(); err != nil {
				return nil, err
			}
			continue // more may have been said meanwhile
		}
		i := p.next()
		if i < 0 {
			break
		}
		if err := p.turn(i); err != nil {
			return nil, err
		}
		if err := p.judge(); err != nil {
			return nil, err
		}
	}
	answer, err := p.answer()
	if failed := p.failed(); len(failed) > 0 && err == nil && p.AfterFailure == Continue {
		err = &record.Error{Kind: "steps_failed", Text: fmt.Sprintf("%d of %d steps failed: %s", len(failed), len(p.plan.Steps), strings.Join(failed, ", "))}
	}
	return answer, err
}

// plans makes the plan that the run begins with, unless there is one.
func (p *planning) plans() error {
	switch {
	case p.begun:
		return nil
	case p.task.Plan != nil:
		p.begun = true
		p.made(false)
	default:
		if err := p.listen(); err != nil {
			return err
		}
		p.isNews = false // the model is shown it
		if err := p.make(p.wanted()); err != nil {
			return err
		}
		p.begun = true
	}
	return nil
}

// replanned has the model plan the steps that are left again, after a message. Steps that
// have failed so far are known to it, and are no reason to plan once more.
func (p *planning) replanned() error {
	p.isNews, p.answered, p.forgiven = false, false, len(p.failed())
	return p.make(p.anew(nil, nil))
}

// judge says what becomes of the plan if a step failed since it was made.
func (p *planning) judge() error {
	failed := p.failed()[p.forgiven:]
	if len(failed) == 0 || p.AfterFailure == Continue {
		return nil
	}
	why := p.results[failed[0]].Error
	if p.AfterFailure == Stop || p.replans >= p.Replans || why.Kind == invalidAnswer {
		return &record.Error{Kind: why.Kind, Text: fmt.Sprintf("step %s failed: %s", failed[0], why.Text), Retry: why.Retry}
	}
	p.replans++
	p.forgiven += len(failed)
	return p.make(p.anew(failed, nil))
}

// mostPlanned bounds how many steps of a run continue planning.
const mostPlanned = 10

// planOn carries out a step that continues planning: the steps after it are written anew.
// That is not a failure. The error is a [*record.Stop], or ends the run.
func (p *planning) planOn(s *plan.Step) error {
	p.begins(s, nil)
	if p.planned++; p.planned > mostPlanned {
		r := &result{}
		r.fail(&record.Error{Kind: "replan_limit", Text: fmt.Sprintf("a run plans on at most %d times", mostPlanned)})
		p.ends(s, r)
		return nil
	}
	step := *s // which the new plan replaces
	p.ends(s, &result{StepResult: event.StepResult{Result: encode("the steps after it were written anew")}})
	return p.make(p.anew(nil, &step))
}

// turn carries out a step, and with it those that may run beside it. The error is a
// [*record.Stop].
func (p *planning) turn(i int) error {
	s := &p.plan.Steps[i]
	switch {
	case isReplan(s):
		return p.planOn(s)
	case s.Tool == "":
		return p.reason(s)
	}
	first, err := p.prepare(s)
	if isStop(err) {
		return err
	}
	if err != nil {
		r := &result{}
		r.fail(err)
		p.ends(s, r)
		return nil
	}
	steps, requests := []*plan.Step{s}, []run.Request{first}
	for k := i + 1; k < len(p.plan.Steps) && len(steps) < p.Parallel && p.beside(&p.plan.Steps[k], s); k++ {
		request, err := p.fill(&p.plan.Steps[k])
		if err != nil {
			break // it needs what comes of one of them, or fails in its turn
		}
		steps, requests = append(steps, &p.plan.Steps[k]), append(requests, request)
	}
	for k, s := range steps {
		p.begins(s, requests[k].Arguments)
	}
	calls, err := p.fx.Call(requests...)
	if err != nil {
		return err
	}
	for k, s := range steps {
		if err := p.came(s, calls[k]); err != nil {
			return err
		}
	}
	return nil
}

// beside reports whether a step may run beside one before it, if it needs nothing that
// comes of that: both only read, and nothing is to be asked before.
func (p *planning) beside(s, before *plan.Step) bool {
	reads := func(s *plan.Step) bool { return s.Tool != "" && p.byName[s.Tool].Annotations.Is(tool.ReadOnly) }
	return reads(before) && reads(s) && len(p.missing(s)) == 0
}
