package orchestrator

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/talk"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// Option sets up an [Orchestrator]: what a function here returns, a [Plan] or a
// [Conversation].
type Option interface{ set(*Orchestrator) }

type option func(*Orchestrator)

func (f option) set(o *Orchestrator) { f(o) }

// Journal says where runs are kept; see package journal/file for runs that outlive
// their process. Journals hold everything in clear.
func Journal(j journal.Journal) Option {
	return option(func(o *Orchestrator) { o.env.Journal = j })
}

// Store says what tools get that take a [memory.Store]. The output of each step of a
// plan is in it under "step_", the ID of the step and "_result"; in the store itself
// "run/", the ID of the run and "/" stand before that, so that each run has its own.
// One that fails is an event.
func Store(s memory.Store) Option { return option(func(o *Orchestrator) { o.store = s }) }

// Recall shows the model in every prompt what a store has under a prefix, as far as it
// has room, 16 KiB: what is known of a user, say, which tools may have written there.
// A store that fails is an event.
func Recall(store memory.Store, prefix string) Option {
	return option(func(o *Orchestrator) { o.recalls = append(o.recalls, recall{store, prefix}) })
}

// Events has f told what happens in every run, one thing after the other, once it is in
// the journal: records of package record, and what package event has. It may be given
// several times.
func Events(f func(context.Context, record.Event)) Option {
	return option(func(o *Orchestrator) { o.sinks = append(o.sinks, f) })
}

// With gives every request to the model what it does not say itself: a limit on the
// tokens of the answer, effort, members that an endpoint wants. A system prompt stands
// before that of the request. What is about a single request counts for nothing:
// messages, prompt, tools, schema.
//
// Without a limit in MaxTokens, the limit of the endpoint applies. The limit includes
// the reasoning of models that think before they answer. It is doubled when the model
// is asked a second time, because its first answer was cut off or empty.
func With(base llm.Request) Option { return option(func(o *Orchestrator) { o.base = base }) }

// Env has f change what runs touch of the world: the clock, how long calls go on when
// the context is done, what an answer costs. What New and other options are for it
// cannot change.
func Env(f func(*run.Env)) Option {
	return option(func(o *Orchestrator) {
		env := o.env
		f(&env)
		env.Journal, env.Events = o.env.Journal, nil
		o.env = env
	})
}

// Pure returns an error if options touch more of the world than the model and the tools:
// [Journal], [Store], [Recall], [Events], and [Env] with chunks, a clock, a sleep or a grace. It
// is for whoever executes runs where that may not be touched, as in a workflow, which is
// replayed.
func Pure(options ...Option) error {
	var o Orchestrator
	for _, option := range options {
		option.set(&o)
	}
	env := o.env
	for _, touches := range []struct {
		what string
		is   bool
	}{
		{"Journal", env.Journal != nil}, {"Store", o.store != nil}, {"Recall", o.recalls != nil}, {"Events", o.sinks != nil},
		{"Env with Chunks", env.Chunks != nil}, {"Env with a Clock", env.Clock != nil}, {"Env with a Sleep", env.Sleep != nil}, {"Env with a Grace", env.Grace != 0},
	} {
		if touches.is {
			return invalid("there must be no %s here: runs that are replayed elsewhere touch nothing but the model and the tools", touches.what)
		}
	}
	return nil
}

// defaults is what runs touch of the world if nobody says anything.
func defaults() run.Env { return run.Env{Journal: new(journal.Map)} }

// What becomes of a plan one of whose steps failed. A step that refers to it never runs.
const (
	Replan   = string(planner.Replan)   // the model writes the steps that are left anew, or gives up
	Stop     = string(planner.Stop)     // the run fails
	Continue = string(planner.Continue) // the plan goes on; the run fails in the end, with its answer
)

// Plan sets up runs of the kind "plan", and makes them those of inputs that name none.
type Plan struct {
	AfterFailure string // "" is Replan
	Replans      int    // after failures, at most, in a run; 0 is 2. Steps with the agent "replan" do not count: there may be ten
	ShownBytes   int    // of results that a prompt shows, in all; 0 is 64 KiB
	Repairs      []supervisor.Option
}

func (p Plan) set(o *Orchestrator) { o.plan, o.kind = p, task.Plan }

func (p Plan) check() error {
	switch p.AfterFailure {
	case "", Replan, Stop, Continue:
		return nil
	}
	return invalid("after a failure there is no %q; %s, %s and %s there are", p.AfterFailure, Replan, Stop, Continue)
}

func (p Plan) settings(parallel int) planner.Settings {
	return planner.Settings{AfterFailure: planner.AfterFailure(p.AfterFailure), Replans: p.Replans, Parallel: parallel, ShownBytes: p.ShownBytes, Repairs: p.Repairs}
}

// Conversation sets up runs of the kind "conversation", and makes them those of inputs
// that name none.
type Conversation struct {
	Turns  int // of the model until it has answered; 0 is 20
	Inline int // bytes of a result that stand in a message, the model can read the rest; 0 is 16 KiB, below 0 all

	// Compact returns fewer messages, or shorter ones, that are to stand for all so far.
	// It is asked when a turn took Window tokens or more, of input and output, and when
	// the endpoint says that the request is too long; nil is not. It must not change
	// what it is given. Calls without results and results without calls are left out.
	Compact func([]llm.Message) []llm.Message
	Window  int // 0 leaves it to the endpoint

	// Shown tells which images, recordings and files that tools attach to results the
	// model is shown, in a message behind them; it has to be one that takes them. nil is
	// none: it is told in words what there is.
	Shown func(content.Part) bool
}

func (c Conversation) set(o *Orchestrator) { o.conversation, o.kind = c, task.Conversation }

func (c Conversation) settings() talk.Settings {
	return talk.Settings{Turns: c.Turns, Inline: c.Inline, Compact: c.Compact, Window: c.Window, Shown: c.Shown}
}

func invalid(format string, args ...any) error {
	return &record.Error{Kind: "invalid_input", Text: fmt.Sprintf(format, args...)}
}
