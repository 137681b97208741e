package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
)

// receiveEvents delivers the events of a response up to the answer to the request. It resumes a
// broken stream if the events have IDs.
func (w *httpConnection) receiveEvents(ctx context.Context, request *jsonrpc.Request, r *http.Response) error {
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
			return errors.New("the connection ended before the answer arrived")
		}
		if !sleepContext(ctx, cmp.Or(last.retry, backoff(resumed))) {
			return ctx.Err()
		}
		resumed++
		if r, err = w.openStream(ctx, last.id); err != nil {
			return fmt.Errorf("the connection broke and cannot be resumed: %s", sanitize.Text(err.Error())) // not %w: the types of err would say that the call did not run
		}
	}
}

// readEvents delivers the events of a stream, up to the answer to the request. If the request is nil, it
// reads to the end of the stream. It stores in last the most recent ID and the most recent delay.
func (w *httpConnection) readEvents(request *jsonrpc.Request, r *http.Response, last *event) (answered bool, err error) {
	defer r.Body.Close()
	limit := maxOtherBytes
	if request != nil {
		limit = answerLimit(request.Method)
	}
	for in := newEventReader(r.Body, limit); ; {
		ev, err := in.readEvent()
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
		messages, err := decodeMessages(ev.data)
		if err != nil {
			w.config.Log.Warn("mcp: skipped an event from a server that is not a message", "event", logExcerpt(ev.data))
		}
		for _, m := range messages {
			if request != nil {
				if answered, err := w.takeMessage(request, m); answered || err != nil {
					return answered, err
				}
			} else if _, ok := m.(*jsonrpc.Request); ok {
				w.deliverMessage(m)
			}
		}
	}
}

// keepListening keeps a stream open for requests and notifications of the server. It returns if the
// server does not offer such a stream.
func (w *httpConnection) keepListening() {
	var last event
	w.keepOpen(w.ctx, func(ctx context.Context) (*http.Response, error) { return w.openStream(ctx, last.id) }, &last, nil)
}

// keepSubscribed keeps a stream open for the notifications that the request subscribes to.
func (w *httpConnection) keepSubscribed(ctx context.Context, request *jsonrpc.Request) {
	ctx, end := w.bindContext(ctx)
	defer end()
	w.keepOpen(ctx, func(ctx context.Context) (*http.Response, error) { return w.postMessage(ctx, request) }, new(event), request)
}

// stableAfter is how long a stream must have been open before the backoff between attempts is reset.
const stableAfter = 10 * time.Second

// keepOpen opens and reads a stream, and opens it again whenever it ends. Each time that it reopens the
// stream, it reports that the tools may have changed, because it may have missed notifications.
func (w *httpConnection) keepOpen(ctx context.Context, open func(context.Context) (*http.Response, error), last *event, request *jsonrpc.Request) {
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
			w.config.Log.Debug("mcp: cannot open the notification stream of a server", "error", err)
		default:
			if opened {
				w.deliverMessage(&jsonrpc.Request{Method: "notifications/tools/list_changed"})
			}
			opened = true
			_, _ = w.readEvents(request, response, last) // however it ends, it is opened again
		}
		if time.Since(began) > stableAfter {
			failures = 0
		}
		pause := max(backoff(failures), last.retry)
		if err == nil && last.retry > 0 {
			pause, failures = last.retry, 0
		}
		if !sleepContext(ctx, pause) {
			return
		}
	}
}

// backoff returns the pause before attempt n, counted from 0. The pause is longer or shorter at random
// by up to a quarter, so that the clients of a server do not all reconnect at the same time.
func backoff(n int) time.Duration {
	pause := min(time.Second<<min(n, 5), 30*time.Second)
	return pause*3/4 + rand.N(pause/2+1)
}

// sleepContext waits, and returns false if the context is done.
func sleepContext(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
