package bolt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/aiongen/aiongen/runtime/memory"
)

// openBusy opens a store in which a commit is in progress.
func openBusy(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.commits.turn <- struct{}{}
	return s
}

// await returns when the given number of changes are waiting.
func (s *Store) await(changes int) {
	for {
		s.commits.mu.Lock()
		waiting := len(s.commits.waiting)
		s.commits.mu.Unlock()
		if waiting == changes {
			return
		}
		runtime.Gosched()
	}
}

// commitCount returns the number of commits.
func (s *Store) commitCount(t *testing.T) (count int) {
	t.Helper()
	err := s.db.View(func(tx *bbolt.Tx) error {
		count = tx.ID()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// TestShared checks that waiting writers share a commit, that the last change of a key wins, and that
// a single writer has its own commit.
func TestShared(t *testing.T) {
	s := openBusy(t)
	before := s.commitCount(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := s.Write(t.Context(), fmt.Sprint(i%4), i); err != nil {
				t.Error(err)
			}
		})
		s.await(i + 1)
	}
	<-s.commits.turn
	wg.Wait()
	if count := s.commitCount(t) - before; count != 1 {
		t.Errorf("20 writes that waited took %d commits", count)
	}
	for i := range 4 {
		value, _, err := s.Read(t.Context(), fmt.Sprint(i))
		if want := fmt.Sprint(16 + i); string(value) != want || err != nil {
			t.Errorf("%d holds %s (%v), want %s", i, value, err, want)
		}
		if err := s.Delete(t.Context(), fmt.Sprint(i)); err != nil {
			t.Error(err)
		}
	}
	if count := s.commitCount(t) - before; count != 5 {
		t.Errorf("4 deletions of a lone writer took %d commits", count-1)
	}
}

// TestWithdrawn cancels a writer while it waits.
func TestWithdrawn(t *testing.T) {
	s := openBusy(t)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		err := s.Write(ctx, "a", 1)
		var e *memory.Error
		if !errors.As(err, &e) || !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	wg.Go(func() {
		if err := s.Write(t.Context(), "b", 2); err != nil {
			t.Error(err)
		}
	})
	s.await(2)
	cancel()
	s.await(1)
	<-s.commits.turn
	wg.Wait()
	_, a, errA := s.Read(t.Context(), "a")
	_, b, errB := s.Read(t.Context(), "b")
	if a || !b || errA != nil || errB != nil {
		t.Error(a, b, errA, errB)
	}
}

// TestFailedCommit checks that all writers that share a commit get its error.
func TestFailedCommit(t *testing.T) {
	s := openBusy(t)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			var e *memory.Error
			if err := s.Write(t.Context(), fmt.Sprint(i), i); !errors.As(err, &e) || e.Code() != memory.Closed || e.Key != fmt.Sprint(i) {
				t.Error(err)
			}
		})
	}
	s.await(3)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-s.commits.turn
	wg.Wait()
}
