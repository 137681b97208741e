// Package pace lets those who come wait for their turn, in the order in which they
// came: for one of so many places, or until not too many have begun.
package pace

import (
	"context"
	"sync"
	"time"
)

// Queue has as many places as its capacity.
type Queue chan struct{}

// NewQueue returns a queue with so many places, at least one.
func NewQueue(places int) Queue { return make(Queue, max(places, 1)) }

// Enter waits for a place. If ctx is done, there is none, also where one is free.
func (q Queue) Enter(ctx context.Context) error {
	select {
	case q <- struct{}{}:
		if err := ctx.Err(); err != nil {
			q.Leave()
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Leave gives a place back.
func (q Queue) Leave() { <-q }

// Each calls f with each number below n, so many at a time, and returns when all calls
// have returned or ended their goroutines.
func Each(n, concurrent int, f func(i int)) {
	var all sync.WaitGroup
	places := NewQueue(concurrent)
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer places.Leave()
			f(i)
		})
	}
	all.Wait()
}

// Rate lets so many begin within any span of time.
type Rate struct {
	limit int
	span  time.Duration

	turn   Queue       // whose it is may use what follows
	begun  []time.Time // when the last of them began, at most limit, as a ring
	oldest int         // in begun
}

// NewRate returns a rate of so many in a span, at least one.
func NewRate(limit int, span time.Duration) *Rate {
	return &Rate{limit: max(limit, 1), span: span, turn: NewQueue(1)}
}

// Wait returns when one may begin, or with the error of ctx.
func (r *Rate) Wait(ctx context.Context) error {
	if err := r.turn.Enter(ctx); err != nil {
		return err
	}
	defer r.turn.Leave()
	if len(r.begun) < r.limit {
		r.begun = append(r.begun, time.Now())
		return nil
	}
	if delay := time.Until(r.begun[r.oldest].Add(r.span)); delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil { // both may be there
			return err
		}
	}
	r.begun[r.oldest] = time.Now()
	r.oldest = (r.oldest + 1) % r.limit
	return nil
}
