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

// TestKilled kills and restarts the server while others write. Everything it acknowledged must be there.
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
	db := openDB(t, c.URL())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w := &writers{test: t, db: db, acknowledged: map[string]string{}, kept: map[string]int{}, came: make(chan struct{}, 1)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { w.appendEntries(ctx, strconv.Itoa(i)) })
		wg.Go(func() { w.writeMemory(ctx, strconv.Itoa(i)) })
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
	w.checkDatabase(t.Context())
	t.Logf("%d entries and %d values were acknowledged, %d calls failed", len(w.acknowledged), w.values, w.failed)
}

// writers write and record what was acknowledged.
type writers struct {
	test *testing.T
	db   *postgres.DB
	came chan struct{} // full if something was acknowledged and nobody has received it yet

	mu           sync.Mutex
	acknowledged map[string]string // author of the entry, by run and number
	kept         map[string]int    // last value, by key
	values       int
	failed       int
}

// withLock calls f, which records an acknowledgment or failure, while holding the lock.
func (w *writers) withLock(f func()) {
	w.mu.Lock()
	f()
	w.mu.Unlock()
	select {
	case w.came <- struct{}{}:
	default:
	}
}

// appendEntries appends to two runs, concurrently with other writers, and retries after failures.
func (w *writers) appendEntries(ctx context.Context, by string) {
	j := w.db.Journal()
	next := map[string]int{}
	for i := 0; ctx.Err() == nil; i++ {
		run := []string{"a", "b"}[i%2]
		entries := make([]journal.Entry, 1+i%3)
		for k := range entries {
			entries[k] = journal.Entry{By: by, Seen: i}
		}
		err := j.Append(ctx, run, next[run], entries...)
		for ctx.Err() == nil && w.isTransient(err) {
			err = j.Append(ctx, run, next[run], entries...)
		}
		if _, taken := errors.AsType[*journal.ConflictError](err); taken {
			for _, err := range j.Read(ctx, run, next[run]) {
				if err != nil {
					break
				}
				next[run]++
			}
			continue
		} else if err != nil {
			continue // ctx is done
		}
		w.withLock(func() {
			for range entries {
				w.acknowledged[fmt.Sprint(run, next[run])] = by
				next[run]++
			}
		})
	}
}

// isTransient reports whether an error means that the server is away, which is the only error allowed.
func (w *writers) isTransient(err error) bool {
	if err == nil {
		return false
	}
	if _, taken := errors.AsType[*journal.ConflictError](err); taken {
		return false
	}
	var e interface{ Retryable() bool }
	if !errors.As(err, &e) || !e.Retryable() {
		w.test.Error(err)
		return false
	}
	w.withLock(func() { w.failed++ })
	return true
}

// writeMemory writes increasing numbers under its own key.
func (w *writers) writeMemory(ctx context.Context, key string) {
	for i := 1; ctx.Err() == nil; i++ {
		if err := w.db.Store().Write(ctx, key, i); err == nil {
			w.withLock(func() { w.kept[key] = i; w.values++ })
		} else if ctx.Err() == nil {
			w.isTransient(err)
		}
	}
}

func (w *writers) checkDatabase(ctx context.Context) {
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
