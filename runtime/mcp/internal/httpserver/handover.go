package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// Handover passes a running call on to the SDK, at most once. The SDK handles the HTTP request as if
// it were new, but the tool is not called again: the middleware of the server finds the running call
// with [HandoverFrom], and waits for its result in [Handover.Resume]. From then on, the SDK sends
// messages to the client and writes the answer.
type Handover struct {
	w       http.ResponseWriter
	r       *http.Request
	handler http.Handler
	log     *slog.Logger
	version string // protocol version

	mu       sync.Mutex
	started  bool
	finished bool

	reached chan struct{} // closed when the SDK has called Resume
	ctx     context.Context
	session *sdk.ServerSession

	done   chan struct{} // closed when the call has returned
	result *sdk.CallToolResult
	err    error

	ended    chan struct{} // closed when the SDK has ended the request
	answered bool          // the SDK has written an answer
}

type handoverKey struct{}

// handoverHeader marks the requests that continue a running call. No client can send it, because
// its name is not in canonical form, and net/http canonicalizes the names of received headers.
const handoverHeader = "aiongen-handover"

// HandoverFrom returns the running call that a request of the SDK continues. ok is false if the
// request does not continue a call. If ok is true, h may still be nil: then the client had
// disconnected or its session had ended before the SDK handled the request.
func HandoverFrom(ctx context.Context, r sdk.Request) (h *Handover, ok bool) {
	extra := r.GetExtra()
	if extra == nil || len(extra.Header[handoverHeader]) == 0 { //nolint:staticcheck // SA1008: the name is in a form that no client can send
		return nil, false
	}
	h, _ = peer.RequestContext(ctx, extra.Header).Value(handoverKey{}).(*Handover)
	return h, true
}

var errUnreachable = errors.New("the client can no longer be reached")

var errHandoverEnded = errors.New("the client could not be reached while the call ran")

// Resume waits for the result of the call. The context and the session are those that the SDK uses
// for messages that belong to the request. For a nil Handover, Resume returns an error, so that the
// SDK does not call the tool again.
func (h *Handover) Resume(ctx context.Context, session *sdk.ServerSession) (sdk.Result, error) {
	if h == nil {
		return nil, errHandoverEnded
	}
	h.ctx, h.session = ctx, session
	close(h.reached)
	<-h.done
	if h.err != nil {
		return nil, h.err
	}
	if h.version < StatelessVersion {
		return h.result, nil
	}
	return setResultType(h.result)
}

// setResultType returns a copy of r with the field ResultType set, which [StatelessVersion] of the
// protocol requires. The SDK sets the field only in its own tools/call handler. The field's Go type is
// unexported, so setResultType sets it by decoding JSON.
func setResultType(r *sdk.CallToolResult) (*sdk.CallToolResult, error) {
	text := `{"content":[],"resultType":"complete"}`
	if r.InputRequests != nil {
		text = `{"content":[],"resultType":"input_required"}`
	}
	typed := new(sdk.CallToolResult)
	if err := json.Unmarshal([]byte(text), typed); err != nil {
		return nil, err
	}
	typed.Meta, typed.Content, typed.StructuredContent, typed.IsError = r.Meta, r.Content, r.StructuredContent, r.IsError
	typed.InputRequests, typed.RequestState = r.InputRequests, r.RequestState
	return typed, nil
}

// reachSession hands the call over if necessary, and returns the context and the session for
// messages to the client. It waits for them until ctx is done.
func (h *Handover) reachSession(ctx context.Context) (context.Context, *sdk.ServerSession, error) {
	h.mu.Lock()
	switch {
	case h.finished:
		h.mu.Unlock()
		return nil, nil, errors.New("the call has ended")
	case !h.started && h.r.Context().Err() != nil: // a question to a disconnected client would wait until the session ends
		h.mu.Unlock()
		return nil, nil, errUnreachable
	case !h.started:
		h.started = true
		h.reached, h.done, h.ended = make(chan struct{}), make(chan struct{}), make(chan struct{})
		go h.passToSDK()
	}
	h.mu.Unlock()
	select {
	case <-h.reached:
		return h.ctx, h.session, nil
	case <-h.ended:
		return nil, nil, errUnreachable
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// passToSDK lets the SDK answer the request.
func (h *Handover) passToSDK() {
	defer close(h.ended)
	marked, release := peer.MarkRequest(h.r.WithContext(context.WithValue(h.r.Context(), handoverKey{}, h)))
	defer release()
	marked.Header[handoverHeader] = []string{"1"} // MarkRequest has cloned the header
	w := &handoverWriter{call: h, header: http.Header{}}
	_, _ = rpc.Recover(h.log, "tools/call", func() (struct{}, error) { // Recover logs a panic
		h.handler.ServeHTTP(w, marked)
		return struct{}{}, nil
	})
}

// finishCall passes the result of the call on to the SDK, if the call was handed over, and
// reports whether the SDK has answered the request.
func (h *Handover) finishCall(result *sdk.CallToolResult, err error) (answered bool) {
	h.mu.Lock()
	h.finished = true
	started := h.started
	h.mu.Unlock()
	if !started {
		return false
	}
	h.result, h.err = result, err
	close(h.done)
	<-h.ended
	return h.answered
}

// handoverWriter is the ResponseWriter of a call that is handed over. If the SDK rejects the
// request before it calls Resume, for example because the session has just ended, handoverWriter
// discards the rejection. DirectCalls then answers with the result of the call.
type handoverWriter struct {
	call   *Handover
	header http.Header
	wrote  bool
}

// Header returns the header to write.
func (w *handoverWriter) Header() http.Header { return w.header }

// WriteHeader writes the header if the SDK has called Resume.
func (w *handoverWriter) WriteHeader(status int) {
	if w.wrote {
		return
	}
	w.wrote = true
	select {
	case <-w.call.reached:
		w.call.answered = true
		maps.Copy(w.call.w.Header(), w.header)
		w.call.w.WriteHeader(status)
	default:
	}
}

// Write writes a part of the answer.
func (w *handoverWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if !w.call.answered {
		return len(p), nil
	}
	return w.call.w.Write(p)
}

// FlushError flushes the written part of the answer to the client.
func (w *handoverWriter) FlushError() error {
	if !w.call.answered {
		return nil
	}
	return http.NewResponseController(w.call.w).Flush()
}
