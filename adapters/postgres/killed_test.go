package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/adapters/postgres/internal/cluster"
	"github.com/aiongen/aiongen/runtime/journal"
)

const kills = 20

// TestKilled kills the server in the middle of what writers do, and starts it again.
// What it acknowledged is there.
func TestKilled(t *testing.T) {
	t.Parallel()
	c, err := cluster.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	db := open(t, c.URL())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w := &writers{test: t, db: db, acknowledged: map[string]string{}, kept: map[string]int{}, came: make(chan struct{}, 1)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { w.append(ctx, strconv.Itoa(i)) })
		wg.Go(func() { w.keep(ctx, strconv.Itoa(i)) })
	}
	for range kills {
		for range 10 + rand.IntN(20) {
			<-w.came
		}
		if err := errors.Join(c.Kill(), c.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	wg.Wait()
	w.check(t.Context())
	t.Logf("%d entries and %d values were acknowledged, %d calls failed", len(w.acknowledged), w.values, w.failed)
}

// writers write, and note what was acknowledged.
type writers struct {
	test *testing.T
	db   *postgres.DB
	came chan struct{} // something was acknowledged; full if nobody has looked

	mu           sync.Mutex
	acknowledged map[string]string // who appended the entry, by run and number
	kept         map[string]int    // the last value, by key
	values       int
	failed       int
}

// note notes what f says, which was acknowledged or failed.
func (w *writers) note(f func()) {
	w.mu.Lock()
	f()
	w.mu.Unlock()
	select {
	case w.came <- struct{}{}:
	default:
	}
}

// append appends to two runs, as others do. What fails is done again.
func (w *writers) append(ctx context.Context, by string) {
	j := w.db.Journal()
	next := map[string]int{}
	for i := 0; ctx.Err() == nil; i++ {
		run := []string{"a", "b"}[i%2]
		entries := make([]journal.Entry, 1+i%3)
		for k := range entries {
			entries[k] = journal.Entry{By: by, Seen: i}
		}
		err := j.Append(ctx, run, next[run], entries...)
		for ctx.Err() == nil && w.mayPass(err) {
			err = j.Append(ctx, run, next[run], entries...)
		}
		if _, taken := errors.AsType[*journal.Taken](err); taken {
			for _, err := range j.Read(ctx, run, next[run]) {
				if err != nil {
					break
				}
				next[run]++
			}
			continue
		} else if err != nil {
			continue // the end of ctx
		}
		w.note(func() {
			for range entries {
				w.acknowledged[fmt.Sprint(run, next[run])] = by
				next[run]++
			}
		})
	}
}

// mayPass tells whether an error is one of a server that is away. No other is in
// place.
func (w *writers) mayPass(err error) bool {
	if err == nil {
		return false
	}
	if _, taken := errors.AsType[*journal.Taken](err); taken {
		return false
	}
	var e interface{ Retryable() bool }
	if !errors.As(err, &e) || !e.Retryable() {
		w.test.Error(err)
		return false
	}
	w.note(func() { w.failed++ })
	return true
}

// keep writes ever larger numbers under a key of its own.
func (w *writers) keep(ctx context.Context, key string) {
	for i := 1; ctx.Err() == nil; i++ {
		if err := w.db.Store().Write(ctx, key, i); err == nil {
			w.note(func() { w.kept[key] = i; w.values++ })
		} else if ctx.Err() == nil {
			w.mayPass(err)
		}
	}
}

func (w *writers) check(ctx context.Context) {
	t := w.test
	for _, run := range []string{"a", "b"} {
		for e, err := range w.db.Journal().Read(ctx, run, 0) {
			if err != nil {
				t.Fatal(err)
			}
			key := fmt.Sprint(run, e.N)
			if by, ok := w.acknowledged[key]; ok && by != e.By {
				t.Errorf("entry %s is by %s, acknowledged was that of %s", key, e.By, by)
			}
			w.acknowledged[key] += "!"
		}
	}
	for key, by := range w.acknowledged {
		if by[len(by)-1] != '!' {
			t.Errorf("entry %s of %s is lost", key, by)
		}
	}
	for key, i := range w.kept {
		value, _, err := w.db.Store().Read(ctx, key)
		if n, _ := strconv.Atoi(string(value)); err != nil || n < i {
			t.Errorf("under %s there is %s, %v; %d was acknowledged", key, value, err, i)
		}
	}
	if len(w.acknowledged) < kills || w.values < kills {
		t.Errorf("only %d entries and %d values were acknowledged", len(w.acknowledged), w.values)
	}
}
