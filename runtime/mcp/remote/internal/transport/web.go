package transport

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// withoutSessions is the version of the protocol from which on there are no sessions.
const withoutSessions = "2026-07-28"

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

// SessionID returns the ID of the session, "" if there is none.
func (w *web) SessionID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
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

func (w *web) deliver(m jsonrpc.Message) {
	select {
	case w.incoming <- m:
	case <-w.ctx.Done():
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

// bind returns a context that is also done when the connection is closed.
func (w *web) bind(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(w.ctx, cancel)
	return ctx, func() { stop(); cancel() }
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

// post sends a message, and returns a response of a status that means success.
func (w *web) post(ctx context.Context, m jsonrpc.Message) (*http.Response, error) {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return nil, &NotSentError{err}
	}
	for authorized := w.oauth == nil; ; authorized = true {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.endpoint, bytes.NewReader(text))
		if err != nil {
			return nil, &NotSentError{err}
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if err := w.setHeaders(r, m); err != nil {
			return nil, &NotSentError{err}
		}
		response, err := w.client.Do(r)
		if err != nil {
			return nil, sendError(ctx, err)
		}
		denied := response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden
		switch {
		case response.StatusCode/100 == 2:
			w.keepSession(response)
			return response, nil
		case denied && !authorized:
			if err := w.oauth.Authorize(ctx, r, response); err != nil {
				return nil, &NotSentError{err}
			}
		default:
			return nil, w.refusal(response)
		}
	}
}

// sendError says whether a request that failed can have reached the server.
func sendError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var operation *net.OpError
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var failed *url.Error
	if errors.As(err, &operation) && operation.Op == "dial" || errors.As(err, &name) {
		return &NotSentError{err}
	}
	if errors.As(err, &failed) {
		err = failed.Err // the URL may have a secret in it
	}
	if errors.As(err, &certificate) {
		return &NotSentError{err}
	}
	return &tool.UnknownOutcomeError{Err: broken(err)}
}

// broken returns the error of a connection, which may quote the server.
func broken(err error) error {
	return errors.New("the connection broke: " + words.Visible(err.Error(), ""))
}

// keepSession keeps the ID of the session that the server began.
func (w *web) keepSession(r *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session = cmp.Or(w.session, r.Header.Get("Mcp-Session-Id"))
}

// refusal returns what a status other than success says of a request.
func (w *web) refusal(r *http.Response) error {
	defer r.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(r.Body, 64<<10)) // what can be read is enough
	inSession := w.SessionID() != ""
	unknown := r.StatusCode == http.StatusNotFound || r.StatusCode == http.StatusBadRequest && bytes.Contains(bytes.ToLower(text), []byte("session"))
	if inSession && unknown {
		w.mu.Lock()
		w.lost = true
		w.mu.Unlock()
		w.config.Lost()
		return ErrSessionLost
	}
	if messages, err := decode(text); err == nil {
		if answer, ok := messages[0].(*jsonrpc.Response); ok {
			var failure *jsonrpc.Error
			if errors.As(answer.Error, &failure) {
				return failure
			}
		}
	}
	if r.StatusCode >= 500 || r.StatusCode == http.StatusRequestTimeout {
		return &tool.UnknownOutcomeError{Err: fmt.Errorf("the server answered with %s", status(r.StatusCode))}
	}
	return &RefusedError{r.StatusCode}
}

// setHeaders sets the headers of the protocol.
func (w *web) setHeaders(r *http.Request, m jsonrpc.Message) error {
	if w.oauth != nil {
		if err := w.authorize(r); err != nil {
			return err
		}
	}
	w.mu.Lock()
	session, version := w.session, w.version
	w.mu.Unlock()
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	request, _ := m.(*jsonrpc.Request)
	var params struct {
		Name, URI string
		Meta      map[string]json.RawMessage `json:"_meta"`
	}
	if request != nil && len(request.Params) > 0 {
		_ = json.Unmarshal(request.Params, &params) // those that cannot be read have no headers
		var own string
		if json.Unmarshal(params.Meta[sdk.MetaKeyProtocolVersion], &own) == nil {
			version = own
		}
	}
	if request != nil && request.Method == "initialize" {
		return nil // which negotiates the version
	}
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	if request == nil || version < withoutSessions {
		return nil
	}
	r.Header.Set("Mcp-Method", request.Method)
	switch request.Method {
	case "tools/call", "prompts/get":
		r.Header.Set("Mcp-Name", params.Name)
	case "resources/read":
		r.Header.Set("Mcp-Name", params.URI)
	}
	for name, value := range w.config.Headers(request) {
		r.Header.Set(name, value)
	}
	return nil
}

// authorize sets the token of the OAuth handler, if it has one. A handler without a valid
// token is asked for one after the server has refused the request.
func (w *web) authorize(r *http.Request) error {
	source, err := w.oauth.TokenSource(w.ctx)
	if err != nil || source == nil {
		return err
	}
	token, err := source.Token()
	if err != nil {
		w.config.Log.Debug("mcp: no valid token", "error", err)
		return nil
	}
	r.Header.Set("Authorization", "Bearer "+token.AccessToken)
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

// errWrongID is the error of a request whose answer is one to another request.
var errWrongID = &UnreadableError{"it does not have the ID of the request"}

// receiveJSON delivers the answer that a response is.
func (w *web) receiveJSON(request *jsonrpc.Request, r *http.Response) error {
	defer r.Body.Close()
	var text buffer
	for limit, piece := Limit(request.Method), make([]byte, 32<<10); ; {
		n, err := r.Body.Read(piece)
		if text.write(piece[:n]); text.size > limit {
			return tooLong(limit)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return broken(err)
		}
	}
	messages, err := decode(text.bytes())
	if err != nil {
		return &UnreadableError{err.Error()}
	}
	for _, m := range messages {
		if done, err := w.takeMessage(request, m); done || err != nil {
			return err
		}
	}
	return errWrongID
}

// takeMessage delivers a message that came in the response to a request, and reports whether it is
// the answer.
func (w *web) takeMessage(request *jsonrpc.Request, m jsonrpc.Message) (answered bool, err error) {
	answer, ok := m.(*jsonrpc.Response)
	switch {
	case !ok:
	case !answer.ID.IsValid():
		return false, answer.Error
	case answer.ID != request.ID:
		return false, errWrongID
	case request.Method == "initialize":
		var result struct{ ProtocolVersion string }
		_ = json.Unmarshal(answer.Result, &result) // the SDK reports what is wrong with it
		w.mu.Lock()
		w.version = result.ProtocolVersion
		w.mu.Unlock()
	case request.Method == "server/discover" && answer.Error == nil:
		w.mu.Lock()
		w.version = withoutSessions
		w.mu.Unlock()
	}
	w.deliver(m)
	return ok, nil
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

func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
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
