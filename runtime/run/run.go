// Package run is the kernel of agents: it has an ordinary Go function do what it
// does through [Effects], each of which is in a journal before anything depends on
// it. A run that was stopped, killed or left waiting goes on by running its function
// again over the journal: what is there is handed over, what is not is done.
//
//   - A function is called once its request is in the journal, and then at most once;
//     a read-only or idempotent one ([tool.Annotations]) as often as it takes. What
//     nobody knows of, since its process died, waits for a person: [record.Redo],
//     [record.Deny] or [record.Supply].
//   - Who claims a run drives it. A worker that comes back after another one claimed
//     it begins nothing more.
//   - What a function asks waits for a person, [record.Reply], or the model answers it.
//   - Signals ([Env.Send]) are entries that any process may append at any time, if the
//     run will process them; a run sees them at replay where it saw them first.
//   - A context that is done, and any error of the model, interrupts: the run goes on
//     at that place later.
//
// Its layers, from top to bottom:
//
//	run             runs
//	effects, calls  what a function can do
//	driver          how far it is, and why it stops
//	env             what runs touch of the world
//
// Below it are what there is in a journal (package record) and, inside, a worker on
// one, its history, the policy for calls, how they are carried out, and how a model is
// asked.
package run

import (
	"context"

	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Begin makes the first entry of a run, whose ID has 1 to 256 bytes and no slash. It is
// a [*journal.Taken] if there is one of this ID.
func (env *Env) Begin(ctx context.Context, id string, in record.Input) error {
	return note.Begin(ctx, env.Journal, id, env.clock(), in)
}

// Send tells a run something, also one that another process drives, which takes it in at
// its next effect; or else when it is executed next. The error is the journal's, or a
// [*record.Error] if the run will not process the signal: it has ended ("run_ended"), does
// not wait for it ("not_waiting"), or the signal is not valid ("invalid_input"). Then
// nothing was appended.
func (env *Env) Send(ctx context.Context, id string, s record.Signal) error {
	return note.Send(ctx, env.Journal, id, env.clock(), s, nil)
}

// Execute goes on with a run until it ends, waits or is interrupted, on the goroutine
// of the caller; whoever executed it before is not to be alive any more. The fold, which
// may be nil, is told of everything from the beginning. The error is a
// [*record.TakenOver], a [*record.Drift], the journal's, or that an entry is not
// understood.
func (env *Env) Execute(ctx context.Context, id string, f Func, fold func(record.Event)) (*record.Result, error) {
	return env.drive(ctx, id, f, fold, false)
}

// Replay is Execute as far as the journal goes: nothing is done, and nothing appended.
func (env *Env) Replay(ctx context.Context, id string, f Func, fold func(record.Event)) (*record.Result, error) {
	return env.drive(ctx, id, f, fold, true)
}

func (env *Env) drive(ctx context.Context, id string, f Func, fold func(record.Event), dry bool) (*record.Result, error) {
	d, err := open(ctx, env, id, fold, dry)
	switch {
	case err != nil:
		return nil, err
	case d.Cancelled != nil && !dry: // also a run that cannot be replayed
		return (&record.Stop{Status: record.Cancelled, Err: d.Cancelled}).Result(d.usage), nil
	case d.End() != nil && !dry:
		return d.End().Result(), nil
	}
	defer func() { // also where f panics
		if d.Claimed && d.fatal == nil {
			_, _ = d.flush()
		}
	}()
	answer, err := f(d, d.In)
	end := d.finish(answer, err)
	var result *record.Result
	switch {
	case dry && d.Cancelled != nil:
		result = (&record.Stop{Status: record.Cancelled, Err: d.Cancelled}).Result(d.usage)
	case d.fatal != nil:
		if !dry {
			d.deliver(record.Event{Time: d.time(), What: record.Lost{Error: record.NewError(d.fatal)}})
		}
		return nil, d.fatal
	case end != nil:
		result = end.Result()
	default:
		result = d.stopped.Result(d.usage)
	}
	if d.Claimed {
		d.deliver(record.Event{Time: d.Last.Time, What: record.Stopped{Result: result}})
	}
	return result, nil
}
