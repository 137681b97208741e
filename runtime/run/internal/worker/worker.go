// Package worker is a worker on the journal of a run: it claims the run, appends what
// was done, takes in what others append, and finds out when another one drives the
// run.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/note"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Worker is one that drives a run, or only reads it. It is made by [Open].
type Worker struct {
	Count     int           // entries that were read or appended
	Last      journal.Entry // of them, without data
	Waits     []record.Wait // calls that the run waits for, by what was read
	Claimed   bool          // the run is this worker's
	Cancelled *record.Error // what a cancelled run says

	journal journal.Journal
	run, by string
	clock   func() time.Time
	take    func(*note.Note)
	pending []journal.Entry
	opened  bool   // what was there at first was read
	rival   string // who drives the run, too
}

// Open reads a run, and hands every entry to take; later on also those that others
// append. The error is the journal's, or that an entry is not understood; a run that
// was cancelled need not be.
func Open(ctx context.Context, j journal.Journal, run string, clock func() time.Time, take func(*note.Note)) (*Worker, error) {
	w := &Worker{journal: j, run: run, by: note.Mark(), clock: clock, take: take}
	err := w.read(ctx)
	w.opened = true
	return w, err
}

func (w *Worker) read(ctx context.Context) error {
	var bad error
	for e, err := range w.journal.Read(ctx, w.run, w.Count) {
		if err != nil {
			return err
		}
		n, err := note.Parse(e)
		if w.Count, w.Last = e.N+1, n.Entry; err != nil {
			bad = &journal.Error{Kind: journal.Corrupt, Run: w.run, Err: err}
			continue
		}
		w.Waits = note.Waiting(w.Waits, n)
		if n.Kind == note.KindCancel {
			w.Cancelled = &record.Error{Kind: record.Cancelled, Text: "the run was cancelled: " + n.Signal.Reason}
		}
		// A claim that comes before this worker's own may be that of a process that was
		// killed in the meantime. The later claim counts.
		if isClaim := n.Kind == note.KindClaim; w.opened && n.Signal == nil && isClaim == w.Claimed {
			w.rival = n.By
		}
		w.take(n)
	}
	if w.Cancelled != nil {
		return nil
	}
	return bad
}

// Refresh reads what others have appended, and appends nothing. The error is the journal's,
// or a [*record.TakenOver].
func (w *Worker) Refresh(ctx context.Context) error {
	if err := w.read(ctx); err != nil {
		return err
	}
	return w.takenOver()
}

// takenOver returns a [*record.TakenOver] if another worker drives the run.
func (w *Worker) takenOver() error {
	if w.rival == "" {
		return nil
	}
	return &record.TakenOver{Run: w.run, By: w.rival}
}

// Entry returns an entry of this worker. Seen is how many entries the run had read
// when it asked for the effect. Data that is JSON is taken as it is.
func (w *Worker) Entry(kind, effect string, seen int, data any) (journal.Entry, error) {
	text, raw := data.(json.RawMessage)
	var err error
	if !raw {
		text, err = jsontext.Encode(data)
	}
	e := journal.Entry{Format: note.Format, Kind: kind, By: w.by, Seen: seen, Status: record.Running, Effect: effect, Data: text}
	e.Time = note.Later(w.clock(), w.Last.Time)
	if n := len(w.pending); n > 0 {
		e.Time = note.Later(e.Time, w.pending[n-1].Time)
	}
	return e, err
}

// Keep keeps an entry of what was done, which the next Flush appends.
func (w *Worker) Keep(e journal.Entry) { w.pending = append(w.pending, e) }

// longestAppend bounds an append, which the context of the run does not end: what was
// done shall not be forgotten.
const longestAppend = 10 * time.Second

// Flush appends what is kept, behind a claim if the run is not this worker's yet, and
// then more. If somebody else appended something meanwhile, more is not appended, and
// there is news. The error is the journal's, or a [*record.TakenOver].
func (w *Worker) Flush(ctx context.Context, more ...journal.Entry) (news bool, err error) {
	const most = journal.MaxBatch - 1 // beside a claim
	for len(w.pending)+len(more) > most {
		rest := w.pending[min(most, len(w.pending)):]
		w.pending = slices.Clip(w.pending[:len(w.pending)-len(rest)])
		news, err := w.flush(ctx)
		if w.pending = append(w.pending, rest...); news || err != nil {
			return news, err
		}
	}
	return w.flush(ctx, more...)
}

// flush is Flush of what one Append takes.
func (w *Worker) flush(ctx context.Context, more ...journal.Entry) (news bool, err error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), longestAppend)
	defer stop()
	for {
		entries := slices.Concat(w.pending, more)
		if !w.Claimed {
			claim, err := w.Entry(note.KindClaim, "", 0, struct{}{})
			if err != nil {
				return false, err
			}
			entries = slices.Insert(entries, 0, claim)
		}
		if len(entries) == 0 {
			return false, nil
		}
		taken, err := w.append(ctx, entries)
		if err != nil {
			return false, err
		}
		if !taken {
			w.Claimed, w.pending = true, nil
			return false, nil
		}
		if err := w.takenOver(); err != nil {
			return false, err
		}
		if len(more) > 0 || !w.Claimed {
			return true, nil
		}
	}
}

// append appends entries. If somebody was faster, what came is read.
func (w *Worker) append(ctx context.Context, entries []journal.Entry) (taken bool, err error) {
	for i := range entries {
		if w.Cancelled != nil {
			entries[i].Status = record.Cancelled
		}
	}
	err = w.journal.Append(ctx, w.run, w.Count, entries...)
	if _, taken := errors.AsType[*journal.Taken](err); taken {
		return true, w.read(ctx)
	}
	if err == nil {
		w.Count += len(entries)
		w.Last = entries[len(entries)-1]
		w.Last.Data = nil
	}
	return false, err
}

// Salvage appends the outcomes of requests that are kept, of a run that is another
// worker's, unless that has decided about them. It returns those that it has.
func (w *Worker) Salvage(ctx context.Context, decided func(*note.Note) bool) (dropped []*note.Note, err error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), longestAppend)
	defer stop()
	for _, e := range w.pending {
		n, err := note.Parse(e)
		if err != nil || e.Kind != note.KindOutcome || n.Came.Attempt == 0 {
			continue
		}
		for taken := true; taken; {
			if decided(n) {
				dropped = append(dropped, n)
				break
			}
			e.Status, e.WaitsFor = note.Stands(w.Last, w.Waits, e)
			if taken, err = w.append(ctx, []journal.Entry{e}); err != nil {
				return dropped, fmt.Errorf("an outcome that came late: %w", err)
			}
		}
	}
	w.pending = nil
	return dropped, nil
}

// IsOwn tells whether an entry is this worker's.
func (w *Worker) IsOwn(n *note.Note) bool { return n.By == w.by }
