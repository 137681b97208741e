package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

const (
	bodyTimeout    = 30 * time.Second // limit for reading the body of a request
	writeTimeout   = 30 * time.Second // limit for writing each chunk of an answer
	sessionTimeout = 30 * time.Minute // limit between two requests of a session
	returnTimeout  = 5 * time.Minute  // limit for a disconnected client to reconnect before its calls are canceled
)

// Settings configure a Handler.
type Settings struct {
	Hosts       []string                           // permitted hosts in addition to loopback, in lower case and without port
	Origins     []string                           // permitted origins in addition to the server's own, in lower case; "*" permits all
	Token       *secret.Value[string]              // token that clients must send; may be nil
	Verify      auth.TokenVerifier                 // returns the user of a token; may be nil
	Scopes      []string                           // scopes that a verified token must have
	Resource    *oauthex.ProtectedResourceMetadata // tells clients how to get a token; may be nil
	MaxMessage  int                                // maximum size of a message, in bytes
	MaxSessions int                                // maximum number of open sessions
	Watch       func(context.Context)              // notifies clients of changed tools until the context is done
	Log         *slog.Logger                       // receives internal errors
	Observed    bool                               // the program observes requests, whose contexts need a [peer.Delivery]
	// Direct answers a request without the SDK, or returns false; see [DirectCalls.AnswerCall].
	Direct func(w http.ResponseWriter, r *http.Request, body []byte, session *sessionCalls, handler http.Handler) bool
}

// Check checks the settings.
func (s *Settings) Check() error {
	switch {
	case s.Token != nil && len(strings.Fields(s.Token.Reveal())) != 1:
		return errors.New("mcp: the token is empty or contains spaces")
	case s.MaxMessage <= 0:
		return fmt.Errorf("mcp: MaxMessage is %d bytes, need at least 1", s.MaxMessage)
	case s.MaxSessions <= 0:
		return fmt.Errorf("mcp: MaxSessions is %d, need at least 1", s.MaxSessions)
	}
	if err := s.checkOrigins(); err != nil {
		return err
	}
	return s.checkResource()
}

// Handler serves an MCP server over HTTP. It learns about sessions through
// [Handler.AddSession] and [Handler.ObserveParams], because the SDK does not report them.
type Handler struct {
	settings  *Settings
	server    *sdk.Server
	stateful  http.Handler // for protocol versions up to 2025-11-25
	stateless http.Handler // for later versions
	sessions  sessionList
	ids       rpc.IDMask

	bodyTimeout, writeTimeout time.Duration
}

// New returns a handler for a server. The handler reads the settings at every request.
func New(server *sdk.Server, settings *Settings) *Handler {
	get := func(*http.Request) *sdk.Server { return server }
	return &Handler{
		settings: settings,
		server:   server,
		// The handler itself checks hosts, message sizes and idle sessions.
		stateful: sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
			DisableLocalhostProtection: true,
			MaxRequestBodyBytes:        -1,
		}),
		stateless: sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
			Stateless:                    true,
			PropagateRequestCancellation: true,
			DisableLocalhostProtection:   true,
			MaxRequestBodyBytes:          -1,
		}),
		sessions:     sessionList{idle: sessionTimeout, absence: returnTimeout, open: map[string]*httpSession{}},
		ids:          rpc.NewIDMask(),
		bodyTimeout:  bodyTimeout,
		writeTimeout: writeTimeout,
	}
}

// AddSession records a session that a client has opened over HTTP. It ignores sessions over other
// transports, which have no ID. The token is nil if no token was verified.
func (h *Handler) AddSession(s *sdk.ServerSession, token *auth.TokenInfo) {
	if s.ID() != "" {
		h.sessions.addSession(s, sessionOwner(token), h.settings.MaxSessions)
	}
}

// ObserveParams handles two messages of a session, the cancellation of a call and a new log level, for
// the calls that are answered without the SDK.
func (h *Handler) ObserveParams(s *sdk.ServerSession, params sdk.Params) {
	calls := h.sessions.findCalls(s.ID())
	if calls == nil {
		return
	}
	switch p := params.(type) {
	case *sdk.CancelledParams:
		calls.cancelCall(string(h.ids.RestoreIDs(encodeID(p.RequestID))))
	case *sdk.SetLoggingLevelParams:
		calls.setLogLevel(p.Level)
	}
}

