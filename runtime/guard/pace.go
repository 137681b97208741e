package guard

import (
	"context"
	"time"
)

// queue has as many places as its capacity. Those who wait for one get it in the order in
// which they came.
type queue chan struct{}

// newQueue returns a queue with so many places, at least one.
func newQueue(places int) queue { return make(queue, max(places, 1)) }

// enter waits for a place. If ctx is done, there is none, also where one is free.
func (q queue) enter(ctx context.Context) error {
	select {
	case q <- struct{}{}:
		if err := ctx.Err(); err != nil {
			q.leave()
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave gives a place back.
func (q queue) leave() { <-q }

// rate lets so many begin within any span of time.
type rate struct {
	limit int
	span  time.Duration

	turn   queue       // whose it is may use what follows
	begun  []time.Time // when the last of them began, at most limit, as a ring
	oldest int         // in begun
}

// newRate returns a rate of so many in a span, at least one.
func newRate(limit int, span time.Duration) *rate {
	return &rate{limit: max(limit, 1), span: span, turn: newQueue(1)}
}

// wait returns when one may begin, or with the error of ctx.
func (r *rate) wait(ctx context.Context) error {
	if err := r.turn.enter(ctx); err != nil {
		return err
	}
	defer r.turn.leave()
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
