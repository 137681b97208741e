package run

import (
	"context"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Event reports what happens in a run. What is one of the types below or a value that the run's
// function emits. Receivers must not modify an event, because it shares memory with the run.
// Events are delivered only live: after a crash, missed events are not delivered again.
//
// A start event without its end belongs to an effect that a later [RunStopped] or [RunDetached]
// cut short, or to a call that waits for a person.
type Event struct {
	Run       string
	AgentCall string // ID of the call if an agent carries it out and this happens in the agent; see [Agent]
	Step      string // of the run or the agent, if the event belongs to a step
	Number    int    // of the step: steps are numbered from 1 in the order of their first effects; 0 before the first step
	StepsLeft int    // steps that the run may still begin; negative is unlimited
	Time      time.Time
	Tools     []tool.Definition // the tools with which the run or the agent began
	What      any
}

type (
	// RunClaimed reports that a worker has claimed the run. It ends a wait or an interruption.
	RunClaimed struct { //nolint:revive // a claim of the run, in a list of events about other things
		Kind     string // of the run
		Status   string // before the claim; running for a new run or one whose worker is gone
		WaitsFor string
		Since    time.Time // when that status began; zero if it is running

		// Meta is the Meta that the input of the run and all its calls of tools have. Receivers must not
		// write it to logs without a filter.
		Meta map[string]string `json:"-"`

		// Earlier are the recorded events of previous executions, for receivers that need the whole run.
		// Their Run, Number and StepsLeft are not set, and Tools only if AgentCall is set.
		Earlier []Event `json:"-"`
	}
	// ModelStart reports that the model is asked.
	ModelStart struct {
		For     string
		Tool    string // the tool that the answer is to be about; may be empty
		Model   string // see llm.Name; the answer may give another name
		Attempt int    // from 1; the next attempt follows an unusable answer
	}
	// ModelEnd reports the answer and how long it took. If the model failed and the run is
	// interrupted, it reports the error, and the fold does not receive it.
	ModelEnd struct {
		ModelStart
		Answer Answer
	}
	// Chunk is a piece of a streamed answer.
	Chunk struct{ For, Text, Reasoning string }
	// StreamRestarted reports that the chunks since the last ModelStart were discarded: the stream
	// broke, or the answer is unusable.
	StreamRestarted struct{ For string }
	// CallStart reports that a tool is called, possibly again.
	CallStart struct {
		Request tool.Request
		Attempt int // from 1
	}
	// Progress reports the progress of a call. It arrives on the goroutine of the function.
	Progress struct {
		Call, Tool  string  // ID and name
		Done, Total float64 // a total of 0 is unknown
		Text        string  // the current activity
	}
	// CallLogged is a log message of a call's function. It arrives on the goroutine of the function.
	CallLogged struct {
		Call, Tool string // ID and name
		Level      int    // as in package log/slog
		Text       string
	}
	// CallEnd reports the outcome of a call. The duration is that of its last attempt, or 0 if a
	// person decided.
	CallEnd struct {
		Call    *tool.Call
		Attempt int // 0 if the function was never called
	}
	// OutcomeDropped reports an outcome that arrived after somebody had decided about the call.
	OutcomeDropped struct{ Call *tool.Call }
	// RunStopped reports that the run ended, waits or was interrupted.
	RunStopped struct{ Result *Result } //nolint:revive // as RunClaimed
	// RunDetached reports that this process no longer executes the run, although the run has not
	// stopped: another worker drives it, its journal failed, or its function has changed.
	RunDetached struct{ Error *Error } //nolint:revive // as RunClaimed
)

type eventKey struct{}

// Context returns a context that carries the start event e; see [EventFrom].
func (e Event) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventFrom returns the event with the [ModelStart] or [CallStart] that the context of a model or
// tool call carries. Wrappers of models and middleware of tools, such as tracing, use it to find
// their run and step. The context of a CallAll, which makes several tool calls at once, carries no
// event.
func EventFrom(ctx context.Context) (e Event, ok bool) {
	e, ok = ctx.Value(eventKey{}).(Event)
	return e, ok
}
