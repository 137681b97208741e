package middleware

import (
	"context"
	"time"
)

// queue has as many places as its capacity. Places are given out in order of arrival.
type queue chan struct{}

// newQueue returns a queue with the given number of places, at least one.
func newQueue(places int) queue { return make(queue, max(places, 1)) }

// waitForPlace waits for a place. It returns an error if ctx is done, even if a place is free.
func (q queue) waitForPlace(ctx context.Context) error {
	select {
	case q <- struct{}{}:
		if err := ctx.Err(); err != nil {
			q.releasePlace()
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// releasePlace gives a place back to the queue.
func (q queue) releasePlace() { <-q }

// rate limits how many calls begin within any period of length span.
type rate struct {
	limit int
	span  time.Duration

	lock       queue       // guards the following fields
	startTimes []time.Time // start times of the last calls, at most limit, as a ring
	oldest     int         // index of the oldest start time
}

// newRate returns a rate of limit calls, at least one, in each span.
func newRate(limit int, span time.Duration) *rate {
	return &rate{limit: max(limit, 1), span: span, lock: newQueue(1)}
}

// waitForStart waits until a call may begin. It returns an error if ctx is done.
func (r *rate) waitForStart(ctx context.Context) error {
	if err := r.lock.waitForPlace(ctx); err != nil {
		return err
	}
	defer r.lock.releasePlace()
	if len(r.startTimes) < r.limit {
		r.startTimes = append(r.startTimes, time.Now())
		return nil
	}
	if delay := time.Until(r.startTimes[r.oldest].Add(r.span)); delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil { // the timer may have fired as well
			return err
		}
	}
	r.startTimes[r.oldest] = time.Now()
	r.oldest = (r.oldest + 1) % r.limit
	return nil
}
