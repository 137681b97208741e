package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aiongen/aiongen/runtime/tool/internal/pace"
	"github.com/aiongen/aiongen/runtime/tool/internal/shorten"
)

// Handler runs a call and returns its result or its error. A result that is nil counts
// as null; one that is no JSON or too long becomes an [*OutputError]; that of another
// handler must not be modified. A Handler must be safe for concurrent use, and may read
// of the call Request, Started and Definition and, when next has returned, Arguments
// and Repairs.
type Handler func(ctx context.Context, c *Call) (json.RawMessage, error)

// Middleware puts something around a handler. It may leave the call to next, on
// the same goroutine and more than once, or answer it itself. A panic of the
// function reaches it as a [*PanicError], an unknown tool as the error of next.
type Middleware func(next Handler) Handler

// Use puts middleware around every call, the first outermost. Reading and
// checking of the arguments is within, and so are the hooks of the tool.
func Use(middleware ...Middleware) Option {
	return func(r *Registry) { r.settings.middleware = append(r.settings.middleware, middleware...) }
}

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
	return within(places.Enter, places.Leave)
}

// Rate bounds how many calls begin within any span of time of the given length,
// at least one. Others wait as those of [Limit] do.
func Rate(calls int, span time.Duration) Middleware {
	return within(pace.NewRate(calls, span).Wait, func() {})
}

// within lets calls run between enter and, unless that fails, leave.
func within(enter func(context.Context) error, leave func()) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := enter(ctx); err != nil {
				return nil, err
			}
			defer leave()
			return next(ctx, c)
		}
	}
}

// Trim cuts longer results, in bytes of JSON: texts, then lists, lose their ends where
// the output schema lets them, and [Call.Note] says so; else there is an [*OutputError].
func Trim(bytes int) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (output json.RawMessage, err error) {
			c.Note = ""
			if output, err = next(ctx, c); err != nil || len(output) <= bytes {
				return output, err
			}
			if output, c.Note, err = shorten.Result(output, c.Definition().Output, bytes); err != nil {
				err = &OutputError{Tool: c.Request.Name, Err: err}
			}
			return output, err
		}
	}
}
