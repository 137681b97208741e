package run

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Call implements [Effects].
func (d *driver) Call(requests ...Request) ([]*tool.Call, error) {
	if err := d.stopError(); err != nil {
		return nil, err
	}
	seen := d.appender.count
	batch, err := d.newBatch(requests)
	for err == nil {
		asks, group, waits := nextTurn(batch, d.replayer.callEntries)
		switch {
		case asks == nil && len(group)+len(waits) == 0:
			return d.collectResults(batch, seen)
		case d.replayer.peekEffect() != nil:
			err = d.failNonDeterminism("call of " + batch[0].Request.Name + " " + batch[0].Request.ID)
		case asks != nil:
			err = d.answerQuestion(asks)
		case len(group) > 0:
			err = d.runCalls(group, seen)
		default:
			err = d.waitForPerson(waits)
		}
	}
	return nil, err
}

// newBatch creates the calls, gives them IDs, and replays the entries that the journal already has for
// them.
func (d *driver) newBatch(requests []Request) ([]*effectCall, error) {
	batch := make([]*effectCall, len(requests))
	byID := map[string]*effectCall{}
	for i, r := range requests {
		c, err := d.frame.calls.newCall(r.Step, r.Request)
		if err != nil {
			return nil, d.failExecution(err)
		}
		if c.agent = d.frame.env.agentFor(r.Name); c.agent != nil && d.frame.depth == maxAgentDepth {
			c.Refused = errTooDeep(r.Name)
		}
		batch[i], byID[c.Request.ID] = c, c
	}
	for n := d.replayer.peekEffect(); n != nil && byID[n.callID()] != nil; n = d.replayer.peekEffect() {
		switch c := byID[n.callID()]; {
		case n.Answer != nil:
			if err := d.answerQuestion(c); err != nil {
				return nil, err
			}
		case n.toolName() != c.Request.Name, n.Agent != nil && c.agent == nil:
			return nil, d.failNonDeterminism("call of " + c.Request.Name + " " + c.Request.ID)
		case n.Agent != nil:
			d.takeEffect(n)
			d.countStep(c.Step)
			if err := d.runAgent(c, n); err != nil {
				return nil, err
			}
		default:
			d.takeEffect(n)
			d.countStep(c.Step)
			d.emitCallEnd(c, n)
		}
	}
	return batch, nil
}

// emitCallEnd emits the end of a call if the entry n is its final outcome.
func (d *driver) emitCallEnd(c *effectCall, n *runEntry) {
	if n.Outcome != nil && isSettled(n.Outcome.Call) {
		c.endEmitted = true
		d.emitEvent(c.Step, CallEnd{Call: n.Outcome.Call, Attempt: max(n.Outcome.Attempt, 1)})
	}
}

// waitForPerson stops the run until a person decides.
func (d *driver) waitForPerson(calls []*effectCall) error {
	s := &Stop{Status: Waiting, WaitsFor: calls[0].waitsFor}
	for _, c := range calls {
		s.Calls = append(s.Calls, Wait{Call: c.Request.ID, For: c.waitsFor, Request: &c.Request, Questions: openQuestions(c.ask)})
	}
	_, err := d.stopRun(s)
	return err
}

// answerQuestion sends the model a question that the tool's function asked during the call.
func (d *driver) answerQuestion(c *effectCall) error {
	answer, err := d.Model(Ask{For: PurposeQuestion, Step: c.Step, Tool: c.Request.Name, call: c.Request.ID, Shrinks: true, Request: func() llm.Request {
		c.updateState(d.replayer.callEntries(c.Request.ID))
		return llm.Request{Prompt: c.modelQuestion().Text, MaxTokens: c.modelQuestion().MaxTokens}
	}})
	if answer.Error != nil { // the run goes on: the question is asked again or canceled
		return nil
	}
	return err
}

