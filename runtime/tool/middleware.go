package tool

import (
	"context"
	"encoding/json"
	"time"
)

// Timeout gives every call a deadline. A function that returns no result after that
// has failed; one that ignores its context is waited for.
func Timeout(d time.Duration) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			ctx, cancel := context.WithTimeout(ctx, d)
			defer cancel()
			return next(ctx, c)
		}
	}
}

// Limit bounds how many calls run at a time, at least one. Others wait for their
// turn, in the order in which they came, until their context is done. A function
// that itself calls a tool holds its place meanwhile.
func Limit(concurrent int) Middleware {
	places := make(queue, max(concurrent, 1))
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := places.enter(ctx); err != nil {
				return nil, err
			}
			defer places.leave()
			return next(ctx, c)
		}
	}
}

// queue has as many places as its capacity.
type queue chan struct{}

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

func (q queue) leave() { <-q }

// Rate bounds how many calls begin within any span of time of the given length,
// at least one. Others wait as those of [Limit] do.
func Rate(calls int, span time.Duration) Middleware {
	r := &rate{turn: make(queue, 1), limit: max(calls, 1), span: span}
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := r.wait(ctx); err != nil {
				return nil, err
			}
			return next(ctx, c)
		}
	}
}

type rate struct {
	limit int
	span  time.Duration

	turn   queue       // whose it is may use what follows
	begun  []time.Time // when the last calls began, at most limit of them, as a ring
	oldest int         // in begun
}

// wait returns when a call may begin.
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
