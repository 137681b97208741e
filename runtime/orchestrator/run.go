package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Run is one that was started. It is safe for concurrent use.
type Run struct {
	o  *Orchestrator
	id string

	mu    sync.Mutex
	known *state // what it is as far as somebody here executed or read it
}

// ID returns the ID of the run, by which [Orchestrator.Open] finds it.
func (r *Run) ID() string { return r.id }

// State returns what is known of the run, at any time, also from within a tool. It is
// a copy of its own. What other processes do becomes known by Execute and by
// [Orchestrator.Open].
func (r *Run) State() State {
	r.mu.Lock()
	known := r.known
	r.mu.Unlock()
	return known.copy()
}

// Send tells the run something, as [record.Approve], [record.Deny], [record.Say] and
// others make it, whichever process executes it. The error is as that of [run.Env.Send]:
// a signal that the run will not process is refused. It is a [*record.Error] of the kind
// "invalid_input" also for arguments or an output that do not fit the schema with which
// the run began, and names the places; and for a message to a plan that is not a text of
// the user. Where a schema cannot be used, or a variable is referred to, the tool decides.
func (r *Run) Send(ctx context.Context, s record.Signal) error {
	return note.Send(ctx, r.o.env.Journal, r.id, r.o.now(), s, func(in *record.Input, name string) error {
		return checkSignal(s, in, name)
	})
}

// checkSignal returns what is wrong with the message of a signal, or with its value for a
// call of a tool.
func checkSignal(s record.Signal, in *record.Input, name string) error {
	var d tool.Definition
	if i := slices.IndexFunc(in.Tools, func(d tool.Definition) bool { return d.Name == name }); i >= 0 {
		d = in.Tools[i]
	}
	switch m := s.Message; {
	case m != nil && in.Kind == task.Plan && (len(m.Parts) > 0 || m.Role == llm.RoleSystem):
		return invalid("a plan reads texts of the user; it has no use for other parts of a message, and none of the system")
	case s.Output != nil:
		return checkValue(d, "output", s.Output, d.Output)
	case s.Arguments != nil:
		return checkValue(d, "arguments", s.Arguments, d.Input)
	}
	return nil
}

// checkValue returns an error if a value for a call does not fit a schema of its tool.
func checkValue(d tool.Definition, what string, value, wanted json.RawMessage) error {
	bad, _ := errors.AsType[*schema.Error](schema.Validate(wanted, value))
	if bad == nil || len(bad.Faults) == 0 {
		return nil
	}
	written, err := jsontext.Parse(string(value), jsontext.Depth)
	if err != nil {
		return err
	}
	bad.Faults = slices.DeleteFunc(bad.Faults, func(f schema.Fault) bool {
		text := `"` + written.At(f.Pointer).Str() + `"`
		return reference.FindString(text) == text
	})
	if len(bad.Faults) == 0 {
		return nil
	}
	return invalid("the %s of %q cannot be that: %s", what, d.Name, bad)
}

// Execute goes on with the run until it ends, waits or is interrupted, on the goroutine
// of the caller. Then it says where the run stands. Whoever executed it in another
// process must not do so any more: that is for whoever starts processes to know. The
// error is a [*record.Error] of the kind "busy" if it is being executed in this
// process; a [*record.TakenOver], a [*record.Drift] or the journal's if it cannot go
// on.
func (r *Run) Execute(ctx context.Context) (*record.Result, error) {
	if _, busy := r.o.driven.LoadOrStore(r.id, true); busy {
		return nil, &record.Error{Kind: "busy", Text: fmt.Sprintf("run %q is being executed", r.id), Retry: true}
	}
	defer r.o.driven.Delete(r.id)
	s := newState(r.id)
	env := r.env(s)
	result, err := env.Execute(ctx, r.id, r.o.function(s), s.take)
	if err != nil {
		return nil, err
	}
	if s.kind() == "" { // it had ended before
		return result, r.replay(ctx)
	}
	s.stand(*result)
	r.know(s)
	return result, nil
}

// replay makes known what the journal has of the run.
func (r *Run) replay(ctx context.Context) error {
	s := newState(r.id)
	env := r.env(s)
	result, err := env.Replay(ctx, r.id, r.o.function(s), s.take)
	switch {
	case err != nil:
		return err
	case s.kind() != task.Plan && s.kind() != task.Conversation:
		return &record.Error{Kind: "unknown_kind", Text: fmt.Sprintf("run %q is of the kind %q, which this program has not", r.id, s.kind())}
	}
	s.stand(*result)
	r.know(s)
	return nil
}

func (r *Run) know(s *state) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = s
}

// env returns what an execution touches of the world. What it tells sinks of happens
// now, and so the run is known by its state from then on.
func (r *Run) env(s *state) *run.Env {
	env := r.o.env
	var one sync.Mutex // tools that run side by side have something to tell, too
	tell := func(ctx context.Context, e record.Event) {
		one.Lock()
		defer one.Unlock()
		r.know(s)
		switch what := e.What.(type) {
		case task.Said:
			return
		case record.Claimed:
			what.Earlier = slices.DeleteFunc(what.Earlier, func(e record.Event) bool { _, said := e.What.(task.Said); return said })
			e.What = what
		}
		for _, sink := range r.o.sinks {
			sink(ctx, e)
		}
	}
	told := func(ctx context.Context, step string, what any) {
		tell(ctx, record.Event{Run: r.id, Step: step, Time: r.o.now(), What: what})
	}
	tools := called{tools: r.o.tools, store: r.o.store, run: s, tell: told}
	env.Model = asked{Model: env.Model, tools: r.o.tools, base: r.o.base, recalls: r.o.recalls, run: s, tell: told}
	env.Tools = tools
	if batch, ok := tools.tools.(batch); ok {
		env.Tools = together{tools, batch}
	}
	env.Events = func(ctx context.Context, e record.Event) {
		if end, ok := e.What.(record.CallEnd); ok && end.Call.Err == nil { // what a person supplied came of no call here
			tools.keep(ctx, end.Call.ID, end.Call.Output)
		}
		tell(ctx, e)
	}
	return &env
}

// function returns the function of runs of all kinds, which tells the state what they
// begin with.
func (o *Orchestrator) function(s *state) run.Func {
	return func(fx run.Effects, in record.Input) (json.RawMessage, error) {
		s.begin(in)
		switch in.Kind {
		case task.Plan:
			return o.plan.settings(o.env.Parallel).Run(fx, in)
		case task.Conversation:
			return o.conversation.settings().Run(fx, in)
		}
		return nil, errors.New("no such kind")
	}
}

// now is the time of what is no effect of a run.
func (o *Orchestrator) now() time.Time {
	if o.env.Clock != nil {
		return o.env.Clock().UTC()
	}
	return time.Now().UTC()
}
