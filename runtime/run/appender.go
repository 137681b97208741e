package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"

	"github.com/aiongen/aiongen/runtime/journal"
)

// journalAppender reads the journal of a run and appends to it for one worker. Create it with
// [openAppender].
type journalAppender struct {
	count       int           // entries read or appended
	lastEntry   journal.Entry // the last of them, without data
	waits       []Wait        // calls that the run waits for, as of the last entry
	claimed     bool          // this worker has claimed the run
	cancelError *Error        // why the run was canceled

	journal   journal.Journal
	runID, id string
	clock     func() time.Time
	onEntry   func(*runEntry)
	pending   []journal.Entry
	opened    bool   // the existing entries were read
	rival     string // another worker that drives the run
}

// openAppender reads a run. It calls onEntry for every entry, including those that others append
// later. The error is the journal's, or has the code [journal.Corrupt] if an entry cannot be
// decoded and the run was not canceled.
func openAppender(ctx context.Context, j journal.Journal, run string, clock func() time.Time, onEntry func(*runEntry)) (*journalAppender, error) {
	w := &journalAppender{journal: j, runID: run, id: NewID(), clock: clock, onEntry: onEntry}
	err := w.readEntries(ctx)
	w.opened = true
	return w, err
}

func (w *journalAppender) readEntries(ctx context.Context) error {
	var bad error
	for e, err := range w.journal.Read(ctx, w.runID, w.count) {
		if err != nil {
			return err
		}
		n, err := parseEntry(e)
		if w.count, w.lastEntry = e.N+1, n.Entry; err != nil {
			bad = &journal.Error{Kind: journal.Corrupt, Run: w.runID, Err: err}
			continue
		}
		w.waits = updateWaits(w.waits, n)
		if n.Kind == kindCancel {
			w.cancelError = &Error{Kind: Cancelled, Text: "the run was canceled: " + n.Signal.Reason}
		}
		// Before this worker has claimed the run, a claim of another worker proves nothing, because that
		// worker may have been killed since; any other entry of a worker shows that the worker drives the
		// run. Afterward, only a claim takes over the run; other entries are late outcomes of calls.
		if isClaim := n.Kind == kindClaim; w.opened && n.Signal == nil && isClaim == w.claimed {
			w.rival = n.By
		}
		w.onEntry(n)
	}
	if w.cancelError != nil {
		return nil
	}
	return bad
}

// readNewEntries reads entries that others have appended. The error is the journal's, or a [*TakenOverError].
func (w *journalAppender) readNewEntries(ctx context.Context) error {
	if err := w.readEntries(ctx); err != nil {
		return err
	}
	return w.takenOverError()
}

// takenOverError returns a [*TakenOverError] if another worker drives the run.
func (w *journalAppender) takenOverError() error {
	if w.rival == "" {
		return nil
	}
	return &TakenOverError{Run: w.runID, By: w.rival}
}

// newEntry returns a new entry of this worker. Seen is the number of entries that the run had read
// when it requested the effect. Data of type json.RawMessage is stored unchanged.
func (w *journalAppender) newEntry(kind, effect string, seen int, data any) (journal.Entry, error) {
	text, raw := data.(json.RawMessage)
	var err error
	if !raw {
		text, err = jsontext.Encode(data)
	}
	e := journal.Entry{Format: entryFormat, Kind: kind, By: w.id, Seen: seen, Status: Running, Effect: effect, Data: text}
	e.Time = laterTime(w.clock(), w.lastEntry.Time)
	if n := len(w.pending); n > 0 {
		e.Time = laterTime(e.Time, w.pending[n-1].Time)
	}
	return e, err
}

// queueEntry queues an entry for the next call of flushPending.
func (w *journalAppender) queueEntry(e journal.Entry) { w.pending = append(w.pending, e) }

// maxAppendTime limits the time of an append. The context of the run does not cancel an append,
// so that finished effects are not lost.
const maxAppendTime = 10 * time.Second

// flushPending appends the pending entries, and after them the entries in more. If the worker has not claimed
// the run yet, a claim precedes them. If another process has appended in the meantime, flushPending does not
// append more and returns true. The error is the journal's, or a [*TakenOverError].
func (w *journalAppender) flushPending(ctx context.Context, more ...journal.Entry) (news bool, err error) {
	const maxEntries = journal.MaxBatch - 1 // leaves room for a claim
	for len(w.pending)+len(more) > maxEntries {
		rest := w.pending[min(maxEntries, len(w.pending)):]
		w.pending = slices.Clip(w.pending[:len(w.pending)-len(rest)])
		news, err := w.flushBatch(ctx)
		if w.pending = append(w.pending, rest...); news || err != nil {
			return news, err
		}
	}
	return w.flushBatch(ctx, more...)
}

// flushBatch is flushPending for entries that fit into one call of Append.
func (w *journalAppender) flushBatch(ctx context.Context, more ...journal.Entry) (news bool, err error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), maxAppendTime)
	defer stop()
	for {
		entries := slices.Concat(w.pending, more)
		if !w.claimed {
			claim, err := w.newEntry(kindClaim, "", 0, struct{}{})
			if err != nil {
				return false, err
			}
			entries = slices.Insert(entries, 0, claim)
		}
		if len(entries) == 0 {
			return false, nil
		}
		conflict, err := w.appendEntries(ctx, entries)
		if err != nil {
			return false, err
		}
		if !conflict {
			w.claimed, w.pending = true, nil
			return false, nil
		}
		if err := w.takenOverError(); err != nil {
			return false, err
		}
		if len(more) > 0 || !w.claimed {
			return true, nil
		}
	}
}

// appendEntries appends entries. If another process has appended first, it reads the entries of that
// process and returns true.
func (w *journalAppender) appendEntries(ctx context.Context, entries []journal.Entry) (conflict bool, err error) {
	for i := range entries {
		if w.cancelError != nil {
			entries[i].Status = Cancelled
		}
	}
	err = w.journal.Append(ctx, w.runID, w.count, entries...)
	if _, conflict := errors.AsType[*journal.ConflictError](err); conflict {
		return true, w.readEntries(ctx)
	}
	if err == nil {
		w.count += len(entries)
		w.lastEntry = entries[len(entries)-1]
		w.lastEntry.Data = nil
	}
	return false, err
}

// salvageOutcomes appends the pending outcomes of calls after another worker took over the run. It
// drops and returns the outcomes of calls that were decided in the meantime.
func (w *journalAppender) salvageOutcomes(ctx context.Context, decided func(*runEntry) bool) (dropped []*runEntry, err error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), maxAppendTime)
	defer stop()
	for _, e := range w.pending {
		n, err := parseEntry(e)
		if err != nil || e.Kind != kindOutcome || n.Outcome.Attempt == 0 {
			continue
		}
		for conflict := true; conflict; {
			if decided(n) {
				dropped = append(dropped, n)
				break
			}
			e.Status, e.WaitsFor = statusAfter(w.lastEntry, w.waits, e)
			if conflict, err = w.appendEntries(ctx, []journal.Entry{e}); err != nil {
				return dropped, fmt.Errorf("append a late outcome: %w", err)
			}
		}
	}
	w.pending = nil
	return dropped, nil
}

// isOwn reports whether this worker wrote the entry.
func (w *journalAppender) isOwn(n *runEntry) bool { return n.By == w.id }
