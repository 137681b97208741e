package run

import (
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// effectCall is the state of a call of a batch.
type effectCall struct {
	Step        string
	Request     tool.Request
	Annotations tool.Annotations
	Refused     error     // why the function is not called
	agent       AgentFunc // the agent that carries out the call; nil if the function of its tool does
	endEmitted  bool      // its CallEnd was emitted

	Attempt        int        // number of the last request
	mayRun         bool       // the function may be called now
	waitsFor       string     // what the call waits for, such as ForApproval
	Result         *tool.Call // the final outcome, if there is one
	endTime        time.Time  // time of the outcome
	decided        bool       // a person decided, and the outcome is not in the journal yet
	outcomeUnknown bool       // the last request has no outcome

	ask           *tool.AskError // the questions that its function waits for; nil if there are none
	answers       []tool.Answer  // to the questions; zero if missing
	askCount      int            // how often its function asked
	failedAnswers int            // how often the model failed to answer the current question
}

// isReadOnly reports whether the call changes nothing.
func (c *effectCall) isReadOnly() bool { return c.Annotations.Is(tool.ReadOnly) }

// isIdempotent reports whether the function may be called again. The function of an agent's tool may,
// because it only prepares the input of the agent.
func (c *effectCall) isIdempotent() bool { return c.agent != nil || c.Annotations.Is(tool.Idempotent) }

// updateState derives the state of the call from its entries. It must not be called while a call is
// running: it takes a request without an outcome entry as a call whose outcome is unknown.
func (c *effectCall) updateState(entries []*runEntry) {
	c.Attempt, c.outcomeUnknown, c.mayRun, c.waitsFor, c.Result, c.decided, c.ask, c.askCount = 0, false, true, "", nil, false, nil, 0
	stopped := false // the run stopped to wait for this call
	for _, n := range entries {
		switch {
		case n.Request != nil:
			c.Attempt, c.Request = n.Request.Attempt, n.Request.Request
			c.outcomeUnknown, c.mayRun, c.waitsFor, c.ask = true, false, "", nil
		case n.Outcome != nil && (c.Result == nil || c.decided):
			c.outcomeUnknown, c.mayRun, c.waitsFor, c.decided = false, false, "", false
			c.endTime = n.Time
			c.applyOutcome(n.Outcome.Call)
		case n.Agent != nil:
			c.outcomeUnknown, c.mayRun, c.waitsFor = false, false, ""
		case n.Answer != nil && c.modelQuestion() != nil:
			c.applyModelAnswer(n.Answer)
		case n.Stop != nil:
			stopped = true
		case n.Signal != nil && stopped && c.Result == nil:
			c.applySignal(n)
		}
	}
	if c.outcomeUnknown {
		if c.mayRun = c.isIdempotent(); !c.mayRun {
			c.waitsFor = ForDecision
		}
	}
}

// applyOutcome applies the outcome in an entry. It is the final result of the call, unless the function
// asks questions or the call needs an approval.
func (c *effectCall) applyOutcome(call *tool.Call) {
	c.Result, c.ask = call, nil
	asks := askErrorOf(call)
	if asks != nil && c.askCount < maxCallQuestions {
		c.askCount++
		c.Result, c.ask, c.answers, c.failedAnswers = nil, asks, make([]tool.Answer, len(asks.Questions)), 0
		c.addAnswers(true)
	} else if asks == nil && !isSettled(call) {
		c.Result, c.waitsFor = nil, ForApproval
	}
}

// applySignal applies the signal of a person.
func (c *effectCall) applySignal(n *runEntry) {
	s := n.Signal
	switch {
	case n.Kind == kindApprove && c.waitsFor == ForApproval:
		c.mayRun, c.waitsFor, c.Request.Approval = true, "", s.Approval
		if s.Arguments != nil {
			c.Request.Arguments = s.Arguments
		}
	case n.Kind == kindReply && c.waitsFor == ForAnswer:
		c.addAnswers(false, s.Answers...)
	case n.Kind == kindRedo && c.outcomeUnknown:
		c.mayRun, c.outcomeUnknown = true, false
	case n.Kind == kindSupply && c.outcomeUnknown:
		c.setResult(&tool.Call{Status: tool.StatusCompleted, Output: s.Output})
	case n.Kind == kindDeny && (c.outcomeUnknown || c.waitsFor != ""):
		c.setResult(&tool.Call{Status: tool.StatusFailed, Err: &refusedError{tool: c.Request.Name, reason: s.Reason, begun: c.outcomeUnknown}})
	}
}

func (c *effectCall) setResult(call *tool.Call) {
	c.Result, c.decided, c.outcomeUnknown, c.mayRun, c.waitsFor = settleCall(call, c.Request), true, false, false, ""
}

// isSettled reports whether the outcome is final: the call waits neither for approval nor for an
// answer. If the function called another tool that needs approval, the call is settled: it has
// failed, and approving it would not help.
func isSettled(c *tool.Call) bool {
	return tool.Code(c.Err) != "needs_approval" && askErrorOf(c) == nil
}

// hasRun reports whether the function of a call was called.
func hasRun(c *tool.Call) bool { return !slices.Contains(codesNotRun, tool.Code(c.Err)) }

// codesNotRun lists the error codes of calls whose function was not called.
var codesNotRun = []string{"unknown_tool", "invalid_arguments", "truncated", "denied", "needs_approval", "repeated", agentDepthCode}

// nextTurn returns what a batch does next, according to the entries of its calls. If asks is not
// nil, the function of that call has a question, which the batch asks the model. Otherwise, if
// group is not empty, the batch runs these calls concurrently: adjacent read-only calls, or one
// call of any kind. Otherwise it waits for a person to decide about the calls in waits. Calls take
// effect in their order, so only read-only calls run after one that waits.
func nextTurn(batch []*effectCall, entriesOf func(call string) []*runEntry) (asks *effectCall, group, waits []*effectCall) {
	for _, c := range batch {
		c.updateState(entriesOf(c.Request.ID))
	}
	if i := slices.IndexFunc(batch, func(c *effectCall) bool { return c.modelQuestion() != nil }); i >= 0 {
		return batch[i], nil, nil
	}
	for _, c := range batch {
		switch blocked := len(waits) > 0 && !c.isReadOnly(); {
		case c.waitsFor != "":
			waits = append(waits, c)
		case c.Result != nil, blocked:
		case len(group) == 0 || group[0].isReadOnly() && c.isReadOnly():
			group = append(group, c)
		default:
			return nil, group, nil
		}
	}
	return nil, group, waits
}
