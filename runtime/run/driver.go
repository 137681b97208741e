package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// driver executes or replays a run.
type driver struct {
	appender   *journalAppender
	replayer   replayer
	ctx        context.Context
	env        *Env
	id         string
	replayOnly bool   // only replay: append nothing and have no effects
	root       *frame // of the function of the run
	frame      *frame // of the function that is executed: root, or the frame of an agent

	agentFrames map[string]*frame // of all agents so far, by the calls that they carry out

	queued         []frameEvent // events whose effects are not in the journal yet
	replayedEvents []Event      // events of replayed effects, until the run is claimed

	live      bool     // the last effect was carried out, not replayed
	stopped   *Stop    // why the run stopped; nothing more is done
	endRecord *endData // the recorded end of the run
	fatal     error    // an error that makes the execution fail, but not the run

	now   time.Time // time of the last effect
	usage Usage
}

// frameEvent is an event of the run's function or of an agent.
type frameEvent struct {
	*frame
	event Event
}

func openDriver(ctx context.Context, env *Env, id string, fold func(Event), replayOnly bool) (d *driver, err error) {
	runner := callRunner{Tools: env.Tools, Events: env.Events, Clock: env.currentTime, Sleep: env.Sleep, Grace: env.Grace, Parallel: env.Parallel}
	d = &driver{ctx: ctx, env: env, id: id, replayOnly: replayOnly, root: &frame{id: id, env: env, runner: runner, fold: fold, steps: map[string]int{}}, agentFrames: map[string]*frame{}}
	d.frame = d.root
	d.appender, err = openAppender(ctx, env.Journal, id, env.currentTime, func(n *runEntry) {
		if d.replayer.addEntry(n); n.Kind == kindBegin {
			d.now = n.Time
		}
	})
	if from := d.replayer.input.Origin; err == nil && from != nil && d.appender.count < from.Entries {
		err = &Error{Kind: "incomplete_fork", Text: fmt.Sprintf("run %q has %d of the %d entries that it takes over from run %q", id, d.appender.count, from.Entries, from.Run), Retry: true}
	}
	d.replayer.callsClosed, d.live = true, !d.replayer.claimedBefore && !replayOnly
	d.root.tools, d.root.calls = d.replayer.input.Tools, newCallBook(id, d.replayer.input.Tools, env.maxRepeats())
	return d, err
}

// failExecution stops the execution because of an error that does not end the run, such as an error
// of the journal.
func (d *driver) failExecution(err error) error {
	d.fatal = cmp.Or(d.fatal, err)
	d.stopped = &Stop{Status: Interrupted, Err: NewError(err)}
	return d.stopped
}

// stopError returns why the run stopped, as an error, or nil if it has not stopped.
func (d *driver) stopError() error {
	if d.stopped != nil {
		return d.stopped
	}
	return nil
}

// flushPending appends the pending entries, and after them the entries in more. Then it delivers
// the events of the pending entries. If another process has appended in the meantime, it does not
// append more and returns true. The error is a [*Stop].
func (d *driver) flushPending(more ...journal.Entry) (news bool, err error) {
	claim, claimed := d.replayer.claimEvent, d.appender.claimed
	if news, err = d.appender.flushPending(d.ctx, more...); err != nil {
		return false, d.handleJournalError(err)
	}
	if d.appender.claimed && !claimed {
		claim.Earlier, d.replayedEvents = d.replayedEvents, nil
		d.deliverEvent(frameEvent{d.root, Event{Time: d.appender.lastEntry.Time, What: claim}})
	}
	if !news {
		events := d.queued
		d.queued = nil // reset first: if a receiver panics, no event is delivered twice
		for _, e := range events {
			d.deliverEvent(e)
		}
	}
	return news, nil
}

// readNewEntries reads entries that others have appended. It ignores retryable errors: if the problem
// persists, the next append reports it.
func (d *driver) readNewEntries() error {
	if err := d.appender.readNewEntries(d.ctx); err != nil && !tool.Retryable(err) {
		return d.handleJournalError(err)
	}
	return nil
}

// handleJournalError stops the execution because the journal failed or another worker drives the run.
func (d *driver) handleJournalError(err error) error {
	if errtype.Is[*TakenOverError](err) {
		d.salvageOutcomes()
	}
	return d.failExecution(err)
}

