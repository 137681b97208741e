package history

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// frame is the state of the run, or of an agent that carries out a call.
type frame struct {
	id      string // of the run, or of the call that the agent carries out
	run     string // ID of the run; only set for an agent
	depth   int
	tools   []tool.Definition
	request string
	turns   int
	plans   []*Plan
	steps   map[string]*planStep // of the latest plan that contains them
	answer  *Item                // the last turn of a conversation
}

// Plan is a plan of a run.
type Plan struct {
	Entry int  // number of the entry that contains the plan
	Given bool // the program passed the plan to the run; otherwise the model wrote it
	plan.Plan
	Edits []tool.Edit // repairs of what the model wrote
}

// planStep is what is known about a step of a plan.
type planStep struct {
	plan.Step
	plan  *Plan
	asked map[string]int // for each argument that the model was asked for later, the entry of its answer
}

// prefix returns the prefix of the names of effects of this frame; see package run.
func (f *frame) prefix() string {
	if f.depth == 0 {
		return ""
	}
	return strings.TrimPrefix(f.id, f.run+"/") + "/"
}

// The following types decode the parts of recorded answers and plans of package planner that the pages show.
type (
	recordedReading struct {
		Value json.RawMessage `json:"value"`
		Error *run.Error      `json:"error"`
	}
	recordedPlan struct {
		Plan      *plan.Plan      `json:"plan"`
		Edits     []tool.Edit     `json:"edits"`
		Error     *run.Error      `json:"wrong"`
		Arguments json.RawMessage `json:"arguments"`
	}
)

// readAnswer updates the plans and steps after an answer of the model.
func (f *frame) readAnswer(item *Item, step string) {
	switch item.Purpose {
	case run.PurposeTurn:
		f.answer = item
		return
	case run.PurposeReasoning, run.PurposeFallback:
		if s := f.steps[step]; s != nil && item.Answer.Error == nil {
			s.Status = plan.Complete
		}
		return
	}
	var reading recordedReading
	var recorded recordedPlan
	if json.Unmarshal(item.Answer.Read, &reading) != nil || reading.Error != nil || json.Unmarshal(reading.Value, &recorded) != nil {
		return
	}
	switch item.Purpose {
	case run.PurposePlan, run.PurposeReplan:
		f.addPlan(item.Entry, recorded, false)
	case run.PurposeArguments:
		f.addArguments(step, item.Entry, recorded.Arguments)
	}
}

// readRecordedPlan reads the plan in an entry of the kind "do".
func (r *Run) readRecordedPlan(rec run.Record) {
	f := r.frame()
	name := strings.TrimPrefix(rec.Name, f.prefix())
	var recorded recordedPlan
	if rec.Error == nil && json.Unmarshal(rec.Value, &recorded) == nil {
		f.addPlan(rec.N, recorded, name == "begin")
	}
}

// addPlan adds a plan, unless it has errors.
func (f *frame) addPlan(entry int, recorded recordedPlan, given bool) {
	if recorded.Plan == nil || recorded.Error != nil || recorded.Plan.Goal == "" && len(recorded.Plan.Steps) == 0 { // no plan, or the model gave up
		return
	}
	p := &Plan{Entry: entry, Given: given, Plan: *recorded.Plan, Edits: recorded.Edits}
	f.plans = append(f.plans, p)
	for i, s := range p.Steps {
		earlier := f.steps[s.ID]
		if earlier != nil && s.Status.Final() { // the step has run
			earlier.Status = s.Status
			continue
		}
		f.steps[s.ID] = &planStep{Step: p.Steps[i], plan: p}
	}
}

// addArguments records arguments that the model wrote when it was asked for them.
func (f *frame) addArguments(step string, entry int, arguments json.RawMessage) {
	s := f.steps[step]
	var before, after map[string]json.RawMessage
	if s == nil || arguments == nil || json.Unmarshal(arguments, &after) != nil {
		return
	}
	_ = json.Unmarshal(s.Arguments, &before) // it fails if the step has no arguments so far
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	for name, value := range after {
		if old, ok := before[name]; !ok || !slices.Equal(old, value) {
			s.asked[name] = entry
		}
	}
	s.Arguments = arguments
}

// connectCall connects a call with the step or the answer that requested it.
func (f *frame) connectCall(item *Item) {
	if s := f.steps[item.Step]; s != nil {
		item.Call.planned, s.Status = s, plan.Running
		return
	}
	item.Call.written = f.answer
}

// endStep records the outcome of the call of a step.
func (f *frame) endStep(item *Item) {
	s := f.steps[item.Step]
	if s == nil || item.Call.planned != s || item.Call.Outcome == nil {
		return
	}
	if s.Status = plan.Complete; item.Call.Outcome.Err != nil {
		s.Status = plan.Failed
	}
}

// Plans returns the plans of the run, the latest last, with the current statuses of their steps.
func (r *Run) Plans() []Plan {
	f := r.frames[0]
	var all []Plan
	for i, p := range f.plans {
		shown := *p
		shown.Steps = slices.Clone(p.Steps)
		for k := range shown.Steps {
			s := &shown.Steps[k]
			if current := f.steps[s.ID]; current != nil && (i == len(f.plans)-1 || current.plan == p) {
				s.Status = current.Status
				if current.plan == p {
					s.Arguments = current.Arguments
				}
			}
			s.Status = r.statusOf(s)
		}
		shown.Plan = redactEvent(r, run.PlanMade{Plan: shown.Plan}, nil).Plan
		all = append(all, shown)
	}
	return all
}

// statusOf returns the status of a step to show. If the run waits for the call of the step, the step is running,
// although the call has an error as its outcome.
func (r *Run) statusOf(s *plan.Step) plan.Status {
	if slices.ContainsFunc(r.Waits, func(item *Item) bool { return item.Step == s.ID && item.Depth == 0 }) {
		return plan.Running
	}
	return cmp.Or(s.Status, plan.Pending)
}

// frame returns the frame of the innermost agent that is working, or else that of the run.
func (r *Run) frame() *frame { return r.frames[len(r.frames)-1] }
