package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/tool/internal/pace"
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

// Limit bounds how many calls run at a time, at least one. Others wait, in the order in
// which they came, until their context is done. A function that calls a tool holds its
// place meanwhile.
func Limit(concurrent int) Middleware {
	places := pace.NewQueue(concurrent)
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := places.Enter(ctx); err != nil {
				return nil, err
			}
			defer places.Leave()
			return next(ctx, c)
		}
	}
}

// Rate bounds how many calls begin within any span of time of the given length,
// at least one. Others wait as those of [Limit] do.
func Rate(calls int, span time.Duration) Middleware {
	r := pace.NewRate(calls, span)
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := r.Wait(ctx); err != nil {
				return nil, err
			}
			return next(ctx, c)
		}
	}
}
