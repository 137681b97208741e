// Package guard has ready-made middleware for a registry of package tool: who may call
// what, how long, how many at a time, and how much may come back.
//
//	r := tool.NewRegistry(tool.Use(
//		guard.Timeout(30*time.Second),
//		guard.Gate(guard.Allow(guard.Is(tool.ReadOnly)), guard.Ask()),
//	))
//
// Its layers, from top to bottom:
//
//	guard, gate, trim   the middleware
//	pace, glob          turns to wait for; patterns of names
package guard

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Timeout gives every call a deadline. A function that returns no result after that
// has failed; one that ignores its context is waited for.
func Timeout(d time.Duration) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			ctx, cancel := context.WithTimeout(ctx, d)
			defer cancel()
			return next(ctx, c)
		}
	}
}

// Limit bounds how many calls run at a time, at least one. Others wait, in the order in
// which they came, until their context is done. A function that calls a tool holds its
// place meanwhile.
func Limit(concurrent int) tool.Middleware {
	places := newQueue(concurrent)
	return within(places.enter, places.leave)
}

// Rate bounds how many calls begin within any span of time of the given length,
// at least one. Others wait as those of [Limit] do.
func Rate(calls int, span time.Duration) tool.Middleware {
	return within(newRate(calls, span).wait, func() {})
}

// within lets calls run between enter and, unless that fails, leave.
func within(enter func(context.Context) error, leave func()) tool.Middleware {
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
