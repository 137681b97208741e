package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// steps carries out what is left of the plan.
func (p *planning) steps() error {
	for i := p.next(); i >= 0; i = p.next() {
		if err := p.turn(i); err != nil {
			return err
		}
		if failed := p.failed(); len(failed) > 0 && p.AfterFailure == Stop {
			return p.results[failed[0]].Error
		}
	}
	if failed := p.failed(); len(failed) > 0 {
		return &record.Error{Kind: "steps_failed", Text: fmt.Sprintf("%d of %d steps failed: %s", len(failed), len(p.plan.Steps), strings.Join(failed, ", "))}
	}
	return nil
}

// next returns the step whose turn it is; -1 if there are no more.
func (p *planning) next() int {
	return slices.IndexFunc(p.plan.Steps, func(s plan.Step) bool { return !s.Status.Final() })
}

// failed returns the steps that failed.
func (p *planning) failed() (ids []string) {
	for _, s := range p.plan.Steps {
		if s.Status == plan.Failed {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// turn carries out a step, and with it those that may run beside it.
func (p *planning) turn(i int) error {
	s := &p.plan.Steps[i]
	if s.Tool == "" {
		return p.reason(s)
	}
	first, failure, err := p.prepare(s)
	if err != nil {
		return err
	}
	if failure != nil {
		p.end(s, nil, nil, failure)
		return nil
	}
	steps, requests := []*plan.Step{s}, []run.Request{first}
	for k := i + 1; k < len(p.plan.Steps) && len(steps) < p.Parallel && p.beside(&p.plan.Steps[k], steps); k++ {
		request, failure := p.fill(&p.plan.Steps[k])
		if failure != nil {
			break // in its turn
		}
		steps, requests = append(steps, &p.plan.Steps[k]), append(requests, request)
	}
	for k, s := range steps {
		p.start(s, requests[k])
	}
	calls, err := p.fx.Call(requests...)
	if err != nil {
		return err
	}
	for k, s := range steps {
		if err := p.came(s, requests[k], calls[k]); err != nil {
			return err
		}
	}
	return nil
}

// beside reports whether a step may run beside those before it: all only read, none
// needs what comes of another, and nothing is to be asked before.
func (p *planning) beside(s *plan.Step, before []*plan.Step) bool {
	reads := func(s *plan.Step) bool { return s.Tool != "" && p.byName[s.Tool].Annotations.Is(tool.ReadOnly) }
	return reads(before[0]) && reads(s) && len(p.missing(s)) == 0 &&
		!slices.ContainsFunc(s.References(), func(r plan.Reference) bool {
			return slices.ContainsFunc(before, func(b *plan.Step) bool { return b.ID == r.Step })
		})
}

// missing returns the names of required arguments that a step lacks.
func (p *planning) missing(s *plan.Step) []string { return plan.Missing(s.Arguments, p.byName[s.Tool]) }
