package planner

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// planning is the execution of a plan.
type planning struct {
	Settings
	fx              run.Effects
	tools           []tool.Definition
	byName          map[string]tool.Definition
	task            task.Task
	maxSteps        int // maximum number of steps
	plan            plan.Plan
	results         map[string]*stepResult    // by step
	denied          []tool.Request            // denied calls of ended steps, kept in a list because searching all results for each step is slow
	manual          string                    // system prompt of requests for plans, set when first used
	hasPlan         bool                      // the run's first plan was made or given
	answered        bool                      // the last step answered the request
	readsMessages   bool                      // the run reads messages
	messages        []string                  // of the user, since the run began
	hasNewMessages  bool                      // messages arrived after the current plan was made
	replans         int                       // so far
	handledFailures int                       // failed steps that led to a replan or are known to the model
	continuations   int                       // number of steps that continued planning
	suspects        map[string][]plan.Suspect // texts that may be placeholders, by step
}

// stepResult is the result of a step.
type stepResult struct {
	run.StepResult
	call *tool.Call // the last call of the step, if there is one
}

// nextStep returns the index of the first step that has not ended, or -1.
func (p *planning) nextStep() int {
	return slices.IndexFunc(p.plan.Steps, func(s plan.Step) bool { return !s.Status.Final() })
}

// failedSteps returns the IDs of the failed steps.
func (p *planning) failedSteps() (ids []string) {
	for _, s := range p.plan.Steps {
		if s.Status == plan.Failed {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// finishedSteps returns the steps that have run.
func (p *planning) finishedSteps() (all []plan.Step) {
	for _, s := range p.plan.Steps {
		if s.Status.Final() {
			all = append(all, s)
		}
	}
	return all
}

// successfulResult returns the result of a step. It returns false if the step has not ended or has
// failed.
func (p *planning) successfulResult(step string) (plan.Result, bool) {
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

// isDenied reports whether a call was denied.
func (p *planning) isDenied(name string, arguments json.RawMessage) bool {
	return slices.ContainsFunc(p.denied, func(r tool.Request) bool {
		return r.Name == name && jsontext.EqualTexts(r.Arguments, arguments, jsontext.Depth)
	})
}

func advanceStep(s *plan.Step, to plan.Status) {
	if err := s.Advance(to); err != nil {
		panic(err) // each step is executed once
	}
}

// stepMode returns how a step is executed.
func stepMode(s *plan.Step) run.Mode {
	switch {
	case s.Tool != "":
		return run.ModeTool
	case isReplan(s):
		return run.ModeReplan
	case s.Agent != "":
		return run.ModeLLM
	}
	return run.ModeFallback
}

// isReplan reports whether a step continues planning: its agent is "replan", and the model rewrites the
// steps after it.
func isReplan(s *plan.Step) bool { return s.Tool == "" && strings.EqualFold(s.Agent, plan.AgentReplan) }

// missingArguments returns the names of the arguments to ask for before a step runs: required ones
// that are missing, and ones with texts that may be placeholders.
func (p *planning) missingArguments(s *plan.Step) []string {
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

// setSuspects records the suspect texts by step.
func (p *planning) setSuspects(all []plan.Suspect) {
	p.suspects = map[string][]plan.Suspect{}
	for _, s := range all {
		id := p.plan.Steps[s.Step].ID
		p.suspects[id] = append(p.suspects[id], s)
	}
}

// findSuspects returns the texts of a compiled plan that may be placeholders. It leaves out texts such
// as <name> that the request contains literally.
func (p *planning) findSuspects(compiled plan.Plan) []plan.Suspect {
	return slices.DeleteFunc(plan.Suspects(compiled, p.tools), func(s plan.Suspect) bool {
		return strings.ContainsAny(s.Text, "<{[$%@_") && strings.Contains(p.task.Request, s.Text)
	})
}

// mustEncode encodes a value that consists of JSON and texts.
func mustEncode(x any) json.RawMessage {
	data, err := jsontext.Encode(x)
	if err != nil {
		panic(err)
	}
	return data
}
