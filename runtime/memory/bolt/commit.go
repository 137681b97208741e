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

// change is a write, or a deletion if there is no value.
type change struct {
	key   string
	value []byte
	done  chan struct{} // closed when err is set
	err   error
}

// commits are the changes on their way to disk. Syncing the disk costs about the
// same for many changes as for one, so whoever has the turn takes along all that
// wait: a lone writer commits at once, many share a commit.
type commits struct {
	turn    chan struct{} // holds the turn of who commits
	mu      sync.Mutex
	waiting []*change
}

// commit returns when the change is on disk, or when it is sure that it will not
// be made.
func (s *Store) commit(ctx context.Context, c *change) error {
	c.done = make(chan struct{})
	s.commits.add(c)
	select {
	case <-c.done: // another took it along
	case s.commits.turn <- struct{}{}:
		s.apply(s.commits.take())
		<-s.commits.turn
		<-c.done
	case <-ctx.Done():
		if s.commits.withdraw(c) {
			return failed(c.key, ctx.Err())
		}
		<-c.done // it is being committed
	}
	if c.err != nil {
		return failed(c.key, c.err)
	}
	return nil
}

// apply makes the changes in their order, all or none.
func (s *Store) apply(changes []*change) {
	if len(changes) == 0 {
		return // another took along the only one
	}
	err := guard(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			entries := tx.Bucket(entriesBucket)
			for _, c := range changes {
				if err := c.apply(entries); err != nil {
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

func (c *change) apply(entries *bbolt.Bucket) error {
	if c.value == nil {
		return entries.Delete([]byte(c.key))
	}
	return entries.Put([]byte(c.key), c.value)
}

func (q *commits) add(c *change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, c)
}

// take returns all changes that wait; they wait no longer.
func (q *commits) take() []*change {
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.waiting
	q.waiting = nil
	return taken
}

// withdraw removes a change that still waits.
func (q *commits) withdraw(c *change) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, c)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// guard turns panics into errors: bbolt panics where the file is damaged.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v", p)
		}
	}()
	return f()
}

func failed(key string, err error) error {
	kind := memory.Failed
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		kind, err = memory.Closed, errors.New("the store is closed")
	}
	return &memory.Error{Kind: kind, Key: key, Err: err}
}
