// Package policy says what may become of a call, by what its tool claims to do and by
// what the journal has of it; and which limit a run is beyond.
package policy

import (
	"errors"
	"slices"
	"time"

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
}

// ReadOnly tells whether the call changes nothing.
func (c *Call) ReadOnly() bool { return c.Does.Is(tool.ReadOnly) }

// Again tells whether the call may be made any number of times.
func (c *Call) Again() bool { return c.Does.Is(tool.Idempotent) }

// Judge says where the call stands by what the journal has of it. The worker that
// judges has no call under way: a request without an outcome is one of which nobody
// knows.
func (c *Call) Judge(notes []*note.Note) {
	c.Attempt, c.open, c.May, c.Waits, c.Result, c.Decided = 0, false, true, "", nil, false
	stopped := false // and waited for this call
	for _, n := range notes {
		switch {
		case n.Asked != nil:
			c.Attempt, c.Request = n.Asked.Attempt, n.Asked.Request
			c.open, c.May, c.Waits = true, false, ""
		case n.Came != nil && (c.Result == nil || c.Decided):
			c.open, c.May, c.Waits, c.Decided = false, false, "", false
			c.At = n.Time
			if c.Result, c.Waits = n.Came.Call, WaitsFor(n.Came.Call); c.Waits != "" {
				c.Result = nil
			}
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

// decide does to the call what a person said.
func (c *Call) decide(n *note.Note) {
	s := n.Signal
	switch {
	case n.Kind == note.KindApprove && c.Waits == record.ForApproval:
		c.May, c.Waits, c.Request.Approval = true, "", s.Approval
		if s.Arguments != nil {
			c.Request.Arguments = s.Arguments
		}
	case n.Kind == note.KindRedo && c.open:
		c.May, c.open = true, false
	case n.Kind == note.KindSupply && c.open:
		c.final(&tool.Call{Status: tool.StatusCompleted, Output: s.Output})
	case n.Kind == note.KindDeny && (c.open || c.Waits != ""):
		c.final(&tool.Call{Status: tool.StatusFailed, Err: &record.Refused{Tool: c.Request.Name, Reason: s.Reason, Begun: c.open}})
	}
}

func (c *Call) final(call *tool.Call) {
	c.Result, c.Decided, c.open, c.May, c.Waits = carry.Settle(call, c.Request), true, false, false, ""
}

// WaitsFor returns what is waited for before a call is made again that has come to no
// outcome; nothing for one that has.
func WaitsFor(c *tool.Call) string {
	if _, asks := errors.AsType[*tool.ApprovalError](c.Err); asks {
		return record.ForApproval
	}
	return ""
}

// Ran tells whether the function of a call ran.
func Ran(c *tool.Call) bool { return !slices.Contains(notRun, tool.Code(c.Err)) }

// notRun are the codes of calls whose function did not run.
var notRun = []string{"unknown_tool", "invalid_arguments", "truncated", "denied", "needs_approval", "repeated"}

// Turn returns the calls of a batch that run next, side by side: read-only neighbours,
// or a single one. If there are none, it returns those that wait.
func Turn(batch []*Call) (group, waits []*Call) {
	for _, c := range batch {
		switch {
		case c.Waits != "":
			waits = append(waits, c)
		case c.Result != nil:
		case len(group) == 0 || group[0].ReadOnly() && c.ReadOnly():
			group = append(group, c)
		default:
			return group, nil
		}
	}
	return group, waits
}
