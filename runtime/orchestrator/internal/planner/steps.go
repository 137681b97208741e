package planner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// executePlan makes the plan if there is none, executes its steps, and answers.
func (p *planning) executePlan() (json.RawMessage, error) {
	if err := p.ensurePlan(); err != nil {
		return nil, err
	}
	for {
		if err := p.readMessages(); err != nil {
			return nil, err
		}
		if p.hasNewMessages {
			if err := p.replanForMessages(); err != nil {
				return nil, err
			}
			continue // more messages may have arrived
		}
		i := p.nextStep()
		if i < 0 {
			break
		}
		if err := p.runStep(i); err != nil {
			return nil, err
		}
		if err := p.handleFailures(); err != nil {
			return nil, err
		}
	}
	answer, err := p.answerRequest()
	if failed := p.failedSteps(); len(failed) > 0 && err == nil && p.AfterFailure == Continue {
		err = &run.Error{Kind: "steps_failed", Text: fmt.Sprintf("%d of %d steps failed: %s", len(failed), len(p.plan.Steps), strings.Join(failed, ", "))}
	}
	return answer, err
}

// ensurePlan makes the first plan, unless there is one.
func (p *planning) ensurePlan() error {
	switch {
	case p.hasPlan:
		return nil
	case p.task.Plan != nil:
		p.hasPlan = true
		p.emitPlan(false)
	default:
		if err := p.readMessages(); err != nil {
			return err
		}
		p.hasNewMessages = false // the model sees the message when it makes the plan
		if err := p.makePlan(p.planQuestion()); err != nil {
			return err
		}
		p.hasPlan = true
	}
	return nil
}

// replanForMessages lets the model replan the remaining steps after a message. The model sees the
// failures so far, so they do not cause another replan.
func (p *planning) replanForMessages() error {
	p.hasNewMessages, p.answered, p.handledFailures = false, false, len(p.failedSteps())
	return p.makePlan(p.replanQuestion(nil, nil))
}

// handleFailures replans or ends the run if a step failed since the plan was made.
func (p *planning) handleFailures() error {
	failed := p.failedSteps()[p.handledFailures:]
	if len(failed) == 0 || p.AfterFailure == Continue {
		return nil
	}
	why := p.results[failed[0]].Error
	if p.AfterFailure == Stop || p.replans >= p.Replans || why.Kind == invalidAnswer {
		return &run.Error{Kind: why.Kind, Text: fmt.Sprintf("step %s failed: %s", failed[0], why.Text), Retry: why.Retry}
	}
	p.replans++
	p.handledFailures += len(failed)
	return p.makePlan(p.replanQuestion(failed, nil))
}

// maxContinuations limits how many steps of a run continue planning.
const maxContinuations = 10

// continuePlanning executes a step that continues planning: the model rewrites the steps after
// it. The error is a [*run.Stop], or ends the run.
func (p *planning) continuePlanning(s *plan.Step) error {
	p.startStep(s, nil)
	if p.continuations++; p.continuations > maxContinuations {
		p.endStep(s, nil, nil, &run.Error{Kind: "replan_limit", Text: fmt.Sprintf("a run can continue planning at most %d times", maxContinuations)})
		return nil
	}
	step := *s // a copy, because the new plan replaces the steps
	p.endStep(s, nil, mustEncode("the steps after it were written anew"), nil)
	return p.makePlan(p.replanQuestion(nil, &step))
}

// runStep executes a step, together with later steps that may run concurrently. The error is a
// [*run.Stop], or ends the run.
func (p *planning) runStep(i int) error {
	s := &p.plan.Steps[i]
	switch {
	case isReplan(s):
		return p.continuePlanning(s)
	case s.Tool == "":
		return p.runModelStep(s)
	}
	first, err := p.prepareCall(s)
	if isStop(err) {
		return err
	}
	if err != nil {
		p.endStep(s, nil, nil, err)
		return nil
	}
	steps, requests := []*plan.Step{s}, []run.Request{first}
	for k := i + 1; k < len(p.plan.Steps) && len(steps) < p.Parallel && p.canRunWith(&p.plan.Steps[k], s); k++ {
		request, err := p.fillCall(&p.plan.Steps[k])
		if err != nil {
			break // the step needs a result of these steps, or fails when it is its turn
		}
		steps, requests = append(steps, &p.plan.Steps[k]), append(requests, request)
	}
	for k, s := range steps {
		p.startStep(s, requests[k].Arguments)
	}
	calls, err := p.fx.Call(requests...)
	if err != nil {
		return err
	}
	for k, s := range steps {
		if err := p.endCallStep(s, calls[k]); err != nil {
			return err
		}
	}
	return nil
}

// canRunWith reports whether a step may run concurrently with an earlier one that it does not depend
// on: both only read, and no arguments are missing.
func (p *planning) canRunWith(s, earlier *plan.Step) bool {
	reads := func(s *plan.Step) bool { return s.Tool != "" && p.byName[s.Tool].Annotations.Is(tool.ReadOnly) }
	return reads(earlier) && reads(s) && len(p.missingArguments(s)) == 0
}
