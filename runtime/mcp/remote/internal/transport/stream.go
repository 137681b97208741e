package transport

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// receiveEvents delivers the events of a response until one is the answer to the request. A
// stream that breaks is resumed if its events have IDs.
func (w *web) receiveEvents(ctx context.Context, request *jsonrpc.Request, r *http.Response) error {
	resumed, last := 0, event{}
	for {
		id := last.id
		answered, err := w.readEvents(request, r, &last)
		if answered || errors.As(err, new(*UnreadableError)) {
			return err
		}
		if last.id != id {
			resumed = 0
		}
		if last.id == "" || resumed == w.retries {
			return errors.New("the connection ended before the answer came")
		}
		if last.retry == 0 && !pause(ctx, resumed) || last.retry > 0 && !sleep(ctx, last.retry) {
			return ctx.Err()
		}
		resumed++
		if r, err = w.get(ctx, last.id); err != nil {
			return err
		}
	}
}

// readEvents delivers the events of a stream. It returns after the answer to the request, and
// keeps ID and delay of the last event that had one.
func (w *web) readEvents(request *jsonrpc.Request, r *http.Response, last *event) (answered bool, err error) {
	defer r.Body.Close()
	limit := LargestOther
	if request != nil {
		limit = Limit(request.Method)
	}
	for in := newEvents(r.Body, limit); ; {
		ev, err := in.next()
		if err != nil {
			return false, err
		}
		if ev.id != "" {
			last.id = ev.id
		}
		if ev.retry > 0 {
			last.retry = ev.retry
		}
		if len(ev.data) == 0 || ev.name != "" && ev.name != "message" {
			continue
		}
		messages, err := decode(ev.data)
		if err != nil {
			w.config.Log.Warn("mcp: skipped an event of a server that is not a message", "event", excerpt(ev.data))
		}
		for _, m := range messages {
			if request != nil {
				if answered, err := w.takeMessage(request, m); answered || err != nil {
					return answered, err
				}
			} else if _, ok := m.(*jsonrpc.Request); ok {
				w.deliver(m)
			}
		}
	}
}

// listen keeps a stream open on which the server sends messages of its own, if it offers
// one.
func (w *web) listen() {
	var last event
	w.keepOpen(w.ctx, func(ctx context.Context) (*http.Response, error) { return w.get(ctx, last.id) }, &last, nil)
}

// subscribe keeps a stream open on which the server sends the notifications that the request
// asks for.
func (w *web) subscribe(ctx context.Context, request *jsonrpc.Request) {
	ctx, end := w.bind(ctx)
	defer end()
	w.keepOpen(ctx, func(ctx context.Context) (*http.Response, error) { return w.post(ctx, request) }, new(event), request)
}

// settled is how long a stream has to be open before the next attempt to open it again is
// the first one.
const settled = 10 * time.Second

// keepOpen opens a stream and reads it, again and again. Because changes may have been
// missed in between, it then announces that the tools may have changed.
func (w *web) keepOpen(ctx context.Context, open func(context.Context) (*http.Response, error), last *event, request *jsonrpc.Request) {
	for opened, failures := false, 0; ctx.Err() == nil; failures++ {
		began := time.Now()
		response, err := open(ctx)
		var refused *RefusedError
		var failure *jsonrpc.Error
		switch {
		case errors.As(err, &refused), errors.As(err, &failure), errors.Is(err, ErrSessionLost):
			if opened {
				w.config.Log.Warn("mcp: a server no longer sends notifications", "error", err)
				w.config.Lost()
			}
			return
		case err != nil:
			w.config.Log.Debug("mcp: the stream of notifications of a server cannot be opened", "error", err)
		default:
			if opened {
				w.deliver(&jsonrpc.Request{Method: "notifications/tools/list_changed"})
			}
			opened = true
			_, _ = w.readEvents(request, response, last) // however it ends, it is opened again
		}
		if time.Since(began) > settled {
			failures = 0
		}
		if last.retry == 0 && !pause(ctx, failures) || last.retry > 0 && !sleep(ctx, last.retry) {
			return
		}
	}
}

// pause waits before attempt n, counted from 0, and reports whether the context is still
// valid then.
func pause(ctx context.Context, n int) bool {
	return sleep(ctx, min(time.Second<<min(n, 5), 30*time.Second))
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
