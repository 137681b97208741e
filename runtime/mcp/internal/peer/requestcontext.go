package peer

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// originHeader carries the mark of a request. Its name is not in canonical form, so no client
// can send it: net/http canonicalizes the names of received headers.
const originHeader = "aiongen-origin"

var (
	markedContexts sync.Map // contexts of the requests in progress, by mark
	lastMark       atomic.Uint64
)

// MarkRequest returns a copy of an HTTP request with an additional header by which [RequestContext]
// finds the context of the request, until release is called. It is needed in sessions: there, the
// SDK handles every request with the context of the request that opened the session, whose values,
// such as the user, may differ.
func MarkRequest(r *http.Request) (marked *http.Request, release func()) {
	mark := strconv.FormatUint(lastMark.Add(1), 36)
	markedContexts.Store(mark, context.WithoutCancel(r.Context()))
	marked = r.WithContext(r.Context())
	marked.Header = maps.Clone(r.Header)
	marked.Header[originHeader] = []string{mark}
	return marked, func() { markedContexts.Delete(mark) }
}

// RequestContext returns a context that is done when ctx is done, and has the values of the marked
// request with these headers. After the request has been released, the context has no values. For
// an unmarked request, or if ctx already has the values of the request, RequestContext returns ctx.
func RequestContext(ctx context.Context, h http.Header) context.Context {
	//nolint:staticcheck // SA1008: the name is in a form that no client can send
	mark := h[originHeader]
	if len(mark) == 0 || ctx.Value(markKey{}) == mark[0] {
		return ctx
	}
	values, ok := markedContexts.Load(mark[0])
	if !ok {
		values = context.Background()
	}
	return joinedContext{ctx, context.WithValue(values.(context.Context), markKey{}, mark[0])}
}

// markKey is the key of the mark in a context that RequestContext has returned.
type markKey struct{}

// joinedContext has the values of one context, and the deadline and cancellation of another.
type joinedContext struct{ end, values context.Context }

func (j joinedContext) Deadline() (time.Time, bool) { return j.end.Deadline() }
func (j joinedContext) Done() <-chan struct{}       { return j.end.Done() }
func (j joinedContext) Err() error                  { return j.end.Err() }
func (j joinedContext) Value(key any) any           { return j.values.Value(key) }

type sessionKey struct{}

// Session has contexts that tell a request when its session ends.
type Session struct {
	Ended context.Context // done when the session ends; its client can no longer be asked
	Left  context.Context // done when the client has been disconnected for too long; running calls are canceled
}

// NoSession never ends.
var NoSession = Session{context.Background(), context.Background()}

// WithSession returns a context for a request in a session.
func WithSession(ctx context.Context, s Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// sessionFrom returns the session of a request. Without one, as over standard input, it returns
// NoSession.
func sessionFrom(ctx context.Context) Session {
	if session, ok := ctx.Value(sessionKey{}).(Session); ok {
		return session
	}
	return NoSession
}
