// Package orchestrator is an agent: a model that carries out requests with tools. A run
// of it makes a plan and goes through its steps, or holds a conversation. What happened
// is in a journal before anything depends on it, so that a run which was stopped,
// killed or left waiting goes on where it was, in whatever process; package run says
// what is promised.
//
// Its layers, from top to bottom:
//
//	orchestrator  how runs begin
//	run           a run
//	world         the model and the tools, as a run meets them
//	state         what is known of a run, out of what it tells
//	option        what there is to choose
package orchestrator

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Orchestrator starts runs. Its runs may be concurrent.
type Orchestrator struct {
	env          run.Env // with the model and the tools as they were given
	tools        Caller
	store        memory.Store
	base         llm.Request
	recalls      []recall
	sinks        []func(context.Context, record.Event)
	kind         string // of runs that say nothing of it
	plan         Plan
	conversation Conversation

	driven sync.Map // IDs of runs that are being executed
}

// New returns an orchestrator that asks the model, retries included, and calls the
// tools. Without options runs are plans, in journals and a store in memory.
func New(model llm.Model, tools Caller, options ...Option) (*Orchestrator, error) {
	o := &Orchestrator{env: defaults(), tools: tools, store: new(memory.Map)}
	for _, option := range options {
		option.set(o)
	}
	o.env.Model, o.kind = model, cmp.Or(o.kind, task.Plan)
	stores := !slices.ContainsFunc(o.recalls, func(r recall) bool { return r.store == nil })
	for _, needed := range []struct {
		what  string
		there bool
	}{{"model", model != nil}, {"tools", tools != nil}, {"journal", o.env.Journal != nil}, {"store", o.store != nil}, {"store to recall from", stores}} {
		if !needed.there {
			return nil, invalid("the %s of an orchestrator must not be nil", needed.what)
		}
	}
	if err := o.plan.check(); err != nil {
		return nil, err
	}
	return o, nil
}

// Input is what a run begins with.
type Input struct {
	ID       string            // by which it is known from now on: 1 to 256 bytes without a slash; empty is a random one
	Kind     string            // "plan" or "conversation"; empty is that of New
	Request  string            // of the user
	Messages []llm.Message     // of a conversation, before the request
	Plan     *plan.Plan        // nil has the model make one
	Answer   json.RawMessage   // JSON Schema of the answer; nil is a text
	Meta     map[string]string // of every call of a tool, never part of a prompt; user, session and client of it are the [tool.Caller] of its function
	Limits   record.Limits     // of which no steps are 50 for a plan
}

// mostSteps is how many steps a plan may have that says nothing of it.
const mostSteps = 50

// Start begins a run, with the tools that there are now; those that take or make
// variables are among them if ctx has a [tool.Scope]. It does nothing else. The error
// is a [*journal.Taken] if there is a run of this ID, a [*plan.Error] if the plan
// cannot work, or another [*record.Error], or the journal's.
func (o *Orchestrator) Start(ctx context.Context, in Input) (*Run, error) {
	in.ID, in.Kind = cmp.Or(in.ID, note.Mark()), cmp.Or(in.Kind, o.kind)
	if in.Kind == task.Plan {
		in.Limits.Steps = cmp.Or(in.Limits.Steps, mostSteps)
	}
	definitions := definitions(ctx, o.tools)
	if err := in.check(definitions); err != nil {
		return nil, err
	}
	data, err := jsontext.Encode(task.Task{Request: in.Request, Messages: in.Messages, Plan: in.Plan, Answer: in.Answer, Meta: in.Meta})
	if err != nil {
		return nil, err
	}
	begins := record.Input{Kind: in.Kind, Data: data, Tools: definitions, Limits: in.Limits, Messages: true}
	if err := o.env.Begin(ctx, in.ID, begins); err != nil {
		return nil, err
	}
	r := &Run{o: o, id: in.ID, known: newState(in.ID)}
	r.known.begin(begins)
	return r, nil
}

// Open returns a run that was started, by whatever process, as far as its journal goes.
// The error is a [*journal.Gone] if there is none, a [*record.Drift], another
// [*record.Error], or the journal's.
func (o *Orchestrator) Open(ctx context.Context, id string) (*Run, error) {
	r := &Run{o: o, id: id}
	if err := r.replay(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// check returns what is wrong with an input.
func (in Input) check(tools []tool.Definition) error {
	nothing := strings.TrimSpace(in.Request) == ""
	if l := in.Limits; min(l.Steps, l.Tokens) < 0 || l.Cost < 0 {
		return invalid("limits must not be negative")
	}
	switch in.Kind {
	case task.Plan:
		switch {
		case len(in.Messages) > 0:
			return invalid("a plan has no messages; give them to a conversation")
		case in.Plan == nil && nothing:
			return invalid("there is neither a request nor a plan")
		case in.Plan != nil:
			for _, s := range in.Plan.Steps {
				if s.Status != "" && s.Status != plan.Pending {
					return invalid("step %q is %s already; a plan begins with all steps pending", s.ID, s.Status)
				}
			}
			if _, _, err := plan.Compile(*in.Plan, tools, in.Limits.Steps); err != nil {
				return err
			}
		}
	case task.Conversation:
		if in.Plan != nil {
			return invalid("a conversation has no plan")
		}
	default:
		return invalid("there is no kind %q; %q and %q there are", in.Kind, task.Plan, task.Conversation)
	}
	if in.Answer != nil {
		if err := schema.Validate(in.Answer, json.RawMessage("null")); tool.Code(err) == "schema" {
			return invalid("the schema of the answer: %v", err)
		}
	}
	return nil
}

// definitions returns the tools of a run that begins in a context. What a model is
// offered of them depends on the variables that there are then.
func definitions(ctx context.Context, tools Caller) []tool.Definition {
	scope := tool.ScopeFrom(ctx)
	now := tools.Available(scope)
	if scope == nil {
		return now
	}
	there := map[string]tool.Definition{}
	for _, d := range now {
		there[d.Name] = d
	}
	all := tools.All()
	for i, d := range all {
		if d, ok := there[d.Name]; ok {
			all[i] = d
		}
	}
	return all
}
