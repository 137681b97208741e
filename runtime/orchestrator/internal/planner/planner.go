// Package planner executes plans as runs: a model makes the plan, or the program provides it;
// the plan is compiled before any step starts; the steps are executed in order; at the end, the
// model answers the request. The journal contains what was read from each answer of the model,
// so that a replay does not read, repair or compile anything.
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
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Settings configure how plans are made and executed. The zero value is ready to use. All settings
// except Repairs are recorded in the journal of a run, and do not change when the run resumes.
type Settings struct {
	AfterFailure AfterFailure // "" is [Replan]
	Replans      int          // maximum number of replans in a run; 0 is 2, negative is none
	Parallel     int          // maximum number of concurrent steps; 0 is 8
	ShownBytes   int          // total length of results in a prompt; 0 is 64 KiB. If a request is too long for the model, the run shows less of the results
	Repairs      []supervisor.Option
}

// AfterFailure says what happens to a plan after one of its steps failed. Steps that refer to the
// failed one never run.
type AfterFailure string

// Values of AfterFailure.
const (
	Replan   AfterFailure = "replan"   // the model rewrites the remaining steps, or gives up
	Stop     AfterFailure = "stop"     // the run fails
	Continue AfterFailure = "continue" // the other steps run; then the run fails, but has an answer
)

// Run is the [run.Func] of plans. The data of its input is a [task.Task].
func (s Settings) Run(fx run.Effects, in run.Input) (json.RawMessage, error) {
	p := &planning{Settings: s, fx: fx, tools: in.Tools, byName: map[string]tool.Definition{}, maxSteps: in.Limits.Steps, results: map[string]*stepResult{}}
	if p.maxSteps <= 0 || p.maxSteps > plan.MaxSteps {
		p.maxSteps = plan.MaxSteps
	}
	for _, d := range in.Tools {
		p.byName[d.Name] = d
	}
	if err := json.Unmarshal(in.Data, &p.task); err != nil {
		return nil, &run.Error{Kind: "invalid_input", Text: "the task cannot be read: " + err.Error()}
	}
	p.readsMessages = in.Messages
	if err := p.recordStart(); err != nil {
		return nil, err
	}
	for {
		answer, err := p.executePlan()
		if !p.readsMessages || isStop(err) {
			return answer, err
		}
		m, stop := p.fx.Wait(run.WaitOptions{End: true, Answer: answer, Error: run.NewError(err)})
		if stop != nil {
			return nil, stop
		}
		if m == nil {
			return answer, err
		}
		p.addMessage(*m)
	}
}

// startRecord is the recorded start of a run.
type startRecord struct {
	AfterFailure AfterFailure `json:"after_failure"`
	Replans      int          `json:"replans"`
	Parallel     int          `json:"parallel"`
	ShownBytes   int          `json:"shown_bytes"`
	Plan         *plan.Plan   `json:"plan,omitempty"` // the given plan, compiled
	Edits        []tool.Edit  `json:"edits,omitempty"`
	Error        *run.Error   `json:"error,omitempty"`
}

// recordStart records the settings and the compiled plan, or uses the recorded ones.
func (p *planning) recordStart() error {
	data, err := p.fx.Do("begin", func(context.Context) (json.RawMessage, error) {
		b := startRecord{
			AfterFailure: cmp.Or(p.AfterFailure, Replan), Replans: cmp.Or(p.Replans, 2), Parallel: cmp.Or(p.Parallel, 8),
			ShownBytes: cmp.Or(p.ShownBytes, 64<<10), Plan: p.task.Plan,
		}
		if err := b.compileGivenPlan(p); err != nil {
			b.Error = run.NewError(err)
		}
		return jsontext.Encode(b)
	})
	if err != nil {
		return err
	}
	var b startRecord
	if err := json.Unmarshal(data, &b); err != nil {
		return err
	}
	if b.Error != nil {
		return b.Error
	}
	p.AfterFailure, p.Replans, p.Parallel, p.ShownBytes = b.AfterFailure, b.Replans, b.Parallel, b.ShownBytes
	if b.Plan != nil {
		p.plan = *b.Plan
	}
	return nil
}

// compileGivenPlan checks the settings and compiles the given plan, if there is one.
func (b *startRecord) compileGivenPlan(p *planning) (err error) {
	if !slices.Contains([]AfterFailure{Replan, Stop, Continue}, b.AfterFailure) {
		return &run.Error{Kind: "invalid_input", Text: fmt.Sprintf("AfterFailure must be %s, %s or %s, not %q", Replan, Stop, Continue, b.AfterFailure)}
	}
	if b.Plan == nil {
		return nil
	}
	for _, s := range b.Plan.Steps {
		if s.Status != "" && s.Status != plan.Pending {
			return &run.Error{Kind: "invalid_plan", Text: fmt.Sprintf("step %q is already %s; all steps of a new plan must be pending", s.ID, s.Status)}
		}
	}
	compiled, edits, err := plan.Compile(*b.Plan, p.tools, p.maxSteps)
	b.Plan, b.Edits = &compiled, edits
	return err
}