// runCalls runs a group of calls: several read-only ones, or one call of any kind. If another
// process has appended in the meantime, runCalls returns without running them.
func (d *driver) runCalls(group []*effectCall, seen int) error {
	all := make([]runningCall, len(group))
	for i, c := range group {
		if begun, err := d.startCall(c, seen); !begun {
			return err
		}
		all[i] = runningCall{Request: c.Request, Event: d.completeEvent(frameEvent{d.frame, Event{Step: c.Step, Time: d.currentTime(), What: CallStart{Request: c.Request, Attempt: max(c.Attempt, 1)}}})}
	}
	if c := group[0]; c.Refused != nil {
		return d.recordOutcome(c, settleCall(&tool.Call{Status: tool.StatusFailed, Err: c.Refused}, c.Request), seen)
	}
	calls := d.frame.runner.runAll(d.ctx, all, group[0].isIdempotent())
	if err := d.recordOutcomes(group, calls, seen); err != nil {
		return err
	}
	if slices.Contains(calls, nil) {
		return d.interruptRun(cmp.Or[error](d.ctx.Err(), new(tool.UnknownOutcomeError)))
	}
	return nil
}

// recordOutcomes records the outcomes of calls. A call for which an agent must do the work has no
// outcome yet. After all other outcomes are recorded, recordOutcomes runs these agents, one after the
// other.
func (d *driver) recordOutcomes(group []*effectCall, calls []*tool.Call, seen int) error {
	agents := make([]*AgentRecord, len(group))
	for i, c := range group {
		if calls[i] == nil {
			continue
		}
		agents[i] = takeAgentData(calls[i])
		if agents[i] != nil && c.agent != nil {
			continue
		}
		if agents[i] != nil {
			agents[i], calls[i] = nil, settleCall(&tool.Call{Status: tool.StatusFailed, Err: &tool.ToolError{Tool: c.Request.Name, Err: errAgentMissing}}, c.Request)
		}
		if err := d.recordOutcome(c, calls[i], seen); err != nil {
			return err
		}
	}
	for i, c := range group {
		if agents[i] == nil {
			continue
		}
		n, err := d.recordEffect(kindAgent, c.Request.ID, seen, agents[i])
		if err == nil {
			err = d.runAgent(c, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// startCall begins a call. It journals the request unless the call is read-only or refused. If
// another process has appended in the meantime, the call does not begin: startCall returns false and
// no error, and the caller must check again what to do next.
func (d *driver) startCall(c *effectCall, seen int) (begun bool, err error) {
	var entries []journal.Entry
	request := requestData{Request: c.Request}
	if !c.isReadOnly() && c.Refused == nil {
		request.Attempt = c.Attempt + 1
		e, err := d.appender.newEntry(kindRequest, c.Request.ID, seen, request)
		if err != nil {
			return false, d.failExecution(err)
		}
		entries = append(entries, e)
	}
	if news, err := d.beginEffect(c.Step, entries...); news || err != nil {
		return false, err
	}
	d.countStep(c.Step)
	if c.Attempt = request.Attempt; c.Attempt > 0 {
		d.replayer.addCallEntry(c.Request.ID, &runEntry{Request: &request})
	}
	if c.Refused == nil {
		d.deliverEvents(Event{Step: c.Step, Time: d.currentTime(), What: CallStart{Request: c.Request, Attempt: max(c.Attempt, 1)}})
	}
	return true, nil
}

func (d *driver) recordOutcome(c *effectCall, result *tool.Call, seen int) error {
	data, err := encodeOutcome(c.Attempt, result)
	if err != nil {
		return d.failExecution(err)
	}
	n, err := d.recordEffect(kindOutcome, c.Request.ID, seen, data)
	if err == nil {
		d.emitCallEnd(c, n)
	}
	return err
}

// collectResults returns the outcomes of a batch, all of which are final. It first journals those
// that a person decided.
func (d *driver) collectResults(batch []*effectCall, seen int) ([]*tool.Call, error) {
	results := make([]*tool.Call, len(batch))
	for i, c := range batch {
		if c.decided && !d.replayOnly && d.replayer.peekEffect() == nil {
			d.live = true
			if err := d.recordOutcome(c, c.Result, seen); err != nil {
				return nil, err
			}
			c.updateState(d.replayer.callEntries(c.Request.ID))
		}
		if i == 0 || c.endTime.After(d.now) {
			d.now = c.endTime
		}
		if results[i] = c.Result; !c.endEmitted {
			d.emitEvent(c.Step, CallEnd{Call: c.Result, Attempt: c.Attempt})
		}
		if hasRun(c.Result) {
			d.usage.ToolCalls++
		}
	}
	return results, nil
}
