package tool

import (
	"context"
	"encoding/json"
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
