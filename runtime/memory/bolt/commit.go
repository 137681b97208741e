package bolt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/aiongen/aiongen/runtime/memory"
)

// change is a write, or a deletion if value is nil.
type change struct {
	key   string
	value []byte
	done  chan struct{} // closed after err is set
	err   error
}

// commits is the queue of changes that are not committed yet. A commit with many changes takes about
// as long as a commit with one, so one caller at a time commits all waiting changes: a single writer
// commits immediately, and concurrent writers share a commit.
type commits struct {
	turn    chan struct{} // contains a value while a caller commits
	mu      sync.Mutex
	waiting []*change
}

// commitChange waits until it is certain whether the change is applied. It returns nil if the change is
// on disk, and an error if it will never be. If ctx is done during a commit, it waits for the commit.
func (s *Store) commitChange(ctx context.Context, c *change) error {
	c.done = make(chan struct{})
	s.commits.addChange(c)
	select {
	case <-c.done: // another caller committed it
	case s.commits.turn <- struct{}{}:
		s.applyChanges(s.commits.takeChanges())
		<-s.commits.turn
		<-c.done
	case <-ctx.Done():
		if s.commits.withdrawChange(c) {
			return newFailure(c.key, ctx.Err())
		}
		<-c.done // another caller is already committing the change
	}
	if c.err != nil {
		return newFailure(c.key, c.err)
	}
	return nil
}

// applyChanges applies all changes in order, or none.
func (s *Store) applyChanges(changes []*change) {
	if len(changes) == 0 {
		return // another caller has already committed them
	}
	err := recoverPanic(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			entries := tx.Bucket(entriesBucket)
			for _, c := range changes {
				if err := c.applyTo(entries); err != nil {
					return err
				}
			}
			return nil
		})
	})
	for _, c := range changes {
		c.err = err
		close(c.done)
	}
}

func (c *change) applyTo(entries *bbolt.Bucket) error {
	if c.value == nil {
		return entries.Delete([]byte(c.key))
	}
	return entries.Put([]byte(c.key), c.value)
}

func (q *commits) addChange(c *change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, c)
}

// takeChanges removes and returns all waiting changes.
func (q *commits) takeChanges() []*change {
	q.mu.Lock()
	defer q.mu.Unlock()
	changes := q.waiting
	q.waiting = nil
	return changes
}

// withdrawChange removes a change if it is still waiting, and reports whether it was.
func (q *commits) withdrawChange(c *change) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, c)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// recoverPanic converts a panic in f to an error, because bbolt panics if a file is damaged.
func recoverPanic(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v", p)
		}
	}()
	return f()
}

func newFailure(key string, err error) error {
	kind := memory.Failed
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		kind, err = memory.Closed, errors.New("the store is closed")
	}
	return &memory.Error{Kind: kind, Key: key, Err: err}
}
