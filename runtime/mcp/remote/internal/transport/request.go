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
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/tool"
)

// statelessVersion is the first protocol version without sessions.
const statelessVersion = "2026-07-28"

// postMessage sends a message. It returns the response if the status is 2xx, and otherwise an error. If
// the server denies the first attempt, it asks the OAuth handler for a token and tries once more.
func (w *httpConnection) postMessage(ctx context.Context, m jsonrpc.Message) (*http.Response, error) {
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
			return nil, w.statusError(response, m)
		}
	}
}

// openStream opens a stream of events. If the ID after is not empty, the stream resumes after the event
// with that ID.
func (w *httpConnection) openStream(ctx context.Context, after string) (*http.Response, error) {
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
		return nil, fmt.Errorf("the stream has the type %q", logExcerpt([]byte(media)))
	case response.StatusCode/100 == 4 && after == "":
		_ = response.Body.Close()
		return nil, &RefusedError{response.StatusCode}
	}
	return nil, w.statusError(response, nil)
}

// bindContext returns a context that is also done when the connection is closed.
func (w *httpConnection) bindContext(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(w.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// setHeaders sets the headers that the protocol requires for a message, which may be nil.
func (w *httpConnection) setHeaders(r *http.Request, m jsonrpc.Message) error {
	if w.oauth != nil {
		if err := w.setToken(r); err != nil {
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
		_ = json.Unmarshal(request.Params, &params) // invalid members have no headers
		var requestVersion string
		if json.Unmarshal(params.Meta[sdk.MetaKeyProtocolVersion], &requestVersion) == nil {
			version = requestVersion
		}
	}
	if request != nil && request.Method == "initialize" {
		return nil // the version is not negotiated yet
	}
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	if request == nil || version < statelessVersion {
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

// setToken sets the Authorization header if the OAuth handler has a valid token. Otherwise the server
// rejects the request, and postMessage asks the handler for a token.
func (w *httpConnection) setToken(r *http.Request) error {
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

// SessionID returns the ID of the session, or "".
func (w *httpConnection) SessionID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
}

// keepSession stores the session ID of the first response that has one.
func (w *httpConnection) keepSession(r *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session = cmp.Or(w.session, r.Header.Get("Mcp-Session-Id"))
}

// sendError converts an error of the HTTP client to one that says whether the request may have
// reached the server.
func sendError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var operation *net.OpError
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // the URL may contain a secret
	}
	if redirected, ok := errtype.As[*redirectError](err); ok && redirected.mayHaveRun {
		return &tool.UnknownOutcomeError{Err: fmt.Errorf("no answer from the server: %w", err)}
	} else if ok {
		return &NotSentError{err}
	}
	if errors.As(err, &operation) && operation.Op == "dial" || errors.As(err, &name) || errors.As(err, &certificate) {
		return &NotSentError{err}
	}
	return &tool.UnknownOutcomeError{Err: connectionError(err)}
}

// connectionError returns the error of a broken connection. The text of err may quote the
// server, so invisible characters are removed.
func connectionError(err error) error {
	return errors.New("the connection broke: " + words.Visible(err.Error(), ""))
}

// statusError returns the error for a response whose status is not a success.
func (w *httpConnection) statusError(r *http.Response, m jsonrpc.Message) error {
	defer r.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(r.Body, 64<<10)) // a partial text is enough
	answer := &jsonrpc.Response{}
	if messages, err := decodeMessages(text); err == nil {
		if first, ok := messages[0].(*jsonrpc.Response); ok {
			answer = first
		}
	}
	request, _ := m.(*jsonrpc.Request)
	foreign := request != nil && request.IsCall() && answer.ID != request.ID
	if w.isSessionLost(r.StatusCode, text, foreign) {
		w.mu.Lock()
		w.sessionLost = true
		w.mu.Unlock()
		w.config.Lost()
		return ErrSessionLost
	}
	failure, isFailure := errtype.As[*jsonrpc.Error](answer.Error)
	mayHaveRun := r.StatusCode >= 500 || r.StatusCode == http.StatusRequestTimeout
	switch {
	case isFailure && (!mayHaveRun || !foreign && Refuses(failure.Code)):
		return failure
	case isFailure:
		return &tool.UnknownOutcomeError{Err: fmt.Errorf("the server answered with %s: %s", formatStatus(r.StatusCode), words.Cut(sanitize.Text(failure.Message), 1000))}
	case mayHaveRun:
		return &tool.UnknownOutcomeError{Err: fmt.Errorf("the server answered with %s", formatStatus(r.StatusCode))}
	}
	return &RefusedError{r.StatusCode}
}

// isSessionLost reports whether a response means that a new session is needed: because the server no
// longer knows the current session, or because another program, which supports only other protocol
// versions, has replaced the server. foreign is true if the response does not have the ID of the call.
// The response of such a program does not have it.
func (w *httpConnection) isSessionLost(status int, text []byte, foreign bool) bool {
	w.mu.Lock()
	session, version := w.session, w.version
	w.mu.Unlock()
	text = bytes.ToLower(text)
	mentions := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	switch {
	case session == "" && version < statelessVersion:
		return false
	case session != "" && (status == http.StatusNotFound || status == http.StatusBadRequest && mentions("session")):
		return true
	case !foreign || status/100 != 4:
		return false
	}
	return session == "" && mentions("session") || mentions("protocol") && mentions("version") || mentions("initializ")
}

// maxRedirects is the default limit of net/http.
const maxRedirects = 10

// withoutForeignRedirects returns a copy of a client that follows a redirect only if it keeps the scheme
// and host of the first request.
func withoutForeignRedirects(client *http.Client) *http.Client {
	limited := *client
	limited.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		first := via[0].URL
		switch {
		case r.URL.Scheme != first.Scheme || r.URL.Host != first.Host:
			target := url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: r.URL.Path} // the rest may contain a secret
			return &redirectError{words.Cut(sanitize.Text(target.String()), 200), r.Response.StatusCode == http.StatusSeeOther}
		case client.CheckRedirect != nil:
			return client.CheckRedirect(r, via)
		case len(via) >= maxRedirects:
			return fmt.Errorf("stopped after %d redirects", maxRedirects)
		}
		return nil
	}
	return &limited
}
