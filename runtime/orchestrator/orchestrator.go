// Package orchestrator implements an agent: a model that carries out requests with tools. Create
// one with [New], start a run with [Orchestrator.Start], and call [Run.Execute]:
//
//	agent, err := orchestrator.New(model, registry, orchestrator.Conversation{})
//	if err != nil { … }
//	r, err := agent.Start(ctx, orchestrator.Input{Request: "Who is user 42?"})
//	if err != nil { … }
//	result, err := r.Execute(ctx)
//
// A run makes a plan and executes its steps, or holds a conversation. Everything is written to a
// journal before anything depends on it, so that a run which was stopped, killed or left waiting
// continues where it was, in any process; see package run for the guarantees. The option
// [Journal] lets runs outlive the process. [Orchestrator.Open] returns a stored run, and [Run.Send]
// sends it the approvals, answers and messages that it waits for.
//
// [Events] reports what happens in a run, in the types of package run. [CycleLog] is a receiver
// of events which writes a line of JSON for each cycle.
package orchestrator

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Orchestrator starts runs. It can execute several runs concurrently.
type Orchestrator struct {
	env          run.Env              // template for the Env of each run; its model is the one given to New
	models       map[string]llm.Model // by purpose
	tools        Caller
	store        memory.Store
	baseRequest  llm.Request
	recalls      []recalledStore
	sinks        []func(context.Context, run.Event)
	startMeta    []func(context.Context, Input) map[string]string
	kind         string // default kind of runs
	plan         Plan
	conversation Conversation

	executing sync.Map // IDs of runs being executed
}

// New returns an orchestrator that asks the model, with retries, and calls the tools. Without
// options, runs are plans, and their journal and store are in memory.
func New(model llm.Model, tools Caller, options ...Option) (*Orchestrator, error) {
	o := &Orchestrator{env: run.Env{Journal: new(journal.Map)}, tools: tools, store: new(memory.Map)}
	Options(options...).set(o)
	o.env.Model, o.kind = model, cmp.Or(o.kind, task.Plan)
	stores := !slices.ContainsFunc(o.recalls, func(r recalledStore) bool { return r.store == nil })
	for _, needed := range []struct {
		what  string
		isSet bool
	}{{"model", model != nil}, {"tools", tools != nil}, {"journal", o.env.Journal != nil}, {"store", o.store != nil}, {"store to recall from", stores}} {
		if !needed.isSet {
			return nil, invalidInput("the %s of an orchestrator must not be nil", needed.what)
		}
	}
	for purpose, m := range o.models {
		if m == nil || !slices.Contains(run.Purposes(), purpose) {
			return nil, invalidInput("ModelFor(%q, …) needs a model and one of the purposes %s", purpose, strings.Join(run.Purposes(), ", "))
		}
	}
	if err := o.plan.checkSettings(); err != nil {
		return nil, err
	}
	return o, nil
}

// Input is the input of a run.
type Input struct {
	ID       string            // of the run: 1 to 256 bytes without a slash; empty is a random ID
	Kind     string            // "plan" or "conversation"; empty is the default of New
	Request  string            // of the user
	Messages []llm.Message     // of a conversation, before the request
	Plan     *plan.Plan        // nil lets the model make one
	Answer   json.RawMessage   // JSON Schema of the answer; nil means text
	Meta     map[string]string // of every call of a tool, never part of a prompt; its user, session and client form the [tool.Caller] of the function
	Limits   run.Limits        // for a plan, Steps 0 means 50
}

// defaultMaxSteps is the step limit of a plan without one.
const defaultMaxSteps = 50

// Start begins a run with the tools that are available now. If ctx has a [tool.Scope], the run also
// has tools that are not available yet because they take variables that do not exist yet. Start only
// writes the first entry: call [Run.Execute] to execute the run. The error is a
// [*journal.ConflictError] if a run with this ID exists, a [*plan.Error] if the plan cannot work,
// another [*run.Error], or an error of the journal.
func (o *Orchestrator) Start(ctx context.Context, in Input) (*Run, error) {
	in.ID = cmp.Or(in.ID, run.NewID())
	in.Meta = o.completeMeta(ctx, in)
	runInput, err := o.newInput(ctx, in)
	if err != nil {
		return nil, err
	}
	runInput.Messages = true
	if err := o.env.Begin(ctx, in.ID, runInput); err != nil {
		return nil, err
	}
	s := newState(in.ID)
	s.setInput(runInput)
	r := &Run{o: o, id: in.ID}
	r.latest.Store(s)
	return r, nil
}

