package middleware

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Timeout gives every call a deadline. A call fails if its function has not returned a result by then. Timeout
// waits for functions that ignore their context.
func Timeout(d time.Duration) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			ctx, cancel := context.WithTimeout(ctx, d)
			defer cancel()
			return next(ctx, c)
		}
	}
}

// Limit limits how many calls run at a time; a limit below 1 means 1. Other calls wait in order of arrival,
// until their context is done. While a function calls another tool, it still counts as running.
func Limit(concurrent int) tool.Middleware {
	places := newQueue(concurrent)
	return limitCalls(places.waitForPlace, places.releasePlace)
}

// Rate limits how many calls begin within any period of length span; a limit below 1 means 1. Other calls
// wait in order of arrival, until their context is done.
func Rate(calls int, span time.Duration) tool.Middleware {
	return limitCalls(newRate(calls, span).waitForStart, func() {})
}

// limitCalls returns middleware that calls enter before each call and, if that succeeds, leave after it.
func limitCalls(enter func(context.Context) error, leave func()) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			if err := enter(ctx); err != nil {
				return nil, err
			}
			defer leave()
			return next(ctx, c)
		}
	}
}
