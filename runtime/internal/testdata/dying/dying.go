// Package dying has the journal of a worker that dies, for tests of runs.
package dying

import (
	"context"
	"errors"
	"iter"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Err is the error of the journal of a worker that is dead.
var Err = errors.New("the worker is dead")

// Journal returns the journal of a worker that dies at its n-th append, to j: before it, or
// when it has been carried out. It is for one goroutine that appends.
func Journal(j journal.Journal, n int, after bool) journal.Journal {
	return &dying{Journal: j, left: n, after: after}
}

type dying struct {
	journal.Journal
	left  int // appends, the last of which is that at which it dies
	after bool
}

func (j *dying) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if j.left--; j.left > 0 {
		return j.Journal.Append(ctx, run, n, entries...)
	}
	if j.left == 0 && j.after {
		_ = j.Journal.Append(ctx, run, n, entries...)
	}
	return Err
}

func (j *dying) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	if j.left <= 0 {
		return func(yield func(journal.Entry, error) bool) { yield(journal.Entry{}, Err) }
	}
	return j.Journal.Read(ctx, run, from)
}
