// Package dying provides a journal that simulates the death of a worker, for tests of runs.
package dying

import (
	"context"
	"errors"
	"iter"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Err is the error of all operations after the worker has died.
var Err = errors.New("the worker is dead")

// Journal returns a journal that appends to j until the worker dies at the n-th append. The n-th
// append is written to j only if after is true. Only one goroutine may append.
func Journal(j journal.Journal, n int, after bool) journal.Journal {
	return &dying{Journal: j, left: n, after: after}
}

type dying struct {
	journal.Journal
	left  int // number of appends left; the worker dies at the last
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
