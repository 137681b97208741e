package run

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/ask"
	"github.com/aiongen/aiongen/runtime/run/internal/policy"
	"github.com/aiongen/aiongen/runtime/run/record"
)

var _ Effects = (*driver)(nil)

// Now is [Effects.Now].
func (d *driver) Now() time.Time { return d.now }

// Emit is [Effects.Emit].
func (d *driver) Emit(step string, what any) { d.tell(step, what) }

// step counts a step, from its first effect on.
func (d *driver) step(step string) {
	if step != "" && d.steps[step] == 0 {
		d.steps[step] = len(d.steps) + 1
		d.usage.Steps = len(d.steps)
	}
}

// Model is [Effects.Model].
func (d *driver) Model(a Ask) (record.Answer, error) {
	for attempt := 1; ; attempt++ {
		effect, asks := note.Key(a.For, cmp.Or(a.call, a.Step)), record.ModelStart{For: a.For, Tool: a.Tool, Model: llm.Name(d.env.Model), Attempt: attempt}
		n, err := d.replayed(note.KindModel, effect)
		if err != nil {
			return record.Answer{}, err
		}
		if n == nil {
			if n, err = d.ask(a, effect, asks); err != nil {
				return record.Answer{}, err
			}
		}
		answer := *n.Answer
		d.step(a.Step)
		d.usage.Add(answer.Usage())
		d.tell(a.Step, record.ModelEnd{ModelStart: asks, Answer: answer})
		if answer.Error == nil {
			return answer, nil
		}
		if attempt == policy.Attempts || answer.Error.Kind == llm.ContextFull {
			return answer, answer.Error
		}
	}
}

// ask asks the model.
func (d *driver) ask(a Ask, effect string, asks record.ModelStart) (*note.Note, error) {
	seen := d.Count
	if _, err := d.begin(a.Step); err != nil {
		return nil, err
	}
	e := record.Event{Run: d.id, Step: a.Step, Time: d.time(), What: asks}
	d.deliver(e)
	q := ask.Question{Event: e, Request: a.Request(), Shrinks: a.Shrinks, Chunks: d.env.Chunks, Clock: d.env.clock, Cost: d.env.Cost}
	answer, err := ask.Model(d.ctx, d.env.Model, q)
	if err != nil {
		d.deliver(record.Event{Step: a.Step, Time: e.Time.Add(answer.Duration), What: record.ModelEnd{ModelStart: asks, Answer: answer}})
		return nil, d.interrupt(err)
	}
	if answer.Error == nil && a.Read != nil {
		answer.Read = a.Read(answer.Response)
	}
	return d.keep(note.KindModel, effect, seen, answer)
}

// Do is [Effects.Do].
func (d *driver) Do(name string, f func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	n, err := d.replayed(note.KindDo, note.Key(name))
	if err != nil {
		return nil, err
	}
	if n == nil {
		seen := d.Count
		if _, err := d.begin(""); err != nil {
			return nil, err
		}
		value, err := f(d.ctx)
		if err != nil && d.ctx.Err() != nil {
			return nil, d.interrupt(err)
		}
		if n, err = d.keep(note.KindDo, note.Key(name), seen, note.Done{Value: value, Error: record.NewError(err)}); err != nil {
			return nil, err
		}
	}
	if n.Done.Error != nil {
		return nil, n.Done.Error
	}
	return n.Done.Value, nil
}

// Wait is [Effects.Wait].
func (d *driver) Wait(f For) (*llm.Message, error) {
	if f.Poll && d.Claimed && d.stopped == nil {
		if err := d.refresh(); err != nil {
			return nil, err
		}
	}
	for {
		if err := d.stopping(); err != nil {
			return nil, err
		}
		if m := d.Hear(); m != nil || f.Poll {
			return m, nil
		}
		news, err := d.waitOrEnd(f)
		if err != nil || !news {
			return nil, err
		}
	}
}

// waitOrEnd stops the run, or ends it. If there is news, it does neither.
func (d *driver) waitOrEnd(f For) (news bool, err error) {
	switch {
	case f.End && f.Error == nil:
		return d.end(f.Answer, nil)
	case f.End:
		return d.end(f.Answer, f.Error)
	case d.Next() != nil:
		return false, d.drift("wait for a message")
	case d.Cancelled != nil:
		return false, d.may("")
	}
	return d.halt(&record.Stop{Status: record.Waiting, WaitsFor: record.ForMessage, Answer: f.Answer, Err: f.Error})
}
