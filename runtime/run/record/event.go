package record

import (
	"context"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Event tells what happens in a run. What is one of the types below, or what its
// function emits. It shares what it tells with the run, so that it costs the same in a
// run of any length: who is told must not modify it. Of all that happens those are told
// who watch a run live; what they miss, since a process died, nobody tells again.
//
// A start without its end is one of an effect that a [Stopped] or [Lost] after it cut
// short, or of a call that waits for a person.
type Event struct {
	Run    string
	Step   string // if it is about one
	Number int    // of the step, from 1, in the order of their first effects; 0 before there is one
	Left   int    // steps that the run may still begin; below 0 is any number
	Time   time.Time
	Tools  []tool.Definition // that the run began with
	What   any
}

type (
	// Claimed tells that a worker drives the run from here on. If it waited or was
	// interrupted, that ends here.
	Claimed struct {
		Kind     string // of the run
		Status   string // that ends: running for a new run, or one whose worker is gone
		WaitsFor string
		Since    time.Time // when it began; zero if the status is running

		// Earlier are the events of other executions, as far as the journal has them, for
		// sinks that need all of a run. Their Run, Tools, Number and Left are not set.
		Earlier []Event `json:"-"`
	}
	// ModelStart tells that the model is asked.
	ModelStart struct {
		For     string
		Tool    string // that the answer is to be about, if it is about one
		Model   string // that is asked, see llm.Name; the answer may name it otherwise
		Attempt int    // from 1; a further one follows an answer that is none
	}
	// ModelEnd tells what it answered, and how long that took; or with which error of
	// the model the run is interrupted, which no fold is told of.
	ModelEnd struct {
		ModelStart
		Answer Answer
	}
	// Chunk tells of a piece of an answer while it is made.
	Chunk struct{ For, Text, Reasoning string }
	// Again tells that the chunks since the last ModelStart come to nothing: the stream
	// broke, or what came is no answer.
	Again struct{ For string }
	// CallStart tells that a tool is called, maybe not for the first time.
	CallStart struct {
		Request tool.Request
		Attempt int // from 1
	}
	// Progress tells how far the function of a call is, on the goroutine of that.
	Progress struct {
		Call, Tool  string  // ID and name
		Done, Total float64 // a total of 0 is not known
		Text        string  // what is being done
	}
	// Logged tells what the function of a call says meanwhile, on the goroutine of that.
	Logged struct {
		Call, Tool string // ID and name
		Level      int    // as in package log/slog
		Text       string
	}
	// CallEnd tells what came of a call, and in its Duration how long it took, the
	// last time if it was made several times. What a person decided took none.
	CallEnd struct {
		Call    *tool.Call
		Attempt int // 0 if it never ran
	}
	// Dropped tells of an outcome that came after somebody decided about the call.
	Dropped struct{ Call *tool.Call }
	// Stopped tells that the run ended, waits or was interrupted.
	Stopped struct{ Result *Result }
	// Lost tells that the run goes on, but not here: another worker drives it, its
	// journal fails, or its function has changed.
	Lost struct{ Error *Error }
)

// ForQuestion is what a model is asked for that answers a question of the function of a
// call: see package ask.
const ForQuestion = "question"

type eventKey struct{}

// Context returns the context of what the event tells the start of; see [EventFrom].
func (e Event) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventFrom returns the event of the context in which a run asks its model or calls a tool,
// with a [ModelStart] or a [CallStart]. Wrappers of models and middleware of tools, such as
// those that trace, learn from it for which run and step they work. A caller of several
// tools at once gets no event.
func EventFrom(ctx context.Context) (e Event, ok bool) {
	e, ok = ctx.Value(eventKey{}).(Event)
	return e, ok
}
