// Package planner is a plan as a run: a model makes it, or a program gives it; it is
// compiled before anything of it is done, then its steps are carried out in their
// order, and in the end there is an answer to the request. What was made of a model's
// answer stands in the journal beside it, so that a replay reads, repairs and
// compiles nothing.
//
// Its layers, from top to bottom:
//
//	planner            a run, and what it begins with
//	steps              steps in their order, side by side where they may be
//	make, step         the plan; one step: a call, or what a model says
//	arguments, answer  what is asked for a step, and in the end
//	mend, ask          what is repaired; what the model is asked, and what is made of it
//	compile, prompts   what cannot work; what the model is shown
//	messages           what the user says meanwhile
//	state              how far a plan is
package planner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Settings say how plans are made and carried out. The zero value is ready to use. What
// of them steers a run is kept in its journal: it goes on as it began.
type Settings struct {
	AfterFailure AfterFailure // "" is [Replan]
	Replans      int          // at most, in a run; 0 is 2, below 0 there are none
	Parallel     int          // steps side by side; 0 is 8
	ShownBytes   int          // of results that a prompt shows, in all; 0 is 64 KiB. If the model cannot read so much, it becomes less
	Repairs      []supervisor.Option
}

// AfterFailure is what becomes of a plan when one of its steps failed. Steps that refer
// to the failed one never run.
type AfterFailure string

// What becomes of a plan.
const (
	Replan   AfterFailure = "replan"   // the model writes the remaining steps anew, or gives up
	Stop     AfterFailure = "stop"     // the run fails
	Continue AfterFailure = "continue" // the plan goes on; the run fails in the end, with its answer
)

// Run is the function of such runs: see [run.Func]. Its input has a [task.Task].
func (s Settings) Run(fx run.Effects, in record.Input) (json.RawMessage, error) {
	p := &planning{Settings: s, fx: fx, tools: in.Tools, byName: map[string]tool.Definition{}, most: in.Limits.Steps, results: map[string]*result{}}
	if p.most <= 0 || p.most > plan.MaxSteps {
		p.most = plan.MaxSteps
	}
	for _, d := range in.Tools {
		p.byName[d.Name] = d
	}
	if err := json.Unmarshal(in.Data, &p.task); err != nil {
		return nil, &record.Error{Kind: "invalid_input", Text: "the task cannot be read: " + err.Error()}
	}
	p.listens = in.Messages
	if err := p.begin(); err != nil {
		return nil, err
	}
	for {
		answer, err := p.carryOut()
		if !p.listens || isStop(err) {
			return answer, err
		}
		m, stop := p.fx.Wait(run.For{End: true, Answer: answer, Error: record.NewError(err)})
		if stop != nil {
			return nil, stop
		}
		if m == nil {
			return answer, err
		}
		p.hear(*m)
	}
}

// begun is what a run begins with.
type begun struct {
	AfterFailure AfterFailure  `json:"after_failure"`
	Replans      int           `json:"replans"`
	Parallel     int           `json:"parallel"`
	ShownBytes   int           `json:"shown_bytes"`
	Plan         *plan.Plan    `json:"plan,omitempty"` // that was given, compiled
	Edits        []tool.Edit   `json:"edits,omitempty"`
	Wrong        *record.Error `json:"error,omitempty"`
}

// begin has what steers the run in its journal.
func (p *planning) begin() error {
	data, err := p.fx.Do("begin", func(context.Context) (json.RawMessage, error) {
		b := begun{
			AfterFailure: cmp.Or(p.AfterFailure, Replan), Replans: cmp.Or(p.Replans, 2), Parallel: cmp.Or(p.Parallel, 8),
			ShownBytes: cmp.Or(p.ShownBytes, 64<<10), Plan: p.task.Plan,
		}
		if err := b.compile(p); err != nil {
			b.Wrong = record.NewError(err)
		}
		return jsontext.Encode(b)
	})
	if err != nil {
		return err
	}
	var b begun
	if err := json.Unmarshal(data, &b); err != nil {
		return err
	}
	if b.Wrong != nil {
		return b.Wrong
	}
	p.AfterFailure, p.Replans, p.Parallel, p.ShownBytes = b.AfterFailure, b.Replans, b.Parallel, b.ShownBytes
	if b.Plan != nil {
		p.plan = *b.Plan
	}
	return nil
}

// compile compiles the plan that was given, if one was.
func (b *begun) compile(p *planning) (err error) {
	if !slices.Contains([]AfterFailure{Replan, Stop, Continue}, b.AfterFailure) {
		return &record.Error{Kind: "invalid_input", Text: fmt.Sprintf("after a failure there is %s, %s or %s, not %q", Replan, Stop, Continue, b.AfterFailure)}
	}
	if b.Plan == nil {
		return nil
	}
	for _, s := range b.Plan.Steps {
		if s.Status != "" && s.Status != plan.Pending {
			return &record.Error{Kind: "invalid_plan", Text: fmt.Sprintf("step %q is %s already; a plan begins with all steps pending", s.ID, s.Status)}
		}
	}
	compiled, edits, err := plan.Compile(*b.Plan, p.tools, p.most)
	b.Plan, b.Edits = &compiled, edits
	return err
}
