package run

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Effects is the only access that the function of a run has to the outside world. The function
// calls its methods one after the other on its own goroutine. If a method returns a [*Stop], the
// function must return that error. All methods that it calls before it returns do nothing and return
// the same error.
type Effects interface {
	// Model asks the model. The error is a [*Stop], or an [*Error] if the answer was empty, cut off
	// or refused twice.
	Model(Ask) (Answer, error)

	// Call calls tools. It returns when all calls are final, in the order of the requests. Adjacent
	// read-only calls run concurrently, other calls one after the other. If a call waits for a person,
	// the read-only calls after it run before the run waits. The error is a [*Stop].
	Call(...Request) ([]*tool.Call, error)

	// Do calls f, which must not change anything outside, and records its outcome. The error is a
	// [*Stop], or an [*Error] that describes the error of f.
	Do(name string, f func(context.Context) (json.RawMessage, error)) (json.RawMessage, error)

	// Now returns the time of the last effect, or of the beginning of the run.
	Now() time.Time

	// Wait returns the next message, see [Say]. If there is none, the run waits, unless Poll or End
	// is set: then Wait returns nil. The error is a [*Stop].
	Wait(WaitOptions) (*llm.Message, error)

	// Emit delivers an event once: a replay does not deliver it again.
	Emit(step string, what any)
}

// Ask is a question to the model. For and Step must be the same in a replay. The other fields may
// differ, because the journal has the answer.
type Ask struct {
	For     string                             // the purpose
	Step    string                             // of the run
	Tool    string                             // the tool that the answer is about; may be empty
	Request func() llm.Request                 // called only if the model is asked
	Read    func(llm.Response) json.RawMessage // derives data from the answer, to be recorded with it; may be nil
	call    string                             // ID of the call whose function asks; may be empty
	Shrinks bool                               // return an error with the code [llm.ContextFull] instead of interrupting the run if the request is too long
}

// Request is a call requested by a step of a run. The run sets its ID.
type Request struct {
	Step string
	tool.Request
}

// WaitOptions says how a run waits for a message.
type WaitOptions struct {
	Poll   bool            // return instead of waiting
	End    bool            // instead of waiting, end the run with Answer and Error; the function must return them then
	Answer json.RawMessage // the answer to the messages so far, if there is one; becomes part of the [Result]
	Error  *Error          // why there is no answer
}

// Func is the function of a run. If its effects have the same results, it must request the same
// effects in the same order. If it returns an error, the run fails.
type Func func(Effects, Input) (json.RawMessage, error)

// Env holds the dependencies of runs. Journal, Model and Tools are required. It must not change
// after the first run. An Env can execute several runs concurrently.
type Env struct {
	Journal journal.Journal
	Model   llm.Model            // an answer of more than 8 MiB, as JSON, is an error
	Models  map[string]llm.Model // by purpose, such as [PurposeRepair]; Model is asked for other purposes
	Tools   interface {          // such as a *tool.Registry
		Call(ctx context.Context, request tool.Request) *tool.Call
	}
	Agents func(tool string) AgentFunc  // the agent that carries out the calls of a tool, or nil; may be nil
	Events func(context.Context, Event) // may be nil; events of running functions arrive on their goroutines
	Chunks func(context.Context, Event) // receives [Chunk] and [StreamRestarted], not redacted; nil turns streaming off
	// [Env.Replay] calls Requests for each recorded answer of the model, with the number of its entry,
	// the model, and a function that returns the request that this version of the program would send.
	// The context carries the [ModelStart]. Requests may be nil.
	Requests func(ctx context.Context, entry int, model llm.Model, request func() llm.Request)

	Cost     func(model string, usage llm.Usage) float64 // of an answer; may be nil
	Clock    func() time.Time                            // nil is time.Now
	Sleep    func(ctx context.Context, d time.Duration)  // between attempts; nil waits in real time
	Grace    time.Duration                               // how long calls may continue after the context is done; 0 is 10 s
	Parallel int                                         // maximum number of concurrent calls; 0 is 8
	Repeats  int                                         // how often a call that changes something may be made with the same arguments; 0 is 3, negative is unlimited
}

// modelFor returns the model that is asked for a purpose.
func (env *Env) modelFor(purpose string) llm.Model {
	if m, ok := env.Models[purpose]; ok {
		return m
	}
	return env.Model
}

// agentFor returns the agent that carries out the calls of a tool, or nil.
func (env *Env) agentFor(tool string) AgentFunc {
	if env.Agents == nil {
		return nil
	}
	return env.Agents(tool)
}

// maxRepeats returns how often a call that changes something may be made with the same arguments.
func (env *Env) maxRepeats() int { return cmp.Or(env.Repeats, 3) }

func (env *Env) currentTime() time.Time {
	if env.Clock != nil {
		return env.Clock()
	}
	return time.Now()
}
