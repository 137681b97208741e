package orchestrator

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// State is the known state of a run. It can be encoded as JSON and decoded.
type State struct {
	ID         string           `json:"id"`
	Kind       string           `json:"kind"`
	Request    string           `json:"request,omitempty"`
	run.Result                  // of the last execution; while the run executes, only status and usage
	Plan       *plan.Plan       `json:"plan,omitempty"`
	Steps      []run.StepResult `json:"step_results,omitempty"` // in the order in which they ended
	Messages   []llm.Message    `json:"messages,omitempty"`     // of a conversation
}

// runState builds a [State] from the events of a run.
type runState struct {
	runID string // or the ID of the call that an agent carries out

	mu        sync.Mutex
	current   State
	tools     map[string]bool // names of the tools with which the run began
	steps     map[string]bool // steps that had effects
	variables map[string]bool // variables that tools of the run made
	input     Input
	stored    map[string]bool // IDs of calls whose output is in the store
	agents    []string        // IDs of the calls that agents have made
}

func newState(run string) *runState {
	return &runState{runID: run, tools: map[string]bool{}, steps: map[string]bool{}, variables: map[string]bool{}, stored: map[string]bool{}}
}

// setInput records the input of the run.
func (s *runState) setInput(in run.Input) {
	var t task.Task
	_ = json.Unmarshal(in.Data, &t) // the function of the run reports invalid data
	s.mu.Lock()
	defer s.mu.Unlock()
	s.input = Input{ID: s.runID, Kind: in.Kind, Request: t.Request, Messages: t.Messages, Plan: t.Plan, Answer: t.Answer, Meta: t.Meta, Limits: in.Limits}
	s.current.ID, s.current.Kind, s.current.Request, s.current.Status = s.runID, in.Kind, t.Request, run.Running
	for _, d := range in.Tools {
		s.tools[d.Name] = true
	}
}

// inputMeta returns the Meta of the input of the run.
func (s *runState) inputMeta() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.input.Meta
}

// kind returns the kind of the run, or "" before it begins.
func (s *runState) kind() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.Kind
}

// setResult records the result of an execution.
func (s *runState) setResult(r run.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.Result = r
}

// applyEvent applies an event.
func (s *runState) applyEvent(e run.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.AgentCall != "" {
		s.applyAgentEvent(e)
		return
	}
	switch what := e.What.(type) {
	case run.PlanMade:
		newPlan := what.Plan
		newPlan.Steps = slices.Clone(newPlan.Steps) // updateStep must not change the steps of the event
		s.current.Plan = &newPlan
	case run.StepStart:
		s.updateStep(what.Step.ID, func(step *plan.Step) { *step = what.Step })
	case run.StepEnd:
		s.current.Steps = append(s.current.Steps, what.Result)
		s.updateStep(what.Result.StepID, func(step *plan.Step) {
			if step.Status = plan.Failed; what.Result.Success {
				step.Status = plan.Complete
			}
		})
	case conversation.MessagesAdded:
		if what.Replace {
			s.current.Messages = nil
		}
		s.current.Messages = append(s.current.Messages, what.Messages...)
	case run.ModelEnd:
		s.addUsage(e.Step, what.Answer.Usage())
	case run.CallEnd:
		s.addUsage(e.Step, run.Usage{ToolCalls: 1})
		for _, name := range variableNames(what.Call.Output) {
			s.variables[name] = true
		}
	}
}

// applyAgentEvent adds the usage of an agent that carries out a call to the usage of the run.
func (s *runState) applyAgentEvent(e run.Event) {
	step := e.Step
	if step != "" {
		step = e.AgentCall + "/" + step
	}
	switch what := e.What.(type) {
	case run.ModelEnd:
		s.addUsage(step, what.Answer.Usage())
	case run.CallEnd:
		s.addUsage(step, run.Usage{ToolCalls: 1})
		s.agents = append(s.agents, what.Call.ID)
	}
}

// outputKeys returns the keys under which the outputs of ended steps are stored, relative to the
// prefix of the run: "step_2_result", or "1/1/step_3_result" for step 3 of the agent that carries out
// call "r/1/1". For agents, it returns a key for each call, even if the call is not a step of a plan
// and nothing is stored there.
func (s *runState) outputKeys() (keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, step := range s.current.Steps {
		keys = append(keys, outputKey(step.StepID))
	}
	for _, call := range s.agents {
		owner, step := run.ParseCallID(call)
		keys = append(keys, strings.TrimPrefix(owner, s.runID+"/")+"/"+outputKey(step))
	}
	return keys
}

func (s *runState) updateStep(step string, change func(*plan.Step)) {
	if s.current.Plan == nil {
		return
	}
	if i := slices.IndexFunc(s.current.Plan.Steps, func(x plan.Step) bool { return x.ID == step }); i >= 0 {
		change(&s.current.Plan.Steps[i])
	}
}

// addUsage adds the usage of an effect.
func (s *runState) addUsage(step string, u run.Usage) {
	if step != "" {
		s.steps[step] = true
	}
	s.current.Usage.Add(u)
	s.current.Usage.Steps = len(s.steps)
}

// copyState returns a deep copy of the state.
func (s *runState) copyState() (state State) {
	s.mu.Lock()
	text, err := jsontext.Encode(s.current)
	s.mu.Unlock()
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		panic(err) // everything in the state can be journaled, so it can be encoded
	}
	return state
}

// claimStepOutput returns the step of a plan whose call has the given ID, if its output has to be
// stored: later calls return "". It also returns "" if there is no such step.
func (s *runState) claimStepOutput(call string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, step := run.ParseCallID(call)
	if s.current.Kind != task.Plan || owner != s.runID || step == "" || s.stored[call] {
		return ""
	}
	s.stored[call] = true
	return step
}

// offeredTools returns the tools of a request without the tools of the run that are not available.
func (s *runState) offeredTools(all, available []tool.Definition) []tool.Definition {
	isAvailable := map[string]bool{}
	for _, d := range available {
		isAvailable[d.Name] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(all), func(d tool.Definition) bool { return s.tools[d.Name] && !isAvailable[d.Name] })
}

// lostVariable returns the name of a lost variable to which arguments refer. A variable is lost if
// a tool of the run made it in another process, so that the scope does not have it.
func (s *runState) lostVariable(arguments json.RawMessage, scope *tool.Scope) (name string, lost bool) {
	var inScope []string
	names := variableNames(arguments)
	if scope != nil && len(names) > 0 {
		inScope = scope.Names()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if s.variables[name] && !slices.Contains(inScope, name) {
			return name, true
		}
	}
	return "", false
}

var variableReference = regexp.MustCompile(`"<<var:([A-Za-z0-9_.-]{1,64})>>"`)

// variableNames returns the names of the variables that JSON refers to.
func variableNames(text json.RawMessage) (names []string) {
	for _, m := range variableReference.FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}
