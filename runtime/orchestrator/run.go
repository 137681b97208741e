package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Run is a started run. It is safe for concurrent use.
type Run struct {
	o  *Orchestrator
	id string

	latest atomic.Pointer[runState] // state as of the last execution or replay in this process
}

// ID returns the ID of the run, for [Orchestrator.Open].
func (r *Run) ID() string { return r.id }

// State returns a copy of the state of the run as this process knows it. It can be called at any
// time, also from within a tool. To include changes by other processes, call Execute or
// [Orchestrator.Open] first.
func (r *Run) State() State {
	return r.latest.Load().copyState()
}

// Journal returns the journal of the run, for functions that read it, such as [run.Records].
func (r *Run) Journal() journal.Journal { return r.o.env.Journal }

// Send sends the run a signal, such as [run.Approve], [run.Deny] or [run.Say], even if another
// process executes the run. It returns the errors of [run.Env.Send], which rejects signals that
// the run will not process. In addition, it returns a [*run.Error] with the code "invalid_input"
// if arguments or an output do not fit the recorded schema of the tool, or if a plan receives a
// message that is not a user's text. Send does not check a value against an invalid schema, and does
// not check references to variables, such as "<<var:db>>".
func (r *Run) Send(ctx context.Context, s run.Signal) error {
	return run.SendSignal(ctx, r.o.env.Journal, r.id, r.o.currentTime(), s, func(in *run.Input, name string) error {
		return checkSignal(s, in, name)
	})
}

// checkSignal returns an error if the message of a signal, or its value for a call, is invalid.
func checkSignal(s run.Signal, in *run.Input, name string) error {
	var d tool.Definition
	if i := slices.IndexFunc(in.Tools, func(d tool.Definition) bool { return d.Name == name }); i >= 0 {
		d = in.Tools[i]
	}
	switch m := s.Message; {
	case m != nil && in.Kind == task.Plan && (len(m.Parts) > 0 || m.Role == llm.RoleSystem):
		return invalidInput("a plan reads only the text of user messages, no other parts and no system messages")
	case s.Output != nil:
		return checkValue(d, "output", s.Output, d.Output)
	case s.Arguments != nil:
		return checkValue(d, "arguments", s.Arguments, d.Input)
	}
	return nil
}

// checkValue returns an error if a value for a call does not fit a schema of its tool.
func checkValue(d tool.Definition, what string, value, valueSchema json.RawMessage) error {
	bad, _ := errors.AsType[*schema.Error](schema.Validate(valueSchema, value))
	if bad == nil || len(bad.Faults) == 0 {
		return nil
	}
	written, err := jsontext.Parse(string(value), jsontext.Depth)
	if err != nil {
		return err
	}
	bad.Faults = slices.DeleteFunc(bad.Faults, func(f schema.Fault) bool {
		text := `"` + written.At(f.Pointer).Str() + `"`
		return variableReference.FindString(text) == text
	})
	if len(bad.Faults) == 0 {
		return nil
	}
	return invalidInput("invalid %s of %q: %s", what, d.Name, bad)
}

// Execute drives the run on the goroutine of the caller until it ends, waits or is interrupted,
// and returns its result. Any earlier execution in another process must have ended; the caller
// has to ensure that. The error is a [*run.Error] with the code "busy" if this process is already
// executing the run, or a [*run.TakenOverError], a [*run.NonDeterminismError] or an error of the
// journal if the run cannot continue here.
func (r *Run) Execute(ctx context.Context) (*run.Result, error) {
	if _, busy := r.o.executing.LoadOrStore(r.id, true); busy {
		return nil, &run.Error{Kind: "busy", Text: fmt.Sprintf("run %q is being executed", r.id), Retry: true}
	}
	defer r.o.executing.Delete(r.id)
	s := newState(r.id)
	env := r.newExecution(s).newEnv(r.o, s, "")
	result, err := env.Execute(ctx, r.id, r.o.runFunction(s), s.applyEvent)
	if err != nil {
		return nil, err
	}
	if s.kind() == "" { // the run had ended before
		return result, r.replayJournal(ctx)
	}
	s.setResult(*result)
	r.latest.Store(s)
	return result, nil
}

// replayJournal updates the state from the journal.
func (r *Run) replayJournal(ctx context.Context) error {
	s := newState(r.id)
	env := r.newExecution(s).newEnv(r.o, s, "")
	result, err := env.Replay(ctx, r.id, r.o.runFunction(s), s.applyEvent)
	switch {
	case err != nil:
		return err
	case r.o.functionOfKind(s.kind()) == nil:
		return &run.Error{Kind: "unknown_kind", Text: fmt.Sprintf("run %q has the kind %q, which this program does not support", r.id, s.kind())}
	}
	s.setResult(*result)
	r.latest.Store(s)
	return nil
}

// runFunction returns the function of runs of all kinds. It passes their input to s.
func (o *Orchestrator) runFunction(s *runState) run.Func {
	return func(fx run.Effects, in run.Input) (json.RawMessage, error) {
		s.setInput(in)
		if f := o.functionOfKind(in.Kind); f != nil {
			return f(fx, in)
		}
		return nil, errors.New("unknown kind")
	}
}

// functionOfKind returns the function of runs of a kind, or nil if there is no such kind.
func (o *Orchestrator) functionOfKind(kind string) run.Func {
	switch kind {
	case task.Plan:
		return o.plan.settings(o.env.Parallel).Run
	case task.Conversation:
		return conversation.Settings(o.conversation).Run
	}
	return nil
}

// currentTime returns the time of events outside of runs.
func (o *Orchestrator) currentTime() time.Time {
	if o.env.Clock != nil {
		return o.env.Clock().UTC()
	}
	return time.Now().UTC()
}
