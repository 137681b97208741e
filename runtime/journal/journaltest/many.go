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

// at is an entry some seconds after the start, of a status.
func at(second int, status string) journal.Entry {
	return journal.Entry{Kind: "note", By: "a", Time: start.Add(time.Duration(second) * time.Second), Status: status, WaitsFor: "x"}
}

func checkRuns(ctx context.Context, j journal.Journal) error {
	err := errors.Join(
		expectRuns(ctx, j, journal.Filter{}),
		j.Append(ctx, "old", 0, at(1, "running"), at(9, "waiting")),
		j.Append(ctx, "b", 0, at(5, "running")),
		j.Append(ctx, "a", 0, at(5, "completed")),
		j.Append(ctx, "new", 0, at(2, "running")),
		j.Append(ctx, "new", 1, at(10, "failed")),
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
			err = errors.Join(err, fmt.Errorf("of the run, Runs says %+v, %v; want %+v", info, runsErr, want))
		}
	}
	return err
}

func checkPages(ctx context.Context, j journal.Journal) error {
	var want []string
	for i := range 30 {
		run := fmt.Sprintf("r%02d", i)
		want = append(want, run)
		if err := j.Append(ctx, run, 0, at(100-i/4, "running")); err != nil {
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
		return fmt.Errorf("page by page there are %q, want %q", got, want)
	}
	return nil
}

// manyRuns is how many runs there are at once.
const manyRuns = 1000

func checkManyRuns(ctx context.Context, j journal.Journal) error {
	err := concurrently(10, func(w int) error {
		for i := w; i < manyRuns; i += 10 {
			if err := j.Append(ctx, fmt.Sprintf("r%04d", i), 0, at(i, "running")); err != nil {
				return err
			}
		}
		return nil
	})
	all, runsErr := runs(ctx, j, journal.Filter{})
	err = errors.Join(err, runsErr)
	if len(all) != manyRuns || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
		err = errors.Join(err, fmt.Errorf("of %d runs %d are found, or not in their order", manyRuns, len(all)))
	}
	return errors.Join(err, expectRuns(ctx, j, journal.Filter{Limit: 2}, "r0999", "r0998"))
}

func checkOneBegins(ctx context.Context, j journal.Journal) error {
	const workers = 8
	for round := range 10 {
		run := fmt.Sprint("r", round)
		var won sync.Map
		err := concurrently(workers, func(w int) error {
			by := fmt.Sprint(w)
			err := j.Append(ctx, run, 0, entry(by, by))
			if _, taken := errors.AsType[*journal.Taken](err); taken {
				return nil
			}
			won.Store(by, true)
			return err
		})
		entries, readErr := read(ctx, j, run, 0)
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
			return fmt.Errorf("of %d who began a run %d did, and there is %+v", workers, count, entries)
		}
	}
	return nil
}

// each is how many entries each writer of a run appends.
const each = 60

func checkTwoWriters(ctx context.Context, j journal.Journal) error {
	if err := j.Append(ctx, "r", 0, entry("first", "first")); err != nil {
		return err
	}
	const writers = 4
	err := concurrently(writers, func(w int) error {
		n := 1
		for i := 0; i < each; i++ {
			by := fmt.Sprint(w)
			for {
				err := j.Append(ctx, "r", n, entry(by, fmt.Sprint(i)), entry(by, "and"))
				if err == nil {
					n += 2
					break
				}
				if _, taken := errors.AsType[*journal.Taken](err); !taken {
					return err
				}
				came, err := read(ctx, j, "r", n)
				if err != nil || len(came) == 0 {
					return fmt.Errorf("entry %d is taken, but from there on there is %v, %w", n, came, err)
				}
				n += len(came)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	entries, err := read(ctx, j, "r", 0)
	if err != nil || len(entries) != 1+2*writers*each {
		return fmt.Errorf("of %d entries there are %d, %w", 1+2*writers*each, len(entries), err)
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
	measured    = 200 // appends one by one, at the start and at the end
)

// checkConstantCost compares the costs of appends and of reading the last entry of a
// short run and of a long one. Medians, and a wide margin, are for busy machines.
func checkConstantCost(ctx context.Context, j journal.Journal) error {
	early, err := cost(ctx, j, 0)
	if err != nil {
		return err
	}
	for n := measured; n < manyEntries-measured; n += measured {
		batch := make([]journal.Entry, measured)
		for i := range batch {
			batch[i] = entry("a", "some text")
		}
		if err := j.Append(ctx, "r", n, batch...); err != nil {
			return err
		}
	}
	late, err := cost(ctx, j, manyEntries-measured)
	if err != nil {
		return err
	}
	if late > 8*early+time.Millisecond {
		return fmt.Errorf("an append and a read cost %v at entry %d, and %v at entry 0", late, manyEntries, early)
	}
	entries, err := read(ctx, j, "r", 0)
	if err != nil || len(entries) != manyEntries {
		return fmt.Errorf("of %d entries there are %d, %w", manyEntries, len(entries), err)
	}
	return nil
}

// cost appends entries one by one, and returns what one costs.
func cost(ctx context.Context, j journal.Journal, n int) (time.Duration, error) {
	var costs []time.Duration
	for i := n; i < n+measured; i++ {
		began := time.Now()
		if err := j.Append(ctx, "r", i, entry("a", "some text")); err != nil {
			return 0, err
		}
		last, err := read(ctx, j, "r", i)
		if err != nil || len(last) != 1 {
			return 0, fmt.Errorf("behind entry %d there are %d, %w", i, len(last), err)
		}
		costs = append(costs, time.Since(began))
	}
	slices.Sort(costs)
	return costs[len(costs)/2], nil
}
