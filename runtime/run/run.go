// Package run executes agents durably. A run is an ordinary Go function that reaches the outside
// world only through [Effects]. Each effect is recorded in a journal before anything depends on it.
// A run that was stopped, killed or left waiting resumes by executing its function again: effects
// in the journal return their recorded values, and later ones are performed.
//
// Fill in an [Env], create a run with [Env.Begin] and execute it with [Env.Execute]. [Env.Send]
// delivers signals, such as [Approve] or [Say].
//
//   - A call is made only after its request is in the journal, and then at most once. Read-only
//     and idempotent functions ([tool.Annotations]) may be called again. If a process dies during
//     any other call, the outcome is unknown and the run waits for a person: [Redo], [Deny] or
//     [Supply].
//   - The worker that claimed a run last executes it. Once another worker has claimed the run, the
//     earlier one starts no more effects.
//   - Questions that a function asks wait for a person ([Reply]) or are answered by the model.
//   - Signals are entries that any process may append at any time, provided that the run will
//     process them. A replay sees each signal at the same place as the first execution.
//   - A canceled context or an error of the model interrupts the run, which can resume at that
//     place later.
package run

import (
	"context"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
)

// Begin creates a run by writing its first entry. The ID has 1 to 256 bytes and no slash. The
// error is a [*journal.ConflictError] if a run with this ID exists.
func (env *Env) Begin(ctx context.Context, id string, in Input) error {
	if err := checkID(id); err != nil {
		return err
	}
	data, err := jsontext.Encode(in)
	if err != nil {
		return err
	}
	return env.Journal.Append(ctx, id, 0, journal.Entry{Format: entryFormat, Kind: kindBegin, By: NewID(), Time: env.currentTime(), Status: Running, Data: data})
}

// Send appends a signal to the journal of a run, even if another process drives it. The run
// processes the signal at its next effect or when it is executed next. The error is the
// journal's, or an [*Error] if the run will not process the signal: it has ended ("run_ended"),
// does not wait for it ("not_waiting"), or the signal is invalid ("invalid_input"). If Send
// fails, nothing was appended.
func (env *Env) Send(ctx context.Context, id string, s Signal) error {
	return SendSignal(ctx, env.Journal, id, env.currentTime(), s, nil)
}

// Execute drives a run on the goroutine of the caller until it ends, waits or is interrupted. Any
// earlier worker of the run must be gone. If fold is not nil, it receives all events of the run
// from its beginning. Execute fails with a [*TakenOverError], a [*NonDeterminismError] or an error
// of the journal, or because an entry cannot be read or [Env.Fork] has not copied all entries of
// the run.
func (env *Env) Execute(ctx context.Context, id string, f Func, fold func(Event)) (*Result, error) {
	return env.executeRun(ctx, id, f, fold, false)
}

// Replay executes the function until it requests an effect that the journal does not have. It
// performs no effects and appends nothing.
func (env *Env) Replay(ctx context.Context, id string, f Func, fold func(Event)) (*Result, error) {
	return env.executeRun(ctx, id, f, fold, true)
}

func (env *Env) executeRun(ctx context.Context, id string, f Func, fold func(Event), replayOnly bool) (*Result, error) {
	d, err := openDriver(ctx, env, id, fold, replayOnly)
	switch {
	case err != nil:
		return nil, err
	case d.appender.cancelError != nil && !replayOnly: // even if the run cannot be replayed
		return (&Stop{Status: Cancelled, Err: d.appender.cancelError}).Result(d.usage), nil
	case d.replayer.runEnd() != nil && !replayOnly:
		return d.replayer.runEnd().Result(), nil
	}
	defer func() { // runs even if f panics
		if d.appender.claimed && d.fatal == nil {
			_, _ = d.flushPending()
		}
	}()
	answer, err := f(d, d.replayer.input)
	end := d.finishRun(answer, err)
	var result *Result
	switch {
	case replayOnly && d.appender.cancelError != nil:
		result = (&Stop{Status: Cancelled, Err: d.appender.cancelError}).Result(d.usage)
	case d.fatal != nil:
		if !replayOnly {
			d.deliverEvents(Event{Time: d.currentTime(), What: RunDetached{Error: NewError(d.fatal)}})
		}
		return nil, d.fatal
	case end != nil:
		result = end.Result()
	default:
		result = d.stopped.Result(d.usage)
	}
	if d.appender.claimed {
		d.deliverEvents(Event{Time: d.appender.lastEntry.Time, What: RunStopped{Result: result}})
	}
	return result, nil
}
