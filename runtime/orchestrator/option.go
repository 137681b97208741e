package orchestrator

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// Option configures an [Orchestrator]. Options are the results of functions such as [Journal],
// and the types [Plan] and [Conversation].
type Option interface{ set(*Orchestrator) }

type optionFunc func(*Orchestrator)

func (f optionFunc) set(o *Orchestrator) { f(o) }

// Journal sets the journal of runs. See package journal/file for runs that outlive their process.
// Journals store everything in clear text.
func Journal(j journal.Journal) Option {
	return optionFunc(func(o *Orchestrator) { o.env.Journal = j })
}

// Store sets the store for tools that take a [memory.Store]. The run stores the output of each step
// of a plan: tools read that of step 2 with the key "step_2_result". In s, this key is
// "run/ID/step_2_result" with the ID of the run, so that every run has its own results. A failure of
// the store is reported as an event.
func Store(s memory.Store) Option { return optionFunc(func(o *Orchestrator) { o.store = s }) }

// Recall adds to every prompt the entries of a store whose keys begin with a prefix, up to 16 KiB.
// Use it, for example, for facts about a user that tools have stored. A failure of the store is
// reported as an event.
func Recall(store memory.Store, prefix string) Option {
	return optionFunc(func(o *Orchestrator) { o.recalls = append(o.recalls, recalledStore{store, prefix}) })
}

// Events adds a receiver of the events of all runs. It is called for one event at a time, after
// the event's effect is in the journal. The events are defined in package run.
func Events(f func(context.Context, run.Event)) Option {
	return optionFunc(func(o *Orchestrator) { o.sinks = append(o.sinks, f) })
}

// StartMeta adds the result of f to the Meta of every run that [Orchestrator.Start] starts, such as
// the user of a request or the context of a trace. f receives the context and the input of the run.
// Meta that the input already has is not changed. Agents that carry out calls have the Meta of the
// call.
func StartMeta(f func(context.Context, Input) map[string]string) Option {
	return optionFunc(func(o *Orchestrator) { o.startMeta = append(o.startMeta, f) })
}

// Options combines several options.
func Options(options ...Option) Option {
	return optionFunc(func(o *Orchestrator) {
		for _, option := range options {
			option.set(o)
		}
	})
}

// ModelFor sets the model for a purpose, such as [run.PurposeRepair]: for example a small model for
// repairs, and a large one for plans. The model of [New] is asked for other purposes. Another
// process may continue a run with other models, because the answers so far are in the journal.
func ModelFor(purpose string, model llm.Model) Option {
	return optionFunc(func(o *Orchestrator) {
		if o.models == nil {
			o.models = map[string]llm.Model{}
		}
		o.models[purpose] = model
	})
}

// ModelOf returns the model that a [ModelFor] among the options sets for a purpose, or else the given
// model. Use it to ask the model outside of the process that executes the run.
func ModelOf(purpose string, model llm.Model, options ...Option) llm.Model {
	var o Orchestrator
	Options(options...).set(&o)
	if m, ok := o.models[purpose]; ok {
		return m
	}
	return model
}

// BaseRequest sets defaults for all requests to the model: a token limit for answers, effort,
// extra members for the endpoint. Its system prompt comes before that of the request. Messages,
// prompt, tools and schema are ignored.
//
// Without MaxTokens, the limit of the endpoint applies. The limit includes the reasoning tokens.
// It is doubled for the second attempt when the first answer was cut off or empty.
func BaseRequest(base llm.Request) Option {
	return optionFunc(func(o *Orchestrator) { o.baseRequest = base })
}

// ConfigureEnv lets f change the environment of runs, such as the clock, the grace period of
// calls or the cost of answers. It cannot change what New and other options set.
func ConfigureEnv(f func(*run.Env)) Option {
	return optionFunc(func(o *Orchestrator) {
		env := o.env
		f(&env)
		env.Journal, env.Events = o.env.Journal, nil
		o.env = env
	})
}

// CheckReplaySafe returns an error if options have effects outside of the model and the tools:
// [Journal], [Store], [Recall], [Events], [StartMeta], or [ConfigureEnv] with Chunks, Clock, Sleep or
// Grace. Engines whose runs execute in a workflow that is replayed call it.
func CheckReplaySafe(options ...Option) error {
	var o Orchestrator
	Options(options...).set(&o)
	env := o.env
	for _, option := range []struct {
		name  string
		isSet bool
	}{
		{"Journal", env.Journal != nil}, {"Store", o.store != nil}, {"Recall", o.recalls != nil}, {"Events", o.sinks != nil}, {"StartMeta", o.startMeta != nil},
		{"ConfigureEnv with Chunks", env.Chunks != nil}, {"ConfigureEnv with a Clock", env.Clock != nil}, {"ConfigureEnv with a Sleep", env.Sleep != nil}, {"ConfigureEnv with a Grace", env.Grace != 0},
	} {
		if option.isSet {
			return invalidInput("the option %s is not allowed: runs that a workflow replays may use only the model and the tools", option.name)
		}
	}
	return nil
}

// Values of [Plan.AfterFailure]. Steps that refer to a failed step never run.
const (
	Replan   = string(planner.Replan)   // the model rewrites the remaining steps, or gives up
	Stop     = string(planner.Stop)     // the run fails
	Continue = string(planner.Continue) // the other steps run; then the run fails, but has an answer
)

// Plan configures runs of the kind "plan", and makes it the default kind.
type Plan struct {
	AfterFailure string // "" is Replan
	Replans      int    // maximum number of replans after failures; 0 is 2. Steps with the agent "replan" have their own limit, ten
	ShownBytes   int    // total length of results in a prompt; 0 is 64 KiB
	Repairs      []supervisor.Option
}

func (p Plan) set(o *Orchestrator) { o.plan, o.kind = p, task.Plan }

func (p Plan) checkSettings() error {
	switch p.AfterFailure {
	case "", Replan, Stop, Continue:
		return nil
	}
	return invalidInput("invalid AfterFailure %q: use %s, %s or %s", p.AfterFailure, Replan, Stop, Continue)
}

func (p Plan) settings(parallel int) planner.Settings {
	return planner.Settings{AfterFailure: planner.AfterFailure(p.AfterFailure), Replans: p.Replans, Parallel: parallel, ShownBytes: p.ShownBytes, Repairs: p.Repairs}
}

// Conversation configures runs of the kind "conversation", and makes it the default kind.
type Conversation struct {
	Turns  int // maximum number of turns of the model for each answer; 0 is 20
	Inline int // maximum bytes of a result in a message; the model can read the rest; 0 is 16 KiB, negative is unlimited

	// Compact returns fewer or shorter messages that replace all messages so far. It is called when
	// a turn took at least Window tokens of input and output, and when the endpoint reports that the
	// request is too long. It must not modify its argument. The run removes calls without results,
	// and results without calls, from the messages that Compact returns. If Compact is nil, messages
	// are never compacted.
	Compact func([]llm.Message) []llm.Message
	Window  int // in tokens; 0 compacts only when the endpoint asks for it

	// ShowPart reports whether the model is shown an image, recording or file that a tool attached
	// to its result, in a message after the results. The model has to accept such parts. If ShowPart
	// is nil, attachments are only described in words.
	ShowPart func(content.Part) bool
}

func (c Conversation) set(o *Orchestrator) { o.conversation, o.kind = c, task.Conversation }

func invalidInput(format string, args ...any) error {
	return &run.Error{Kind: "invalid_input", Text: fmt.Sprintf(format, args...)}
}