// salvageOutcomes appends pending outcomes of calls, so that the worker that took over the run can
// use them.
func (d *driver) salvageOutcomes() {
	dropped, err := d.appender.salvageOutcomes(d.ctx, func(late *runEntry) bool {
		return slices.ContainsFunc(d.replayer.entriesSince(late.Effect, late.Outcome.Attempt), func(n *runEntry) bool {
			return n.Request != nil || n.Signal != nil || n.Outcome != nil && !d.appender.isOwn(n)
		})
	})
	d.fatal = cmp.Or(d.fatal, err)
	for _, n := range dropped {
		owner, _ := ParseCallID(n.Effect)
		d.deliverEvent(frameEvent{cmp.Or(d.agentFrames[owner], d.root), Event{Time: n.Time, What: OutcomeDropped{Call: n.Outcome.Call}}})
	}
}

// currentTime returns the current time, but never one before the last effect.
func (d *driver) currentTime() time.Time { return laterTime(d.env.currentTime(), d.now) }

// completeEvent fills in the fields that all events have in common.
func (d *driver) completeEvent(f frameEvent) Event {
	e := f.event
	e.Run, e.AgentCall, e.Number, e.StepsLeft, e.Tools = d.id, f.agentCall(), f.steps[e.Step], d.replayer.limits.StepsLeft(d.usage.Steps), f.tools
	return e
}

// deliverEvents delivers events of the function that is executed.
func (d *driver) deliverEvents(events ...Event) {
	for _, e := range events {
		d.deliverEvent(frameEvent{d.frame, e})
	}
}

func (d *driver) deliverEvent(e frameEvent) {
	if d.env.Events != nil {
		d.env.Events(d.ctx, d.completeEvent(e))
	}
}

// emitEvent emits an event. The fold receives it at once. Env.Events receives it after its effect is
// in the journal, and does not receive it again in a replay.
func (d *driver) emitEvent(step string, what any) {
	e := Event{Run: d.id, AgentCall: d.frame.agentCall(), Step: step, Time: d.now, What: what}
	if d.root.fold != nil {
		d.root.fold(e)
	}
	if d.frame != d.root && d.frame.fold != nil {
		own := e
		own.AgentCall = ""
		d.frame.fold(own)
	}
	if d.live {
		d.queued = append(d.queued, frameEvent{d.frame, e})
	} else if d.env.Events != nil && !d.replayOnly && !d.appender.claimed {
		if d.frame != d.root {
			e.Tools = d.frame.tools
		}
		d.replayedEvents = append(d.replayedEvents, e)
	}
}

// replayEffect returns the next recorded effect, which must have this kind and name. It returns nil
// if all recorded effects have been replayed.
func (d *driver) replayEffect(kind, effect string) (*runEntry, error) {
	n := d.replayer.peekEffect()
	switch {
	case d.stopped != nil || n == nil:
		return nil, d.stopError()
	case n.Kind != kind || n.Effect != effect:
		return nil, d.failNonDeterminism(kind + " " + effect)
	}
	d.takeEffect(n)
	return n, nil
}

// takeEffect advances past the next effect.
func (d *driver) takeEffect(n *runEntry) {
	d.replayer.skipEffect()
	d.now = n.Time
}

func (d *driver) failNonDeterminism(got string) error {
	return d.failExecution(&NonDeterminismError{Run: d.id, Recorded: d.replayer.peekEffect().String(), Got: got})
}

// recordEffect records an effect. It returns the entry as a replay would return it.
func (d *driver) recordEffect(kind, effect string, seen int, data any) (*runEntry, error) {
	e, err := d.appender.newEntry(kind, effect, seen, data)
	if err != nil {
		return nil, d.failExecution(err)
	}
	n, err := parseEntry(e)
	if err != nil {
		return nil, d.failExecution(err)
	}
	d.appender.queueEntry(e)
	d.replayer.addCallEntry(n.callID(), n)
	d.now = e.Time
	return n, nil
}

