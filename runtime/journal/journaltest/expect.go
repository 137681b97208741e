package journaltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// start is the time of the first entries.
var start = time.Date(2026, 3, 2, 9, 0, 0, 123456789, time.UTC)

// newEntry returns an entry with a text.
func newEntry(by, text string) journal.Entry {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings are valid JSON
	}
	return journal.Entry{Format: 1, Kind: "note", By: by, Time: start, Data: data}
}

// readAll returns the entries of a run from a number on.
func readAll(ctx context.Context, j journal.Journal, run string, from int) (entries []journal.Entry, err error) {
	for e, err := range j.Read(ctx, run, from) {
		if err != nil {
			return entries, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// expectData returns an error unless a run has exactly the entries with this data.
func expectData(ctx context.Context, j journal.Journal, run string, data ...string) error {
	entries, err := readAll(ctx, j, run, 0)
	if err != nil {
		return err
	}
	if len(entries) != len(data) {
		return fmt.Errorf("run %.40q has %d entries, want %d", run, len(entries), len(data))
	}
	for i, e := range entries {
		if e.N != i || string(e.Data) != data[i] {
			return fmt.Errorf("entry %d of run %.40q has the number %d and says %.40q, want %.40q", i, run, e.N, e.Data, data[i])
		}
	}
	return nil
}

// expectConflict returns an error unless err is a *journal.ConflictError for the number.
func expectConflict(err error, run string, n int) error {
	if conflict, ok := errors.AsType[*journal.ConflictError](err); !ok || conflict.Run != run || conflict.N != n {
		return fmt.Errorf("entry %d exists: %v, want a *journal.ConflictError", n, err)
	}
	return nil
}

// expectNotFound returns an error unless err is the given *journal.NotFoundError.
func expectNotFound(err error, what string, want journal.NotFoundError) error {
	if notFound, ok := errors.AsType[*journal.NotFoundError](err); !ok || *notFound != want {
		return fmt.Errorf("%s: %#v, want %#v", what, err, &want)
	}
	return nil
}

// expectError returns an error unless err is a *journal.Error of the given code.
func expectError(err error, code, what string) error {
	if e, ok := errors.AsType[*journal.Error](err); !ok || e.Code() != code {
		return fmt.Errorf("%s: the error %v, want a *journal.Error with code %s", what, err, code)
	}
	return nil
}

// listRuns returns the IDs of the selected runs.
func listRuns(ctx context.Context, j journal.Journal, f journal.Filter) (ids []string, err error) {
	for info, err := range j.Runs(ctx, f) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, info.Run)
	}
	return ids, nil
}

// expectRuns returns an error unless Runs returns exactly these runs in this order.
func expectRuns(ctx context.Context, j journal.Journal, f journal.Filter, want ...string) error {
	got, err := listRuns(ctx, j, f)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("Runs(%+v) finds %.300q, want %.300q", f, got, want)
	}
	return nil
}

// runConcurrently runs the given number of workers concurrently.
func runConcurrently(workers int, work func(worker int) error) error {
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { errs[w] = work(w) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