// encodeID returns a decoded ID as JSON.
func encodeID(id any) []byte {
	if text, ok := id.(string); ok {
		return jsontext.AppendQuoted(nil, text)
	}
	text, _ := json.Marshal(id) // it was decoded from JSON
	return text
}

// ServeHTTP answers a request. If a handler panics, ServeHTTP logs the panic and answers with
// status 500, or disconnects the client if the response has begun.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	writer := newAnswerWriter(w, r, h.writeTimeout)
	defer func() {
		p := recover()
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		if p != nil {
			h.settings.Log.Error("mcp: an HTTP request failed because of an internal error", "panic", p, "stack", string(debug.Stack()))
			if writer.started {
				panic(http.ErrAbortHandler) // the client must not take a partial response for a complete one
			}
			(&refusal{status: http.StatusInternalServerError, reason: "the request failed because of an internal error of the server"}).writeTo(writer)
		}
		writer.finishAnswer()
	}()
	h.serveRequest(writer, r)
}

// serveRequest checks and answers a request. It sets a deadline for the body first, and keeps the
// deadline if it rejects the request: net/http reads the rest of the body before it sends the
// response, and would otherwise wait for a slow client forever.
func (h *Handler) serveRequest(w http.ResponseWriter, r *http.Request) {
	deadlines := http.NewResponseController(w) // setting them fails for a writer without a connection
	_ = deadlines.SetReadDeadline(time.Now().Add(h.bodyTimeout))
	if refused := h.settings.checkHost(r); refused != nil {
		refused.writeTo(w)
		return
	}
	if h.settings.answerPreflight(w, r) || h.settings.serveMetadata(w, r) {
		return
	}
	user, refused := h.settings.admitRequest(w, r)
	if refused != nil {
		refused.writeTo(w)
		return
	}
	body, refused := h.settings.readBody(w, r)
	if refused != nil {
		refused.writeTo(w)
		return
	}
	_ = deadlines.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	end, refused := beginRequest(r, body)
	if refused != nil {
		refused.writeTo(w)
		return
	}
	defer end()
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.routeRequest(w, r, body) })
	if user == nil {
		answer(w, r)
		return
	}
	verified := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return user, nil }
	// Only RequireBearerToken can pass the user on to the SDK.
	auth.RequireBearerToken(verified, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(answer).ServeHTTP(w, r)
}

// routeRequest answers a permitted request, directly or through the SDK.
func (h *Handler) routeRequest(w http.ResponseWriter, r *http.Request, body []byte) {
	if isStream(r) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go h.settings.Watch(ctx)
	}
	if usesSessions(r) {
		h.serveInSession(w, r, body)
	} else if !h.answerDirectly(w, r, body, nil, h.stateless) {
		h.passToSDK(w, h.withDelivery(r, body), body, h.stateless)
	}
}

// answerDirectly answers a request without the SDK, or returns false.
func (h *Handler) answerDirectly(w http.ResponseWriter, r *http.Request, body []byte, session *sessionCalls, handler http.Handler) bool {
	if h.settings.Direct == nil {
		return false
	}
	sdkHandler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.passToSDK(w, r, body, handler) })
	return h.settings.Direct(w, r, body, session, sdkHandler)
}

// passToSDK checks the message of a request and passes it on to a handler of the SDK.
func (h *Handler) passToSDK(w http.ResponseWriter, r *http.Request, body []byte, handler http.Handler) {
	if r.Method == http.MethodPost {
		if !json.Valid(body) { // the SDK ignores text after the first value
			(&refusal{status: http.StatusBadRequest, reason: "the body is not a single JSON value"}).writeTo(w)
			return
		}
		masked := h.ids.HideIDs(body)
		if !bytes.Equal(masked, body) {
			w = idWriter{w, h.ids}
		}
		if messageErr := rpc.CheckMessage(masked); messageErr != nil {
			messageRefusal(messageErr, usesSessions(r)).writeTo(w)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(masked))
	}
	handler.ServeHTTP(w, r)
}

