package orchestrator

import (
	"context"
	"errors"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/run"
)

// Fork starts a run from the beginning of another run, to try another answer of the model, another
// prompt or another tool. The new run takes over all entries of the other run's journal before
// number entry, together with the results of its steps in the store. It replays them, so that
// their effects are not repeated, and [Run.Execute] continues after them with the tools that are
// available now. The other run stays as it is. Use [journal.Journal] to read its entries: those of
// the kind "model" are the answers of the model.
//
// The error is a [*run.NonDeterminismError] if this orchestrator would do something else than the
// entries record, an error of [run.Env.Fork], which explains where a run cannot be forked, or an
// error of the journal or the store.
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

// copyOutputs copies the outputs of the steps, also of agents, that the run has taken over from
// another one.
func (r *Run) copyOutputs(ctx context.Context, from string) error {
	theirs, ours := memory.Detached(runPrefix(r.o.store, from)), memory.Detached(runPrefix(r.o.store, r.id))
	r.mu.Lock()
	keys := r.latest.outputKeys()
	r.mu.Unlock()
	for _, key := range keys {
		output, ok, err := theirs.Read(ctx, key)
		if err == nil && ok {
			err = ours.Write(ctx, key, output)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Input returns the input with which the run was started, or that of the run from which it was
// forked.
func (r *Run) Input() Input {
	r.mu.Lock()
	known := r.latest
	r.mu.Unlock()
	known.mu.Lock()
	defer known.mu.Unlock()
	in := known.input
	in.ID = r.id
	return in
}