// completeMeta returns the Meta of a new run: that of its input and of the functions of [StartMeta].
func (o *Orchestrator) completeMeta(ctx context.Context, in Input) map[string]string {
	if o.startMeta == nil {
		return in.Meta
	}
	meta := map[string]string{}
	for _, f := range o.startMeta {
		maps.Copy(meta, f(ctx, in))
	}
	maps.Copy(meta, in.Meta)
	return meta
}

// newInput returns the input for the function of a new run.
func (o *Orchestrator) newInput(ctx context.Context, in Input) (run.Input, error) {
	in.Kind = cmp.Or(in.Kind, o.kind)
	if in.Kind == task.Plan {
		in.Limits.Steps = cmp.Or(in.Limits.Steps, defaultMaxSteps)
	}
	definitions := runDefinitions(ctx, o.tools)
	if err := in.check(definitions); err != nil {
		return run.Input{}, err
	}
	data, err := jsontext.Encode(task.Task{Request: in.Request, Messages: in.Messages, Plan: in.Plan, Answer: in.Answer, Meta: in.Meta})
	return run.Input{Kind: in.Kind, Data: data, Tools: definitions, Limits: in.Limits}, err
}

// Open returns a run that any process started, in the state that its journal records. The error
// is a [*journal.NotFoundError] if there is no such run, a [*run.NonDeterminismError], another
// [*run.Error], or an error of the journal.
func (o *Orchestrator) Open(ctx context.Context, id string) (*Run, error) {
	r := &Run{o: o, id: id}
	if err := r.replayJournal(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// check returns an error if an input is invalid.
func (in Input) check(tools []tool.Definition) error {
	if l := in.Limits; min(l.Steps, l.Tokens) < 0 || l.Cost < 0 {
		return invalidInput("limits must not be negative")
	}
	switch in.Kind {
	case task.Plan:
		if err := in.checkPlan(tools); err != nil {
			return err
		}
	case task.Conversation:
		if in.Plan != nil {
			return invalidInput("a conversation takes no plan")
		}
	default:
		return invalidInput("unknown kind %q: use %q or %q", in.Kind, task.Plan, task.Conversation)
	}
	if in.Answer != nil {
		if err := schema.Validate(in.Answer, json.RawMessage("null")); tool.Code(err) == "schema" {
			return invalidInput("invalid schema of the answer: %v", err)
		}
	}
	return nil
}

// checkPlan returns an error if an input for a plan is invalid.
func (in Input) checkPlan(tools []tool.Definition) error {
	switch {
	case len(in.Messages) > 0:
		return invalidInput("a plan takes no messages; use a conversation")
	case in.Plan == nil && strings.TrimSpace(in.Request) == "":
		return invalidInput("the input has neither a request nor a plan")
	case in.Plan == nil:
		return nil
	}
	for _, s := range in.Plan.Steps {
		if s.Status != "" && s.Status != plan.Pending {
			return invalidInput("step %q is already %s; all steps of a new plan must be pending", s.ID, s.Status)
		}
	}
	_, _, err := plan.Compile(*in.Plan, tools, in.Limits.Steps)
	return err
}

// runDefinitions returns the tools of a new run. If ctx has a scope, they include tools that are
// not available yet, because the run may make the variables that they take.
func runDefinitions(ctx context.Context, tools Caller) []tool.Definition {
	scope := tool.ScopeFrom(ctx)
	definitions := tools.Available(scope)
	if scope == nil {
		return definitions
	}
	available := map[string]tool.Definition{}
	for _, d := range definitions {
		available[d.Name] = d
	}
	all := tools.All()
	for i, d := range all {
		if d, ok := available[d.Name]; ok {
			all[i] = d
		}
	}
	return all
}