// usesSessions reports whether a request has a protocol version with sessions.
func usesSessions(r *http.Request) bool {
	return r.Header.Get("Mcp-Protocol-Version") < StatelessVersion
}

// messageRefusal returns the response to an invalid message.
func messageRefusal(messageErr *rpc.MessageError, withSession bool) *refusal {
	status := http.StatusBadRequest
	if withSession && messageErr.Code == jsonrpc.CodeInvalidParams { // sessions report errors of methods with status 200
		status = http.StatusOK
	}
	return &refusal{status: status, reason: messageErr.Text, id: messageErr.ID, code: messageErr.Code}
}

// idWriter restores the original IDs in a response; see [rpc.IDMask].
type idWriter struct {
	http.ResponseWriter
	ids rpc.IDMask
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w idWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader writes the header without Content-Length, because restoring IDs changes it.
func (w idWriter) WriteHeader(status int) {
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(status)
}

// Write writes p with restored IDs. The SDK writes each message with one call, so IDs are never
// split.
func (w idWriter) Write(p []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(w.ids.RestoreIDs(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// isStream reports whether a request opens a stream of notifications. It trusts the header
// Mcp-Method only in the protocol version without sessions, where the SDK checks that the header
// matches the message.
func isStream(r *http.Request) bool {
	return r.Method == http.MethodGet || !usesSessions(r) && r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// beginRequest counts a request, so that the server waits for it when it shuts down. While the
// server is shutting down, beginRequest rejects new calls, but not notifications and answers to
// questions, which belong to running calls.
func beginRequest(r *http.Request, body []byte) (end func(), refused *refusal) {
	calls := rpc.CallsFrom(r.Context())
	switch {
	case calls == nil || isStream(r):
		return func() {}, nil
	case calls.Begin():
		return calls.End, nil
	}
	if id, isCall := findCallID(body); isCall {
		return nil, &refusal{status: http.StatusServiceUnavailable, reason: rpc.ErrShuttingDown.Message, id: id}
	}
	return func() {}, nil
}

// serveInSession answers a request in a protocol version with sessions, up to 2025-11-25.
func (h *Handler) serveInSession(w http.ResponseWriter, r *http.Request, body []byte) {
	id := r.Header.Get("Mcp-Session-Id")
	if id == "" && r.Method == http.MethodPost && !mayOpenSession(body) { // the SDK would open a session for any message
		(&refusal{status: http.StatusBadRequest, reason: "the session is missing: send initialize first, and then the session ID in the header Mcp-Session-Id"}).writeTo(w)
		return
	}
	owner := sessionOwner(auth.TokenInfoFromContext(r.Context()))
	if id == "" && h.sessions.isFull(owner, h.settings.MaxSessions) {
		callID, _ := findCallID(body)
		(&refusal{status: http.StatusServiceUnavailable, reason: "there are too many sessions, and all are in use; try again later", id: callID}).writeTo(w)
		return
	}
	lifetime, done, refused := h.sessions.useSession(id, owner, isStream(r))
	if refused != nil {
		refused.writeTo(w)
		return
	}
	stop := context.AfterFunc(r.Context(), done) // the session of a disconnected client counts as unused, even while its call is still running
	defer func() {
		if stop() {
			done()
		}
	}()
	r = r.WithContext(peer.WithSession(r.Context(), lifetime))
	if calls := h.sessions.findCalls(id); calls != nil && h.answerDirectly(w, r, body, calls, h.stateful) {
		return
	}
	marked, release := peer.MarkRequest(h.withDelivery(r, body))
	defer release()
	if r.Method == http.MethodDelete {
		h.sessions.cancelSession(id)
		defer h.sessions.removeEnded(id, h.isOpen)
	}
	h.passToSDK(w, marked, body, h.stateful)
}

// isOpen reports whether the SDK has a session with this ID.
func (h *Handler) isOpen(id string) bool {
	for session := range h.server.Sessions() {
		if session.ID() == id {
			return true
		}
	}
	return false
}
