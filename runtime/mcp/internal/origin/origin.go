// Package origin hands the context of an HTTP request on to where it is answered. In a
// session, the SDK answers every request with the context of the one that opened it: what
// a handler put there, such as who asks, is that of somebody else then.
package origin

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// header is where a request is marked. It is not in the form that net/http gives to the
// names of headers, so that no client can send it, also not where nobody marks.
const header = "aiongen-origin"

var (
	contexts sync.Map // of requests that are being answered, by their marks
	last     atomic.Uint64
)

// Mark returns a request that [Context] knows until it is released.
func Mark(r *http.Request) (marked *http.Request, release func()) {
	mark := strconv.FormatUint(last.Add(1), 36)
	contexts.Store(mark, context.WithoutCancel(r.Context()))
	marked = r.WithContext(r.Context())
	marked.Header = maps.Clone(r.Header)
	marked.Header[header] = []string{mark}
	return marked, func() { contexts.Delete(mark) }
}

// Context returns a context that is done when ctx is, and has the values of the request
// with such headers. If that is over, it has none; if it was not marked, those of ctx.
func Context(ctx context.Context, h http.Header) context.Context {
	//lint:ignore SA1008 the name is in a form that no client can send
	mark := h[header]
	if len(mark) == 0 {
		return ctx
	}
	values, ok := contexts.Load(mark[0])
	if !ok {
		values = context.Background()
	}
	return joined{ctx, values.(context.Context)}
}

// joined has the values of one context, and the end of another.
type joined struct{ end, values context.Context }

func (j joined) Deadline() (time.Time, bool) { return j.end.Deadline() }
func (j joined) Done() <-chan struct{}       { return j.end.Done() }
func (j joined) Err() error                  { return j.end.Err() }
func (j joined) Value(key any) any           { return j.values.Value(key) }

type lifeKey struct{}

// InSession returns a context for a request in a session that has a life.
func InSession(ctx, life context.Context) context.Context {
	return context.WithValue(ctx, lifeKey{}, life)
}

// Session returns the life of the session that a request with such a context is in. Where
// nobody says when that ends, as by pipes, it does not.
func Session(ctx context.Context) context.Context {
	if life, ok := ctx.Value(lifeKey{}).(context.Context); ok {
		return life
	}
	return context.Background()
}
