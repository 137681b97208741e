// Package orchestrator is the kernel of an agent: it has a model make a plan and
// carries it out, step by step. It is deterministic, and a [Run] can stop after
// every step and go on elsewhere from its [State]; model, store, tools, events and
// clock are all that it touches of the world.
package orchestrator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/orchestrator/redact"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Version changes with the sequence of calls that a run makes. A [State] of
// another version cannot be resumed.
const Version = 1

// DefaultTTL is how many steps a run executes at most.
const DefaultTTL = 50

// Caller has tools, and calls them. [Tools] makes one of a registry.
type Caller interface {
	// Definitions returns what the model is offered. It is called once a run.
	Definitions(ctx context.Context) ([]tool.Definition, error)

	// Call returns the call that a request asks for, when it is final.
	Call(ctx context.Context, request tool.Request) *tool.Call
}

// Tools returns a caller of the tools of a registry, as far as they are available
// in the scope of the context.
func Tools(r *tool.Registry) Caller { return registry{r} }

type registry struct{ *tool.Registry }

func (r registry) Definitions(ctx context.Context) ([]tool.Definition, error) {
	return r.Available(tool.ScopeFrom(ctx)), nil
}

// Orchestrator starts runs. It is immutable, and its runs may be concurrent.
type Orchestrator struct {
	model     llm.Model
	store     memory.Store
	tools     Caller
	repairs   []supervisor.Option
	now       func() time.Time
	sink      func(Event)
	redact    redact.Func
	ttl       int
	maxTokens int
}

// Option sets up an [Orchestrator].
type Option func(*Orchestrator)

// TTL bounds how many steps a run executes. The default is DefaultTTL.
func TTL(steps int) Option { return func(o *Orchestrator) { o.ttl = steps } }

// MaxTokens ends a run before its next step once it used as many tokens, of input
// and output. The default is no limit.
func MaxTokens(n int) Option { return func(o *Orchestrator) { o.maxTokens = n } }

// Clock replaces the clock that states and events take their times from.
func Clock(now func() time.Time) Option { return func(o *Orchestrator) { o.now = now } }

// Events has every event of every run handed to f, on the goroutine of the run.
// What f gets is its own.
func Events(f func(Event)) Option { return func(o *Orchestrator) { o.sink = f } }

// Redact has f look at all that events carry, before they leave the run.
func Redact(f redact.Func) Option { return func(o *Orchestrator) { o.redact = f } }

// Repairs sets up the supervisor of every run.
func Repairs(options ...supervisor.Option) Option {
	return func(o *Orchestrator) { o.repairs = append(o.repairs, options...) }
}

// New returns an orchestrator that asks the model, retries included, calls the
// tools, and puts the results of steps into the store.
func New(model llm.Model, store memory.Store, tools Caller, options ...Option) *Orchestrator {
	o := &Orchestrator{model: model, store: store, tools: tools, now: time.Now, ttl: DefaultTTL}
	for _, option := range options {
		option(o)
	}
	return o
}

// Input is what a run begins with.
type Input struct {
	ID      string            // of the run, by which its results are stored; at most 256 bytes, without a slash
	Request string            // of the user
	Plan    *plan.Plan        // nil has the model make one
	Meta    map[string]string // of every call of a tool; never part of a prompt
}

// Start returns a new run. It reads the definitions of the tools, and does nothing
// else. Errors are [*Error].
func (o *Orchestrator) Start(ctx context.Context, in Input) (*Run, error) {
	const longestID = 256
	switch {
	case in.ID == "" || len(in.ID) > longestID || strings.Contains(in.ID, "/"):
		return nil, record.NewError("", &Error{Kind: record.InvalidInput, Text: fmt.Sprintf("the ID of a run is 1 to %d bytes without a slash, not %q", longestID, in.ID)})
	case in.Plan == nil && strings.TrimSpace(in.Request) == "":
		return nil, record.NewError("", &Error{Kind: record.InvalidInput, Text: "there is neither a request nor a plan"})
	}
	definitions, err := o.tools.Definitions(ctx)
	if err != nil {
		return nil, record.NewError("", err)
	}
	s := State{Format: record.Format, Version: Version, ID: in.ID, Request: record.Valid(in.Request), Meta: in.Meta, Tools: definitions, Status: Running, TTL: o.ttl}
	if in.Plan != nil {
		if err := startable(*in.Plan); err != nil {
			return nil, record.NewError("", err)
		}
		s.Plan = in.Plan
	}
	return o.run(s)
}

// startable returns an error if a run cannot begin with the plan.
func startable(p plan.Plan) error {
	if err := plan.Validate(p); err != nil {
		return err
	}
	for _, s := range p.Steps {
		if s.Status != plan.Pending {
			return &Error{Kind: record.InvalidInput, Step: s.ID, Text: fmt.Sprintf("step %q is %s already; a plan begins with all steps pending", s.ID, s.Status)}
		}
	}
	return nil
}

// Resume returns a run that goes on from a state. A step that was running then
// begins anew. Errors are [*Error].
func (o *Orchestrator) Resume(s State) (*Run, error) {
	if s.Format != record.Format || s.Version != Version {
		return nil, record.NewError("", &Error{Kind: record.InvalidInput, Text: fmt.Sprintf("the state has format %d of version %d; format %d of version %d is needed", s.Format, s.Version, record.Format, Version)})
	}
	return o.run(s)
}

func (o *Orchestrator) run(s State) (*Run, error) {
	s, err := record.Clone(s)
	if err != nil {
		return nil, record.NewError("", &Error{Kind: record.InvalidInput, Text: err.Error()})
	}
	r := &Run{Orchestrator: o, state: s, store: memory.Prefix(o.store, "run/"+s.ID+"/")}
	return r, nil
}

// Execute runs to the end. An error, which is an [*Error], comes only in the place
// of a result: there is no plan, or a call waits for approval. A run that ctx
// interrupts has failed, with what it has; its state can be resumed.
func (o *Orchestrator) Execute(ctx context.Context, in Input) (*Result, error) {
	run, err := o.Start(ctx, in)
	if err != nil {
		return nil, err
	}
	for more := true; more; {
		if more, err = run.Step(ctx); err != nil {
			break
		}
	}
	s := run.State()
	switch {
	case s.Plan == nil:
		return nil, err
	case s.Status == Waiting:
		return nil, &Error{Kind: record.ApprovalNeeded, Step: s.CurrentStep, Text: fmt.Sprintf("step %q waits for the approval of a call of %s", s.CurrentStep, s.Waiting.Name), State: &s}
	case err != nil:
		return &Result{Plan: s.Plan, Status: Failed, State: s, Usage: s.Usage, Error: record.NewError(s.CurrentStep, err)}, nil
	}
	return &Result{Plan: s.Plan, Status: s.Status, State: s, Usage: s.Usage, Error: s.Error}, nil
}
