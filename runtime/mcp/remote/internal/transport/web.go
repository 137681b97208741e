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

// web is a connection over streamable HTTP. Each message is a request of its own, so that
// a failure affects only the message.
type web struct {
	config   Config
	endpoint string
	client   *http.Client
	oauth    auth.OAuthHandler
	listens  bool
	retries  int
	incoming chan jsonrpc.Message

	ctx       context.Context // done when the connection is closed
	cancel    context.CancelFunc
	closeOnce sync.Once

	mu      sync.Mutex
	session string
	version string // negotiated
	lost    bool   // the server no longer knows the session
}

func newWeb(ctx context.Context, t *sdk.StreamableClientTransport, c Config) *web {
	w := &web{
		config: c, endpoint: t.Endpoint, client: cmp.Or(t.HTTPClient, http.DefaultClient), oauth: t.OAuthHandler,
		listens: !t.DisableStandaloneSSE, retries: max(cmp.Or(t.MaxRetries, 5), 0), incoming: make(chan jsonrpc.Message, 10),
	}
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return w
}

// Read returns the next message.
func (w *web) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-w.incoming:
		return m, nil
	case <-w.ctx.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message. Its error says whether a request can have run; see [NotSentError],
// [RefusedError], [ErrSessionLost] and [tool.UnknownOutcomeError].
func (w *web) Write(ctx context.Context, m jsonrpc.Message) error {
	request, _ := m.(*jsonrpc.Request)
	switch {
	case request == nil || !request.IsCall():
		return w.notify(ctx, m, request)
	case request.Method == "subscriptions/listen":
		go w.subscribe(ctx, request)
		return nil
	}
	ctx, end := w.bind(ctx)
	response, err := w.post(ctx, m)
	if err != nil {
		end()
		return err
	}
	go func() {
		defer end()
		w.receive(ctx, request, response)
	}()
	return nil
}

// notify sends a message that has no answer.
func (w *web) notify(ctx context.Context, m jsonrpc.Message, request *jsonrpc.Request) error {
	ctx, end := w.bind(ctx)
	defer end()
	response, err := w.post(ctx, m)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if request != nil && request.Method == "notifications/initialized" && w.listens {
		go w.listen()
	}
	return nil
}

// receive delivers what a response says, and at last the answer to the request. If there is
// none, the answer is an error.
func (w *web) receive(ctx context.Context, request *jsonrpc.Request, r *http.Response) {
	var err error
	switch media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media {
	case "application/json":
		err = w.receiveJSON(request, r)
	case "text/event-stream":
		err = w.receiveEvents(ctx, request, r)
	default:
		_ = r.Body.Close()
		err = &UnreadableError{fmt.Sprintf("it is %s with the type %q, not JSON", status(r.StatusCode), excerpt([]byte(media)))}
	}
	if err != nil && ctx.Err() == nil {
		w.deliver(&jsonrpc.Response{ID: request.ID, Error: &tool.UnknownOutcomeError{Err: err}})
	}
}

// Close ends the session and the connection.
func (w *web) Close() error {
	w.closeOnce.Do(func() {
		defer w.cancel()
		w.mu.Lock()
		session, lost := w.session, w.lost
		w.mu.Unlock()
		if session == "" || lost {
			return
		}
		ctx, cancel := context.WithTimeout(w.ctx, patience)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodDelete, w.endpoint, nil)
		if err != nil || w.setHeaders(r, nil) != nil {
			return // the server ends the session by itself at some time
		}
		if response, err := w.client.Do(r); err == nil {
			_ = response.Body.Close()
		}
	})
	return nil
}
