package run

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run/internal/carry"
	"github.com/aiongen/aiongen/runtime/run/internal/history"
	"github.com/aiongen/aiongen/runtime/run/internal/policy"
	"github.com/aiongen/aiongen/runtime/run/internal/worker"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// driver goes on with a run, or replays it.
type driver struct {
	*worker.Worker
	history.History
	ctx     context.Context
	env     *Env
	id      string
	dry     bool // replay alone
	fold    func(record.Event)
	carrier carry.Carrier

	// what is to come
	told, earlier []record.Event // events for when the journal has their effects; those of replayed effects, until the run is claimed
	live          bool           // the last effect was not there before
	stopped       *record.Stop   // nothing more is done
	ending        *note.Ending   // of the run, once the journal has it
	fatal         error          // why, if that is not the run's

	now   time.Time // of the last effect
	usage record.Usage
	steps map[string]int // in their order, from 1
	book  *policy.Book   // of calls
}

func open(ctx context.Context, env *Env, id string, fold func(record.Event), dry bool) (d *driver, err error) {
	d = &driver{
		ctx: ctx, env: env, id: id, dry: dry, fold: fold, steps: map[string]int{},
		carrier: carry.Carrier{Tools: env.Tools, Events: env.Events, Clock: env.clock, Sleep: env.Sleep, Grace: env.Grace, Parallel: env.Parallel},
	}
	d.Worker, err = worker.Open(ctx, env.Journal, id, env.clock, func(n *note.Note) {
		if d.Take(n); n.Kind == note.KindBegin {
			d.now = n.Time
		}
	})
	d.Closed, d.live = true, !d.Old && !dry
	d.book = policy.NewBook(id, d.In.Tools, cmp.Or(env.Repeats, 3))
	return d, err
}

// fail stops everything for a reason that is not the run's.
func (d *driver) fail(err error) error {
	d.fatal = cmp.Or(d.fatal, err)
	d.stopped = &record.Stop{Status: record.Interrupted, Err: record.NewError(err)}
	return d.stopped
}

// stopping returns the stop, if there is one, as an error.
func (d *driver) stopping() error {
	if d.stopped != nil {
		return d.stopped
	}
	return nil
}

// flush puts what was done into the journal, and more unless there is news, and tells
// of it. The error is a stop.
func (d *driver) flush(more ...journal.Entry) (news bool, err error) {
	claim, claimed := d.Claim, d.Claimed
	if news, err = d.Flush(d.ctx, more...); err != nil {
		return false, d.lose(err)
	}
	if d.Claimed && !claimed {
		claim.Earlier, d.earlier = d.earlier, nil
		d.deliver(record.Event{Time: d.Last.Time, What: claim})
	}
	if !news {
		told := d.told
		d.told = nil // also if a sink panics: nothing is told twice
		d.deliver(told...)
	}
	return news, nil
}

// refresh reads what others have appended. An error that may pass is left to the next
// append.
func (d *driver) refresh() error {
	if err := d.Refresh(d.ctx); err != nil && !tool.Retryable(err) {
		return d.lose(err)
	}
	return nil
}

// lose stops everything for an error of the journal, or since another worker drives the
// run.
func (d *driver) lose(err error) error {
	if _, over := err.(*record.TakenOver); over {
		d.salvage()
	}
	return d.fail(err)
}

// salvage leaves what came of calls to the worker that drives the run now.
func (d *driver) salvage() {
	dropped, err := d.Salvage(d.ctx, func(late *note.Note) bool {
		return slices.ContainsFunc(d.Since(late.Effect, late.Came.Attempt), func(n *note.Note) bool {
			return n.Asked != nil || n.Signal != nil || n.Came != nil && !d.IsOwn(n)
		})
	})
	d.fatal = cmp.Or(d.fatal, err)
	for _, n := range dropped {
		d.deliver(record.Event{Time: n.Time, What: record.Dropped{Call: n.Came.Call}})
	}
}

// time is that of what happens now. As that of effects it does not go backwards.
func (d *driver) time() time.Time { return note.Later(d.env.clock(), d.now) }

// whole returns an event with what all of them have.
func (d *driver) whole(e record.Event) record.Event {
	e.Run, e.Number, e.Left, e.Tools = d.id, d.steps[e.Step], d.Limits.Left(len(d.steps)), d.In.Tools
	return e
}

func (d *driver) deliver(events ...record.Event) {
	for _, e := range events {
		if d.env.Events != nil {
			d.env.Events(d.ctx, d.whole(e))
		}
	}
}

// tell tells of something: the fold at once, the sinks when what was done before is
// in the journal, and nobody but the fold if it was there before.
func (d *driver) tell(step string, what any) {
	e := record.Event{Run: d.id, Step: step, Time: d.now, What: what}
	if d.fold != nil {
		d.fold(e)
	}
	if d.live {
		d.told = append(d.told, e)
	} else if d.env.Events != nil && !d.dry && !d.Claimed {
		d.earlier = append(d.earlier, e)
	}
}

