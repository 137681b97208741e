package orchestrator

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// State is what is known of a run. It survives JSON both ways.
type State struct {
	ID            string             `json:"id"`
	Kind          string             `json:"kind"`
	Request       string             `json:"request,omitempty"`
	record.Result                    // where it stands; of one that is being executed, with what it took so far
	Plan          *plan.Plan         `json:"plan,omitempty"`
	Steps         []event.StepResult `json:"step_results,omitempty"` // in the order in which they ended
	Messages      []llm.Message      `json:"messages,omitempty"`     // of a conversation
}

// state makes a [State] out of what a run tells.
type state struct {
	run string // its ID

	mu        sync.Mutex
	is        State
	tools     map[string]bool // that the run began with
	steps     map[string]bool // that had effects
	variables map[string]bool // that tools of the run made
	kept      map[string]bool // calls whose output is in the store
}

func newState(run string) *state {
	return &state{run: run, tools: map[string]bool{}, steps: map[string]bool{}, variables: map[string]bool{}, kept: map[string]bool{}}
}

// begin takes in what the run begins with.
func (s *state) begin(in record.Input) {
	var t task.Task
	_ = json.Unmarshal(in.Data, &t) // the function of the run says what is wrong with it
	s.mu.Lock()
	defer s.mu.Unlock()
	s.is.ID, s.is.Kind, s.is.Request, s.is.Status = s.run, in.Kind, t.Request, record.Running
	for _, d := range in.Tools {
		s.tools[d.Name] = true
	}
}

// kind returns the kind of the run; none before it begins.
func (s *state) kind() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.is.Kind
}

// stand takes in where the run stands.
func (s *state) stand(r record.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.is.Result = r
}

// take takes in what the run tells.
func (s *state) take(e record.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch what := e.What.(type) {
	case event.PlanMade:
		made := what.Plan
		made.Steps = slices.Clone(made.Steps) // the run goes on with its own
		s.is.Plan = &made
	case event.StepStart:
		s.advance(what.Step.ID, func(step *plan.Step) { *step = what.Step })
	case event.StepEnd:
		s.is.Steps = append(s.is.Steps, what.Result)
		s.advance(what.Result.StepID, func(step *plan.Step) {
			if step.Status = plan.Failed; what.Result.Success {
				step.Status = plan.Complete
			}
		})
	case task.Said:
		if what.Anew {
			s.is.Messages = nil
		}
		s.is.Messages = append(s.is.Messages, what.Messages...)
	case record.ModelEnd:
		s.use(e.Step, what.Answer.Usage())
	case record.CallEnd:
		s.use(e.Step, record.Usage{ToolCalls: 1})
		for _, name := range references(what.Call.Output) {
			s.variables[name] = true
		}
	}
}

func (s *state) advance(step string, change func(*plan.Step)) {
	if s.is.Plan == nil {
		return
	}
	if i := slices.IndexFunc(s.is.Plan.Steps, func(x plan.Step) bool { return x.ID == step }); i >= 0 {
		change(&s.is.Plan.Steps[i])
	}
}

// use adds what an effect took.
func (s *state) use(step string, u record.Usage) {
	if step != "" {
		s.steps[step] = true
	}
	s.is.Usage.Add(u)
	s.is.Usage.Steps = len(s.steps)
}

// copy returns the state, nothing of which is shared.
func (s *state) copy() (is State) {
	s.mu.Lock()
	text, err := jsontext.Encode(s.is)
	s.mu.Unlock()
	if err == nil {
		err = json.Unmarshal(text, &is)
	}
	if err != nil {
		panic(err) // all of it came out of a journal, or goes into one
	}
	return is
}

// keeps returns the step of a plan whose call has come to something that is to be kept;
// none if it is kept already.
func (s *state) keeps(call string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	of, _ := strings.CutPrefix(call, s.run+"/")
	i := strings.LastIndexByte(of, '/')
	if s.is.Kind != task.Plan || i < 0 || s.kept[call] {
		return ""
	}
	s.kept[call] = true
	return of[:i]
}

// offered returns which tools a model is offered: of those that the run began with the
// ones that there are now.
func (s *state) offered(all, now []tool.Definition) []tool.Definition {
	there := map[string]bool{}
	for _, d := range now {
		there[d.Name] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(all), func(d tool.Definition) bool { return s.tools[d.Name] && !there[d.Name] })
}

// gone returns the variable that arguments refer to which the run made, and which is
// not in the scope any more: that of another process.
func (s *state) gone(arguments json.RawMessage, scope *tool.Scope) (name string, gone bool) {
	var there []string
	names := references(arguments)
	if scope != nil && len(names) > 0 {
		there = scope.Names()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if s.variables[name] && !slices.Contains(there, name) {
			return name, true
		}
	}
	return "", false
}

var reference = regexp.MustCompile(`"<<var:([A-Za-z0-9_.-]{1,64})>>"`)

// references returns the variables that JSON refers to, as journals write it.
func references(text json.RawMessage) (names []string) {
	for _, m := range reference.FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}
