package run

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
)

var _ Effects = (*driver)(nil)

// Now implements [Effects].
func (d *driver) Now() time.Time { return d.now }

// Emit implements [Effects].
func (d *driver) Emit(step string, what any) { d.emitEvent(step, what) }

// countStep numbers a step at its first effect.
func (d *driver) countStep(step string) {
	if steps := d.frame.steps; step != "" && steps[step] == 0 {
		steps[step] = len(steps) + 1
		d.usage.Steps++
	}
}

// Model implements [Effects].
func (d *driver) Model(a Ask) (Answer, error) {
	for attempt := 1; ; attempt++ {
		effect, start := effectKey(a.For, cmp.Or(a.call, d.frame.effectName(a.Step))), ModelStart{For: a.For, Tool: a.Tool, Model: llm.Name(d.frame.env.modelFor(a.For)), Attempt: attempt}
		n, err := d.replayEffect(kindModel, effect)
		if err != nil {
			return Answer{}, err
		}
		if n == nil {
			if n, err = d.recordAnswer(a, effect, start); err != nil {
				return Answer{}, err
			}
		} else if d.replayOnly && d.env.Requests != nil {
			e := d.newAskEvent(a, start)
			d.env.Requests(e.Context(d.ctx), n.N, d.frame.env.modelFor(a.For), func() llm.Request {
				return modelQuestion{Event: e, Request: a.Request()}.attemptRequest()
			})
		}
		answer := *n.Answer
		d.countStep(a.Step)
		d.usage.Add(answer.Usage())
		d.emitEvent(a.Step, ModelEnd{ModelStart: start, Answer: answer})
		if answer.Error == nil {
			return answer, nil
		}
		if attempt == maxQuestionAttempts || answer.Error.Kind == llm.ContextFull {
			return answer, answer.Error
		}
	}
}

// recordAnswer asks the model and records the answer.
func (d *driver) recordAnswer(a Ask, effect string, start ModelStart) (*runEntry, error) {
	seen := d.appender.count
	if _, err := d.beginEffect(a.Step); err != nil {
		return nil, err
	}
	e := d.newAskEvent(a, start)
	d.deliverEvents(e)
	q := modelQuestion{Event: e, Request: a.Request(), Shrinks: a.Shrinks, Chunks: d.env.Chunks, Clock: d.env.currentTime, Cost: d.frame.env.Cost}
	answer, err := askModel(d.ctx, d.frame.env.modelFor(a.For), q)
	if err != nil {
		d.deliverEvents(Event{Step: a.Step, Time: e.Time.Add(answer.Duration), What: ModelEnd{ModelStart: start, Answer: answer}})
		return nil, d.interruptRun(err)
	}
	if answer.Error == nil && a.Read != nil {
		answer.Read = a.Read(answer.Response)
	}
	return d.recordEffect(kindModel, effect, seen, answer)
}

// newAskEvent returns the event which reports that the model is asked.
func (d *driver) newAskEvent(a Ask, start ModelStart) Event {
	return d.completeEvent(frameEvent{d.frame, Event{Step: a.Step, Time: d.currentTime(), What: start}})
}

// Do implements [Effects].
func (d *driver) Do(name string, f func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	name = effectKey(d.frame.effectName(name))
	n, err := d.replayEffect(kindDo, name)
	if err != nil {
		return nil, err
	}
	if n == nil {
		seen := d.appender.count
		if _, err := d.beginEffect(""); err != nil {
			return nil, err
		}
		value, err := f(d.ctx)
		if err != nil && d.ctx.Err() != nil {
			return nil, d.interruptRun(err)
		}
		if n, err = d.recordEffect(kindDo, name, seen, doneData{Value: value, Error: NewError(err)}); err != nil {
			return nil, err
		}
	}
	if n.Done.Error != nil {
		return nil, n.Done.Error
	}
	return n.Done.Value, nil
}

// Wait implements [Effects].
func (d *driver) Wait(f WaitOptions) (*llm.Message, error) {
	switch {
	case d.frame == d.root:
	case d.stopped != nil || f.Poll: // messages are for the run
		return nil, d.stopError()
	default:
		return nil, d.endAgent(f)
	}
	if f.Poll && d.appender.claimed && d.stopped == nil {
		if err := d.readNewEntries(); err != nil {
			return nil, err
		}
	}
	for {
		if err := d.stopError(); err != nil {
			return nil, err
		}
		if m := d.replayer.takeMessage(); m != nil || f.Poll {
			return m, nil
		}
		news, err := d.waitOrEnd(f)
		if err != nil || !news {
			return nil, err
		}
	}
}

// waitOrEnd stops or ends the run. If another process has appended in the meantime, it does
// neither and returns true.
func (d *driver) waitOrEnd(f WaitOptions) (news bool, err error) {
	switch {
	case f.End:
		return d.endRun(f.Answer, f.Error)
	case d.replayer.peekEffect() != nil:
		return false, d.failNonDeterminism("wait for a message")
	case d.appender.cancelError != nil:
		return false, d.checkAllowed("")
	}
	return d.stopRun(&Stop{Status: Waiting, WaitsFor: ForMessage, Answer: f.Answer, Err: f.Error})
}
