package planner

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// planning is a plan under way.
type planning struct {
	Settings
	fx       run.Effects
	tools    []tool.Definition
	byName   map[string]tool.Definition
	task     task.Task
	most     int // steps that the plan may have
	plan     plan.Plan
	results  map[string]*result        // by step
	manual   string                    // the system prompt of calls about plans, once it was written
	begun    bool                      // there was a plan
	answered bool                      // by the last step
	listens  bool                      // to messages
	said     []string                  // by the user, since the run began
	isNews   bool                      // some of that came after the plan was made
	replans  int                       // so far
	forgiven int                       // steps that failed before the last of them
	planned  int                       // steps that continued planning so far
	suspects map[string][]plan.Suspect // texts that may be placeholders, by step
}

// result is what came of a step.
type result struct {
	event.StepResult
	call *tool.Call // the last that it made, if it made one
}

// fail makes it the result of a step that failed.
func (r *result) fail(err error) {
	r.Result, r.Error = nil, record.NewError(err)
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

// ran returns the steps that ran.
func (p *planning) ran() (all []plan.Step) {
	for _, s := range p.plan.Steps {
		if s.Status.Final() {
			all = append(all, s)
		}
	}
	return all
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

// denied returns the requests of calls that were denied.
func (p *planning) denied() (all []tool.Request) {
	for _, s := range p.plan.Steps {
		if r := p.results[s.ID]; r != nil && r.call != nil && tool.Code(r.call.Err) == "denied" {
			all = append(all, r.call.Request)
		}
	}
	return all
}

// isDenied reports whether a call was denied.
func (p *planning) isDenied(name string, arguments json.RawMessage) bool {
	return slices.ContainsFunc(p.denied(), func(r tool.Request) bool {
		return r.Name == name && jsontext.Same(r.Arguments, arguments, jsontext.Depth)
	})
}

func advance(s *plan.Step, to plan.Status) {
	if err := s.Advance(to); err != nil {
		panic(err) // each step is carried out once
	}
}

// mode returns how a step is carried out.
func mode(s *plan.Step) event.Mode {
	switch {
	case s.Tool != "":
		return event.ModeTool
	case isReplan(s):
		return event.ModeReplan
	case s.Agent != "":
		return event.ModeLLM
	}
	return event.ModeFallback
}

// isReplan reports whether a step continues planning.
func isReplan(s *plan.Step) bool { return s.Tool == "" && strings.EqualFold(s.Agent, plan.AgentReplan) }

// missing returns the names of the arguments that are asked for when the turn of a step
// comes: required ones that it lacks, and those with suspect texts.
func (p *planning) missing(s *plan.Step) []string {
	names := s.Missing(p.byName[s.Tool])
	for _, suspect := range p.suspects[s.ID] {
		for name := range jsontext.Names(suspect.Pointer) {
			names = append(names, name)
			break
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// suspect notes the suspect texts of steps by their IDs.
func (p *planning) suspect(all []plan.Suspect) {
	p.suspects = map[string][]plan.Suspect{}
	for _, s := range all {
		id := p.plan.Steps[s.Step].ID
		p.suspects[id] = append(p.suspects[id], s)
	}
}

// suspectsIn returns the suspect texts of a plan that was compiled, without those that the
// request itself has.
func (p *planning) suspectsIn(made plan.Plan) []plan.Suspect {
	return slices.DeleteFunc(plan.Suspects(made, p.tools), func(s plan.Suspect) bool {
		return strings.ContainsAny(s.Text, "<{[$%@_") && strings.Contains(p.task.Request, s.Text)
	})
}

// encode writes what was read, which is JSON and texts.
func encode(x any) json.RawMessage {
	data, err := jsontext.Encode(x)
	if err != nil {
		panic(err)
	}
	return data
}
