package journaltest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// entryAt returns an entry with a status, the given number of seconds after start.
func entryAt(second int, status string) journal.Entry {
	return journal.Entry{Kind: "note", By: "a", Time: start.Add(time.Duration(second) * time.Second), Status: status, WaitsFor: "x"}
}

func checkRuns(ctx context.Context, j journal.Journal) error {
	err := errors.Join(
		expectRuns(ctx, j, journal.Filter{}),
		j.Append(ctx, "old", 0, entryAt(1, "running"), entryAt(9, "waiting")),
		j.Append(ctx, "b", 0, entryAt(5, "running")),
		j.Append(ctx, "a", 0, entryAt(5, "completed")),
		j.Append(ctx, "new", 0, entryAt(2, "running")),
		j.Append(ctx, "new", 1, entryAt(10, "failed")),
		expectRuns(ctx, j, journal.Filter{}, "new", "old", "a", "b"),
		expectRuns(ctx, j, journal.Filter{Status: []string{"running", "waiting"}}, "old", "b"),
		expectRuns(ctx, j, journal.Filter{Status: []string{"none"}}),
		expectRuns(ctx, j, journal.Filter{Limit: 2}, "new", "old"),
		expectRuns(ctx, j, journal.Filter{Limit: 9, Status: []string{"completed"}}, "a"),
		expectRuns(ctx, j, journal.Filter{After: journal.Info{Run: "a", Time: start.Add(5 * time.Second)}}, "b"),
	)
	for info, runsErr := range j.Runs(ctx, journal.Filter{Limit: 1}) {
		want := journal.Info{Run: "new", Entries: 2, Kind: "note", Status: "failed", WaitsFor: "x", Time: start.Add(10 * time.Second)}
		if info != want || runsErr != nil {
			err = errors.Join(err, fmt.Errorf("Runs returns %+v, %v; want %+v", info, runsErr, want))
		}
	}
	return err
}

func checkPages(ctx context.Context, j journal.Journal) error {
	var want []string
	for i := range 30 {
		run := fmt.Sprintf("r%02d", i)
		want = append(want, run)
		if err := j.Append(ctx, run, 0, entryAt(100-i/4, "running")); err != nil {
			return err
		}
	}
	var got []string
	f := journal.Filter{Limit: 7}
	for page := 0; page < 6; page++ {
		for info, err := range j.Runs(ctx, f) {
			if err != nil {
				return err
			}
			got = append(got, info.Run)
			f.After = info
		}
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the pages contain the runs %q, want %q", got, want)
	}
	return nil
}

// manyRuns is the number of runs in the journal.
const manyRuns = 1000

func checkManyRuns(ctx context.Context, j journal.Journal) error {
	err := runConcurrently(10, func(w int) error {
		for i := w; i < manyRuns; i += 10 {
			if err := j.Append(ctx, fmt.Sprintf("r%04d", i), 0, entryAt(i, "running")); err != nil {
				return err
			}
		}
		return nil
	})
	all, runsErr := listRuns(ctx, j, journal.Filter{})
	err = errors.Join(err, runsErr)
	if len(all) != manyRuns || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
		err = errors.Join(err, fmt.Errorf("Runs returns %d runs, want %d in their order", len(all), manyRuns))
	}
	return errors.Join(err, expectRuns(ctx, j, journal.Filter{Limit: 2}, "r0999", "r0998"))
}

func checkOneBegins(ctx context.Context, j journal.Journal) error {
	const workers = 8
	for round := range 10 {
		run := fmt.Sprint("r", round)
		var won sync.Map
		err := runConcurrently(workers, func(w int) error {
			by := fmt.Sprint(w)
			err := j.Append(ctx, run, 0, newEntry(by, by))
			if _, conflict := errors.AsType[*journal.ConflictError](err); conflict {
				return nil
			}
			won.Store(by, true)
			return err
		})
		entries, readErr := readAll(ctx, j, run, 0)
		if err := errors.Join(err, readErr); err != nil {
			return err
		}
		count, right := 0, false
		won.Range(func(by, _ any) bool {
			count++
			right = len(entries) == 1 && entries[0].By == by
			return true
		})
		if count != 1 || !right {
			return fmt.Errorf("%d of %d workers began the same run, and its entries are %+v; want one worker and its entry", count, workers, entries)
		}
	}
	return nil
}