// replayed returns the entry of an effect if it is there already; if it is not, there
// is none.
func (d *driver) replayed(kind, effect string) (*note.Note, error) {
	n := d.Next()
	switch {
	case d.stopped != nil || n == nil:
		return nil, d.stopping()
	case n.Kind != kind || n.Effect != effect:
		return nil, d.drift(kind + " " + effect)
	}
	d.hand(n)
	return n, nil
}

// hand hands over the next effect.
func (d *driver) hand(n *note.Note) {
	d.Hand()
	d.now = n.Time
}

func (d *driver) drift(come string) error {
	return d.fail(&record.Drift{Run: d.id, There: d.Next().String(), Come: come})
}

// keep keeps what was done, and returns it as a replay does.
func (d *driver) keep(kind, effect string, seen int, data any) (*note.Note, error) {
	e, err := d.Entry(kind, effect, seen, data)
	if err != nil {
		return nil, d.fail(err)
	}
	n, err := note.Parse(e)
	if err != nil {
		return nil, d.fail(err)
	}
	d.Keep(e)
	d.Add(n.Call(), n)
	d.now = e.Time
	return n, nil
}

// begin sees to it that an effect of a step may begin that was not there before, whose
// request, if it has one, is then in the journal. If there is news, it is not.
func (d *driver) begin(step string, request ...journal.Entry) (news bool, err error) {
	for {
		if err := d.may(step); err != nil {
			return false, err
		}
		news, err := d.flush(request...)
		if err != nil || news && len(request) > 0 {
			return news, err
		}
		if !news && d.Cancelled == nil {
			d.live = true
			return false, nil
		}
	}
}

// may returns why no effect may begin, which is then in the journal.
func (d *driver) may(step string) error {
	for {
		s := &record.Stop{}
		newStep := step != "" && d.steps[step] == 0
		switch status, why := policy.Over(d.Limits, d.usage, newStep, d.time()); {
		case d.dry:
			d.stopped = d.Stands(d.Last, d.Waits)
			return d.stopped
		case d.Cancelled != nil:
			s.Status, s.Err = record.Cancelled, d.Cancelled
		case d.ctx.Err() != nil:
			return d.interrupt(d.ctx.Err())
		case why != nil:
			s.Status, s.Err = status, why
		default:
			return nil
		}
		if news, err := d.halt(s); !news {
			return err
		}
	}
}

// interrupt stops the run for something that is not its fault.
func (d *driver) interrupt(cause error) error {
	e := *record.NewError(cause)
	_, unknown := cause.(*tool.UnknownOutcomeError) // of a call, which the next execution settles
	e.Retry = e.Retry || unknown || d.ctx.Err() != nil
	for {
		if news, err := d.halt(&record.Stop{Status: record.Interrupted, Err: &e}); !news {
			return err
		}
	}
}

// halt stops the run and puts that into the journal, unless it says so already. If
// there is news, which may change it, it does neither.
func (d *driver) halt(s *record.Stop) (news bool, err error) {
	says := d.Last.Status == s.Status && d.Last.WaitsFor == s.WaitsFor
	switch {
	case d.dry && !says:
		s = d.Stands(d.Last, d.Waits)
	case d.dry, !d.Claimed && (s.Status == record.Interrupted || says):
	case s.Status == record.Cancelled: // which the journal says
		if d.Claimed {
			_, err = d.flush()
		}
	default:
		var e journal.Entry
		e, err = d.Entry(note.KindStop, "", d.Count, note.Kept(s))
		if err == nil {
			e.Status, e.WaitsFor = s.Status, s.WaitsFor
			news, err = d.flush(e)
		}
	}
	if news || err != nil {
		return news, err
	}
	d.stopped = s
	return false, s
}

// finish ends a run whose function has returned, unless it has stopped or ended.
func (d *driver) finish(answer json.RawMessage, failure error) *note.Ending {
	for d.ending == nil {
		if news, err := d.end(answer, failure); err != nil || !news && d.ending == nil {
			return nil
		}
	}
	return d.ending
}

// end ends a run. If there is news, which may change it, it does not. The error is a stop.
func (d *driver) end(answer json.RawMessage, failure error) (news bool, err error) {
	seen := d.Count
	n, err := d.replayed(note.KindEnd, "")
	switch {
	case err != nil:
		return false, err
	case n != nil:
		d.ending = n.End
		return false, nil
	case d.dry || d.Cancelled != nil:
		return false, d.may("")
	}
	e, err := d.Entry(note.KindEnd, "", seen, note.Ending{Answer: answer, Error: record.NewError(failure), Usage: d.usage})
	if err != nil {
		return false, d.fail(err)
	}
	if e.Status = record.Completed; failure != nil {
		e.Status = record.Failed
	}
	if news, err = d.flush(e); news || err != nil {
		return news, err
	}
	if n, err = note.Parse(e); err != nil {
		return false, d.fail(err)
	}
	d.ending = n.End
	return false, nil
}
