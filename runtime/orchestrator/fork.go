package orchestrator

import (
	"context"
	"errors"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/run"
)

// Fork starts a run from the beginning of another run, to try another answer of the model, another
// prompt or another tool. The new run gets a copy of all entries before the given one, and of the
// results of steps in the store. It replays the entries, so that their effects are not repeated, and
// [Run.Execute] continues after them with the tools that are available now. The other run does not
// change. To choose an entry, read the journal of the other run with [run.Records]: entries of the
// kind "model" are answers of the model.
//
// The error is a [*run.NonDeterminismError] if this orchestrator requests other effects than the
// entries record, an error of [run.Env.Fork] if the run cannot be forked at this entry, or an error
// of the journal or the store.
func (o *Orchestrator) Fork(ctx context.Context, id string, entry int) (*Run, error) {
	origin := run.Origin{Run: id, Entries: entry}
	r := &Run{o: o, id: run.NewID()}
	if err := o.env.Fork(ctx, r.id, origin, runDefinitions(ctx, o.tools)); err != nil {
		return nil, err
	}
	err := r.replayJournal(ctx)
	if err == nil {
		err = r.copyOutputs(ctx, id)
	}
	if err != nil {
		return nil, errors.Join(err, o.env.Journal.Delete(context.WithoutCancel(ctx), r.id))
	}
	return r, nil
}

// copyOutputs copies the stored outputs of steps, including the steps of agents, from the run that was
// forked.
func (r *Run) copyOutputs(ctx context.Context, from string) error {
	source, target := memory.Detached(runPrefix(r.o.store, from)), memory.Detached(runPrefix(r.o.store, r.id))
	for _, key := range r.latest.Load().outputKeys() {
		output, ok, err := source.Read(ctx, key)
		if err == nil && ok {
			err = target.Write(ctx, key, output)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Input returns the input with which the run was started. A forked run has the input of the other run,
// with its own ID.
func (r *Run) Input() Input {
	latest := r.latest.Load()
	latest.mu.Lock()
	defer latest.mu.Unlock()
	in := latest.input
	in.ID = r.id
	return in
}
