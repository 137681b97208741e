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

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// withoutSessions is the version of the protocol from which on there are no sessions.
const withoutSessions = "2026-07-28"

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

// get opens a stream, after an event if its ID is not "".
func (w *web) get(ctx context.Context, after string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.endpoint, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	if err := w.setHeaders(r, nil); err != nil {
		return nil, err
	}
	response, err := w.client.Do(r)
	if err != nil {
		return nil, sendError(ctx, err)
	}
	switch media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); {
	case response.StatusCode/100 == 2 && media == "text/event-stream":
		return response, nil
	case response.StatusCode/100 == 2:
		_ = response.Body.Close()
		return nil, fmt.Errorf("the stream has the type %q", excerpt([]byte(media)))
	case response.StatusCode/100 == 4 && after == "":
		_ = response.Body.Close()
		return nil, &RefusedError{response.StatusCode}
	}
	return nil, w.refusal(response)
}

// bind returns a context that is also done when the connection is closed.
func (w *web) bind(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(w.ctx, cancel)
	return ctx, func() { stop(); cancel() }
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

// SessionID returns the ID of the session, "" if there is none.
func (w *web) SessionID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
}

// keepSession keeps the ID of the session that the server began.
func (w *web) keepSession(r *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session = cmp.Or(w.session, r.Header.Get("Mcp-Session-Id"))
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
