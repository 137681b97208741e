// Package policy says what may become of a call, by what its tool claims to do and by
// what the journal has of it; and which limit a run is beyond.
//
// Its layers, from top to bottom:
//
//	book      the calls of a run, numbered and counted
//	call      where one stands
//	question  what its function asks
//	limits    how far a run may go
//	refusal   why a call is none
package policy

import (
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/run/internal/carry"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Call is a call of a batch, and where it stands.
type Call struct {
	Step    string
	Request tool.Request
	Does    tool.Annotations
	Refused error // why it is not to run
	Told    bool  // somebody was told of its end

	Attempt int        // of the last request that there is
	May     bool       // it may run
	Waits   string     // what it waits for
	Result  *tool.Call // once it is final
	At      time.Time  // of the outcome
	Decided bool       // by a person, and not yet an entry
	open    bool       // nobody knows what came of the last request

	Asks    *tool.AskError // what its function asks, and waits for; nil if that is nothing
	answers []ask.Answer   // to that; those that there are not are zero
	asked   int            // how often its function asked
	silent  int            // how often the model gave no answer
}

// ReadOnly tells whether the call changes nothing.
func (c *Call) ReadOnly() bool { return c.Does.Is(tool.ReadOnly) }

// Again tells whether the call may be made any number of times.
func (c *Call) Again() bool { return c.Does.Is(tool.Idempotent) }

// Judge says where the call stands by what the journal has of it. The worker that
// judges has no call under way: a request without an outcome is one of which nobody
// knows.
func (c *Call) Judge(notes []*note.Note) {
	c.Attempt, c.open, c.May, c.Waits, c.Result, c.Decided, c.Asks, c.asked = 0, false, true, "", nil, false, nil, 0
	stopped := false // and waited for this call
	for _, n := range notes {
		switch {
		case n.Asked != nil:
			c.Attempt, c.Request = n.Asked.Attempt, n.Asked.Request
			c.open, c.May, c.Waits, c.Asks = true, false, "", nil
		case n.Came != nil && (c.Result == nil || c.Decided):
			c.open, c.May, c.Waits, c.Decided = false, false, "", false
			c.At = n.Time
			c.came(n.Came.Call)
		case n.Answer != nil && c.Question() != nil:
			c.hear(n.Answer)
		case n.Stop != nil:
			stopped = true
		case n.Signal != nil && stopped && c.Result == nil:
			c.decide(n)
		}
	}
	if c.open {
		if c.May = c.Again(); !c.May {
			c.Waits = record.ForDecision
		}
	}
}

// came takes in what came of the call, if that is an outcome; else it waits.
func (c *Call) came(call *tool.Call) {
	c.Result, c.Asks = call, nil
	asks := note.Asks(call)
	if asks != nil && c.asked < mostAsks {
		c.asked++
		c.Result, c.Asks, c.answers, c.silent = nil, asks, make([]ask.Answer, len(asks.Questions)), 0
		c.answer(true)
	} else if asks == nil && !Settles(call) {
		c.Result, c.Waits = nil, record.ForApproval
	}
}

// decide does to the call what a person said.
func (c *Call) decide(n *note.Note) {
	s := n.Signal
	switch {
	case n.Kind == note.KindApprove && c.Waits == record.ForApproval:
		c.May, c.Waits, c.Request.Approval = true, "", s.Approval
		if s.Arguments != nil {
			c.Request.Arguments = s.Arguments
		}
	case n.Kind == note.KindReply && c.Waits == record.ForAnswer:
		c.answer(false, s.Answers...)
	case n.Kind == note.KindRedo && c.open:
		c.May, c.open = true, false
	case n.Kind == note.KindSupply && c.open:
		c.final(&tool.Call{Status: tool.StatusCompleted, Output: s.Output})
	case n.Kind == note.KindDeny && (c.open || c.Waits != ""):
		c.final(&tool.Call{Status: tool.StatusFailed, Err: &refused{tool: c.Request.Name, reason: s.Reason, begun: c.open}})
	}
}

func (c *Call) final(call *tool.Call) {
	c.Result, c.Decided, c.open, c.May, c.Waits = carry.Settle(call, c.Request), true, false, false, ""
}

// Settles tells whether what came of a call is an outcome: it neither waits for approval
// nor for an answer. Where its function called another tool that needs approval, that of
// this call would approve nothing.
func Settles(c *tool.Call) bool {
	return tool.Code(c.Err) != "needs_approval" && note.Asks(c) == nil
}

// Ran tells whether the function of a call ran.
func Ran(c *tool.Call) bool { return !slices.Contains(notRun, tool.Code(c.Err)) }

// notRun are the codes of calls whose function did not run.
var notRun = []string{"unknown_tool", "invalid_arguments", "truncated", "denied", "needs_approval", "repeated"}

// Turn returns what of a batch is done next, by what the journal has of its calls: a call
// whose function asks the model; if there is none, calls that run concurrently, which are
// read-only neighbors or a single one; if there are none, those that wait for a person.
// Calls take effect in their order: after one that waits, only read-only ones run.
func Turn(batch []*Call, about func(call string) []*note.Note) (asks *Call, group, waits []*Call) {
	for _, c := range batch {
		c.Judge(about(c.Request.ID))
	}
	if i := slices.IndexFunc(batch, func(c *Call) bool { return c.Question() != nil }); i >= 0 {
		return batch[i], nil, nil
	}
	for _, c := range batch {
		switch held := len(waits) > 0 && !c.ReadOnly(); {
		case c.Waits != "":
			waits = append(waits, c)
		case c.Result != nil, held:
		case len(group) == 0 || group[0].ReadOnly() && c.ReadOnly():
			group = append(group, c)
		default:
			return nil, group, nil
		}
	}
	return nil, group, waits
}