// appendsPerWriter is how often each writer appends two entries.
const appendsPerWriter = 60

func checkTwoWriters(ctx context.Context, j journal.Journal) error {
	if err := j.Append(ctx, "r", 0, newEntry("first", "first")); err != nil {
		return err
	}
	const writers = 4
	err := runConcurrently(writers, func(w int) error {
		n := 1
		for i := 0; i < appendsPerWriter; i++ {
			by := fmt.Sprint(w)
			for {
				err := j.Append(ctx, "r", n, newEntry(by, fmt.Sprint(i)), newEntry(by, "and"))
				if err == nil {
					n += 2
					break
				}
				if _, conflict := errors.AsType[*journal.ConflictError](err); !conflict {
					return err
				}
				others, err := readAll(ctx, j, "r", n)
				if err != nil || len(others) == 0 {
					return fmt.Errorf("entry %d exists, but Read from it returns %v, %w", n, others, err)
				}
				n += len(others)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	entries, err := readAll(ctx, j, "r", 0)
	if err != nil || len(entries) != 1+2*writers*appendsPerWriter {
		return fmt.Errorf("Read returns %d entries, %w; want %d", len(entries), err, 1+2*writers*appendsPerWriter)
	}
	next := map[string]int{}
	for i := 1; i < len(entries); i += 2 {
		by := entries[i].By
		if want := fmt.Sprintf("%q", fmt.Sprint(next[by])); string(entries[i].Data) != want || entries[i+1].By != by || string(entries[i+1].Data) != `"and"` {
			return fmt.Errorf("entries %d and %d are %+v and %+v, want %s of %s", i, i+1, entries[i], entries[i+1], want, by)
		}
		next[by]++
	}
	return nil
}

const (
	manyEntries = 10_000
	measured    = 200 // number of measured appends at the start and at the end
)

// checkConstantCost compares the cost of appending to and reading from a short and a long run. It
// uses medians and a wide margin for busy machines.
func checkConstantCost(ctx context.Context, j journal.Journal) error {
	early, err := measureAppend(ctx, j, 0)
	if err != nil {
		return err
	}
	for n := measured; n < manyEntries-measured; n += measured {
		batch := make([]journal.Entry, measured)
		for i := range batch {
			batch[i] = newEntry("a", "some text")
		}
		if err := j.Append(ctx, "r", n, batch...); err != nil {
			return err
		}
	}
	late, err := measureAppend(ctx, j, manyEntries-measured)
	if err != nil {
		return err
	}
	if late > 8*early+time.Millisecond {
		return fmt.Errorf("an append and a read cost %v at entry %d, and %v at entry 0", late, manyEntries, early)
	}
	entries, err := readAll(ctx, j, "r", 0)
	if err != nil || len(entries) != manyEntries {
		return fmt.Errorf("Read returns %d entries, %w; want %d", len(entries), err, manyEntries)
	}
	return nil
}

// measureAppend appends and reads the measured entries from n on, one by one, and returns the median
// cost.
func measureAppend(ctx context.Context, j journal.Journal, n int) (time.Duration, error) {
	var costs []time.Duration
	for i := n; i < n+measured; i++ {
		began := time.Now()
		if err := j.Append(ctx, "r", i, newEntry("a", "some text")); err != nil {
			return 0, err
		}
		last, err := readAll(ctx, j, "r", i)
		if err != nil || len(last) != 1 {
			return 0, fmt.Errorf("Read from entry %d returns %d entries, %w; want 1", i, len(last), err)
		}
		costs = append(costs, time.Since(began))
	}
	slices.Sort(costs)
	return costs[len(costs)/2], nil
}
