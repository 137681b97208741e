// Package orchestrator is the kernel of an agent: it has a model make a plan and
// carries it out, step by step. It is deterministic, and a [Run] can stop after
// every step and go on elsewhere from its [State]; model, store, tools, events and
// clock are all that it touches of the world.
//
//	orchestrator, run, step  the kernel, a run, and a step of it
//	state                    what a run is between two steps
package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/seal"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
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
	redact    func(tool, pointer string, value json.RawMessage) json.RawMessage
	ttl       int
	maxTokens int // of a run
	answer    int // tokens of one
}

// Option sets up an [Orchestrator].
type Option func(*Orchestrator)

// TTL bounds how many steps a run executes. The default is DefaultTTL.
func TTL(steps int) Option { return func(o *Orchestrator) { o.ttl = steps } }

// MaxTokens ends a run before its next step once it used as many tokens, of input
// and output. The default is no limit.
func MaxTokens(n int) Option { return func(o *Orchestrator) { o.maxTokens = n } }

// AnswerTokens bounds each answer of the model, in tokens; those that it thinks with
// count, too, with most providers. The default is llm.DefaultMaxTokens.
func AnswerTokens(n int) Option { return func(o *Orchestrator) { o.answer = n } }

// Clock replaces the clock that states and events take their times from.
func Clock(now func() time.Time) Option { return func(o *Orchestrator) { o.now = now } }

// Events has every event of every run handed to f, on the goroutine of the run.
// What f gets is its own.
func Events(f func(Event)) Option { return func(o *Orchestrator) { o.sink = f } }

// Redact has f say what events may tell of a value: the value itself, or another
// in its place. It is asked about every value, from the outside in, until it
// changes one. The pointer begins with /arguments, /output, /error, /meta or
// /approval of a tool, with /text of what a model wrote for a step with that tool,
// if any, or with /goal or /description of the plan. What a model wrote in place of
// plain JSON is told as package repair reads it, with the names of the schema, or
// not at all; nor are members of arguments that do not fit and have none of these
// names told. An answer in prose is a text. The state is not redacted.
func Redact(f func(tool, pointer string, value json.RawMessage) json.RawMessage) Option {
	return func(o *Orchestrator) { o.redact = f }
}

// Repairs sets up the supervisor of every run.
func Repairs(options ...supervisor.Option) Option {
	return func(o *Orchestrator) { o.repairs = append(o.repairs, options...) }
}

// New returns an orchestrator that asks the model, retries included, calls the
// tools, and puts the results of steps into the store, see [memory.Detached].
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
	if in.Plan == nil && strings.TrimSpace(in.Request) == "" {
		return nil, invalid("there is neither a request nor a plan")
	}
	if in.Plan != nil {
		if err := plan.Validate(*in.Plan); err != nil {
			return nil, record.NewError("", err)
		}
		for _, s := range in.Plan.Steps {
			if s.Status != "" && s.Status != plan.Pending {
				return nil, invalid("step %q is %s already; a plan begins with all steps pending", s.ID, s.Status)
			}
		}
	}
	definitions, err := o.tools.Definitions(ctx)
	if err != nil {
		return nil, record.NewError("", err)
	}
	return o.run(State{
		Format: record.Format, Version: Version, ID: in.ID, Request: in.Request, Meta: in.Meta, Plan: in.Plan,
		Tools: definitions, Status: Running, TTL: o.ttl,
	})
}

// Resume returns a run that goes on from a state. A step that was running begins
// anew, and a call of which the state does not know comes again, with the same ID.
// Errors are [*Error].
func (o *Orchestrator) Resume(s State) (*Run, error) {
	if s.Format != record.Format || s.Version != Version {
		return nil, invalid("the state has format %d of version %d; format %d of version %d is needed", s.Format, s.Version, record.Format, Version)
	}
	return o.run(s)
}

func (o *Orchestrator) run(s State) (*Run, error) {
	s, err := seal.State(s)
	if err != nil {
		return nil, invalid("%w", err)
	}
	return &Run{o: o, state: s, store: memory.Detached(memory.Prefix(o.store, "run/"+s.ID+"/"))}, nil
}

func invalid(format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: record.InvalidInput, Text: seal.Text(err.Error()), Err: errors.Unwrap(err)}
}

// Execute runs to the end. An [*Error] comes only in the place of a result: it did
// not start, or it has no plan, or a call waits for approval, and then the error has
// the state. A run that ctx interrupts has failed, with what it has, and can resume.
func (o *Orchestrator) Execute(ctx context.Context, in Input) (*Result, error) {
	run, err := o.Start(ctx, in)
	if err != nil {
		return nil, err
	}
	for more := true; more && err == nil; {
		more, err = run.Step(ctx)
	}
	s := run.State()
	result := &Result{Plan: s.Plan, Status: s.Status, State: s, Usage: s.Usage, Error: s.Error}
	switch {
	case s.Status == Waiting:
		return nil, &Error{Kind: record.ApprovalNeeded, Step: s.CurrentStep, Text: fmt.Sprintf("step %q waits for the approval of a call of %s", s.CurrentStep, s.Waiting.Name), State: &s}
	case err != nil && s.Plan == nil:
		failed := *record.NewError("", err)
		failed.State = &s
		return nil, &failed
	case err != nil:
		result.Status, result.Error = Failed, record.NewError(s.CurrentStep, err)
	}
	return result, nil
}