// beginEffect checks that a new effect may start, then journals its request, if there is one. If
// another process has appended in the meantime, beginEffect does not journal the request and
// returns true.
func (d *driver) beginEffect(step string, request ...journal.Entry) (news bool, err error) {
	for {
		if err := d.checkAllowed(step); err != nil {
			return false, err
		}
		news, err := d.flushPending(request...)
		if err != nil || news && len(request) > 0 {
			return news, err
		}
		if !news && d.appender.cancelError == nil {
			d.live = true
			return false, nil
		}
	}
}

// checkAllowed returns an error if no new effect may start. The reason is then already in the
// journal.
func (d *driver) checkAllowed(step string) error {
	for {
		s := &Stop{}
		newStep := step != "" && d.frame.steps[step] == 0
		switch status, why := checkLimits(d.replayer.limits, d.usage, newStep, d.currentTime()); {
		case d.replayOnly:
			d.stopped = d.replayer.currentStop(d.appender.lastEntry, d.appender.waits)
			return d.stopped
		case d.appender.cancelError != nil:
			s.Status, s.Err = Cancelled, d.appender.cancelError
		case d.ctx.Err() != nil:
			return d.interruptRun(d.ctx.Err())
		case why != nil:
			s.Status, s.Err = status, why
		default:
			return nil
		}
		if news, err := d.stopRun(s); !news {
			return err
		}
	}
}

// interruptRun stops the run because of a problem outside of it, such as a canceled context or an
// error of the model.
func (d *driver) interruptRun(cause error) error {
	e := *NewError(cause)
	isUnknown := errtype.Is[*tool.UnknownOutcomeError](cause) // the next execution settles the call
	e.Retry = e.Retry || isUnknown || d.ctx.Err() != nil
	for {
		if news, err := d.stopRun(&Stop{Status: Interrupted, Err: &e}); !news {
			return err
		}
	}
}

// stopRun stops the run and journals the reason, unless the journal already has it. If another
// process has appended in the meantime, stopRun does nothing and returns true.
func (d *driver) stopRun(s *Stop) (news bool, err error) {
	recorded := d.appender.lastEntry.Status == s.Status && d.appender.lastEntry.WaitsFor == s.WaitsFor
	switch {
	case d.replayOnly && !recorded:
		s = d.replayer.currentStop(d.appender.lastEntry, d.appender.waits)
	case d.replayOnly, !d.appender.claimed && (s.Status == Interrupted || recorded):
	case s.Status == Cancelled: // the journal already says so
		if d.appender.claimed {
			_, err = d.flushPending()
		}
	default:
		var e journal.Entry
		e, err = d.appender.newEntry(kindStop, "", d.appender.count, newStopData(s))
		if err == nil {
			e.Status, e.WaitsFor = s.Status, s.WaitsFor
			news, err = d.flushPending(e)
		}
	}
	if news || err != nil {
		return news, err
	}
	d.stopped = s
	return false, s
}

// finishRun journals the end of a run whose function has returned, unless the run has stopped or
// ended before. It returns nil if the run has not ended.
func (d *driver) finishRun(answer json.RawMessage, failure error) *endData {
	for d.endRecord == nil {
		if news, err := d.endRun(answer, NewError(failure)); err != nil || !news && d.endRecord == nil {
			return nil
		}
	}
	return d.endRecord
}

// endRun journals the end of a run. If another process has appended in the meantime, endRun does
// nothing and returns true. The error is a [*Stop].
func (d *driver) endRun(answer json.RawMessage, failure *Error) (news bool, err error) {
	seen := d.appender.count
	n, err := d.replayEffect(kindEnd, "")
	switch {
	case err != nil:
		return false, err
	case n != nil:
		d.endRecord = n.End
		return false, nil
	case d.replayOnly || d.appender.cancelError != nil:
		return false, d.checkAllowed("")
	}
	e, err := d.appender.newEntry(kindEnd, "", seen, endData{Answer: answer, Error: failure, Usage: d.usage})
	if err != nil {
		return false, d.failExecution(err)
	}
	if e.Status = Completed; failure != nil {
		e.Status = Failed
	}
	if news, err = d.flushPending(e); news || err != nil {
		return news, err
	}
	if n, err = parseEntry(e); err != nil {
		return false, d.failExecution(err)
	}
	d.endRecord = n.End
	return false, nil
}
