package transport

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// httpConnection is a connection over streamable HTTP. Each message is sent with its own HTTP
// request, so a failure affects only that message.
type httpConnection struct {
	config   connectionConfig
	endpoint string
	client   *http.Client
	oauth    auth.OAuthHandler
	listens  bool
	retries  int
	incoming chan jsonrpc.Message

	ctx       context.Context // done when the connection is closed
	cancel    context.CancelFunc
	closeOnce sync.Once

	mu          sync.Mutex
	session     string
	version     string // negotiated protocol version
	sessionLost bool   // the server no longer knows the session
}

func newHTTPConnection(ctx context.Context, t *sdk.StreamableClientTransport, c connectionConfig) *httpConnection {
	w := &httpConnection{
		config: c, endpoint: t.Endpoint, client: withoutForeignRedirects(cmp.Or(t.HTTPClient, http.DefaultClient)), oauth: t.OAuthHandler,
		listens: !t.DisableStandaloneSSE, retries: max(cmp.Or(t.MaxRetries, 5), 0), incoming: make(chan jsonrpc.Message, 10),
	}
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return w
}

// Read returns the next message.
func (w *httpConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-w.incoming:
		return m, nil
	case <-w.ctx.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message. The type of its error says whether a request may have run; see
// [NotSentError], [RefusedError], [ErrSessionLost] and [tool.UnknownOutcomeError].
func (w *httpConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	request, _ := m.(*jsonrpc.Request)
	switch {
	case request == nil || !request.IsCall():
		return w.sendOneWay(ctx, m, request)
	case request.Method == "subscriptions/listen":
		go w.keepSubscribed(ctx, request)
		return nil
	}
	ctx, end := w.bindContext(ctx)
	response, err := w.postMessage(ctx, m)
	if err != nil {
		end()
		return err
	}
	go func() {
		defer end()
		w.receiveAnswer(ctx, request, response)
	}()
	return nil
}

// sendOneWay sends a notification or a response.
func (w *httpConnection) sendOneWay(ctx context.Context, m jsonrpc.Message, request *jsonrpc.Request) error {
	ctx, end := w.bindContext(ctx)
	defer end()
	response, err := w.postMessage(ctx, m)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if request != nil && request.Method == "notifications/initialized" && w.listens {
		go w.keepListening()
	}
	return nil
}

// receiveAnswer delivers the messages in an HTTP response, up to the answer to the request. If the
// response has no answer, it delivers an error as the answer.
func (w *httpConnection) receiveAnswer(ctx context.Context, request *jsonrpc.Request, r *http.Response) {
	var err error
	switch media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media {
	case "application/json":
		err = w.receiveJSON(request, r)
	case "text/event-stream":
		err = w.receiveEvents(ctx, request, r)
	default:
		_ = r.Body.Close()
		err = &UnreadableError{fmt.Sprintf("it is %s with the type %q, not JSON", formatStatus(r.StatusCode), logExcerpt([]byte(media)))}
	}
	if err != nil && ctx.Err() == nil {
		w.deliverMessage(&jsonrpc.Response{ID: request.ID, Error: &tool.UnknownOutcomeError{Err: err}})
	}
}

// Close ends the session and the connection.
func (w *httpConnection) Close() error {
	w.closeOnce.Do(func() {
		defer w.cancel()
		w.mu.Lock()
		session, lost := w.session, w.sessionLost
		w.mu.Unlock()
		if session == "" || lost {
			return
		}
		ctx, cancel := context.WithTimeout(w.ctx, exitTimeout)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodDelete, w.endpoint, nil)
		if err != nil || w.setHeaders(r, nil) != nil {
			return // the session will expire on the server
		}
		if response, err := w.client.Do(r); err == nil {
			_ = response.Body.Close()
		}
	})
	return nil
}
