package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Effects are all that the function of a run has of the world. It calls them one
// after the other, on its own goroutine. An error that is a [*record.Stop] is to be
// passed on: every effect returns it from then on, and nothing is done.
type Effects interface {
	// Model asks the model. The error is a [*record.Stop], or an [*record.Error] if
	// there is no answer: it was empty, cut off or refused, twice.
	Model(Ask) (record.Answer, error)

	// Call calls tools, and returns when all calls are final, in the order of the
	// requests. Neighbouring read-only ones run side by side, others in turn; those
	// that nobody has to decide about run before the run waits for others. The error
	// is a [*record.Stop].
	Call(...Request) ([]*tool.Call, error)

	// Do records what comes of f, which changes nothing. The error is a
	// [*record.Stop], or an [*record.Error] that tells that of f.
	Do(name string, f func(context.Context) (json.RawMessage, error)) (json.RawMessage, error)

	// Now is the time of the last effect; of the beginning before that.
	Now() time.Time

	// Wait returns the next message, see [record.Say]. If there is none, the run waits;
	// or, if it polls or ends, the message is nil. The error is a [*record.Stop].
	Wait(For) (*llm.Message, error)

	// Emit tells of something, once: not again when the run is replayed.
	Emit(step string, what any)
}

// Ask is what a model is asked. For and Step are the same whenever the run comes to
// this place; the rest matters only when it comes here first.
type Ask struct {
	For     string                             // the purpose
	Step    string                             // of the run
	Tool    string                             // that the answer is about, if it is about one
	Request func() llm.Request                 // made only if the model is asked
	Read    func(llm.Response) json.RawMessage // what is made of the answer, kept with it; may be nil
	call    string                             // ID of the one whose function asks, if it is one
	Shrinks bool                               // a request that is longer than the model can read is an error of the kind [llm.ContextFull], and does not interrupt
}

// Request is a call that a step of a run asks for. Its ID is the run's to give.
type Request struct {
	Step string
	tool.Request
}

// For says what a run waits for.
type For struct {
	Poll   bool            // do not wait
	End    bool            // instead of waiting, end the run with Answer and Error; the function then returns them
	Answer json.RawMessage // to what was said before, if there is one; part of the [record.Result]
	Error  *record.Error   // why there is none
}

// Func is the function of runs of one kind. Given the same effects it does the same.
// An error ends the run as failed.
type Func func(Effects, record.Input) (json.RawMessage, error)

// Env is what runs touch of the world. The first three are needed. It must not change
// once there are runs, which may be concurrent.
type Env struct {
	Journal journal.Journal
	Model   llm.Model   // of which an answer of more than 8 MiB, as JSON, is none
	Tools   interface { // such as a *tool.Registry
		Call(ctx context.Context, request tool.Request) *tool.Call
	}
	Events   func(context.Context, record.Event)         // may be nil; what functions tell while they run comes on their goroutines
	Chunks   func(context.Context, record.Event)         // [record.Chunk] and [record.Again], in clear; nil has answers come whole
	Cost     func(model string, usage llm.Usage) float64 // of an answer; may be nil
	Clock    func() time.Time                            // nil is time.Now
	Sleep    func(ctx context.Context, d time.Duration)  // between attempts; nil is the clock of the machine
	Grace    time.Duration                               // how long calls go on when the context is done; 0 is 10 s
	Parallel int                                         // calls side by side; 0 is 8
	Repeats  int                                         // of a call that changes something, with the same arguments; 0 is 3, below 0 no limit
}

func (env *Env) clock() time.Time {
	if env.Clock != nil {
		return env.Clock()
	}
	return time.Now()
}
