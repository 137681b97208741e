package history

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Kinds of items. The others are "claim", "stop" and "end", as in [run.Record].
const (
	KindBegin  = "begin"
	KindModel  = "model"
	KindCall   = "call"
	KindSignal = "signal" // a signal that is not about a call
	KindFault  = "fault"  // an entry that cannot be read
)

// Item is something that happened in a run. A call with its attempts and decisions is one item.
type Item struct {
	Kind     string
	Entry    int // number of its first entry
	Last     int // number of its last entry, if there are several
	Depth    int // number of agents around the item; 0 for the run itself
	Step     string
	Began    time.Time
	Ended    time.Time
	Status   string // of the run: of a stop or an end
	WaitsFor string
	By       string      // the worker that claimed the run
	Error    *run.Error  // of a stop, an end or a fault
	Purpose  string      // of an answer
	Turn     int         // of a conversation, from 1; otherwise 0
	Answer   *run.Answer // of the model
	Call     *Call
	Signal   *run.Signal

	frame *frame // in which it happened
}

// Call is a call of a tool with everything that happened to it.
type Call struct {
	ID       string
	Tool     string
	Request  tool.Request // the latest
	Outcome  *tool.Call   // the latest; nil while the call runs
	Agent    string       // kind of the agent that carries it out, or ""
	WaitsFor string       // what the run waits for now, about this call
	Moments  []Moment     // in order
	Sources  []Argument   // set by [Run.ShowItem]

	planned *planStep // the step of the plan that made the call; nil in a conversation
	written *Item     // the answer of the model with the call; nil in a plan
	edits   []personEdit
}

// Moment is an entry about a call.
type Moment struct {
	Entry   int
	Time    time.Time
	Kind    string // starts, returns, fails, waits (for an approval), asks, agent, or the kind of the signal
	Attempt int
	Request *tool.Request // of a start
	Call    *tool.Call    // of an outcome
	Signal  *run.Signal
}

// arguments returns the latest arguments.
func (c *Call) arguments() json.RawMessage {
	if n := len(c.edits); n > 0 {
		return c.edits[n-1].arguments
	}
	return c.Request.Arguments
}

// Questions returns the questions that the function of the call asks a person.
func (c *Call) Questions() []tool.Question {
	if c.Outcome == nil {
		return nil
	}
	if asks, ok := errors.AsType[*tool.AskError](c.Outcome.Err); ok {
		return slices.DeleteFunc(slices.Clone(asks.Questions), func(q tool.Question) bool { return q.Kind == tool.QuestionModel })
	}
	return nil
}

// Status returns the state of the call: running, waiting, done, failed or unknown.
func (c *Call) Status() string {
	switch {
	case c.WaitsFor == run.ForDecision:
		return "unknown"
	case c.WaitsFor != "":
		return run.Waiting
	case c.Outcome == nil:
		return run.Running
	case c.Outcome.Err != nil:
		return "failed"
	}
	return "done"
}

// modelEnd returns the answer as an event.
func (item *Item) modelEnd() run.ModelEnd {
	return run.ModelEnd{ModelStart: run.ModelStart{For: item.Purpose, Attempt: 1}, Answer: *item.Answer}
}
