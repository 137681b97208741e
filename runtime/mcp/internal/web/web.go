// Package web says who may ask an MCP server over HTTP, and for how long: hosts,
// pages of other origins, tokens, the length and the time of a message, sessions,
// and the end of the server. What is asked is answered by handlers of the SDK.
//
// Its layers, from top to bottom:
//
//	serve                   the server that requests come to
//	web                     a request
//	access                  who may ask
//	origins, token          pages, users
//	body, sessions          what is asked, who asked before
package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
	"github.com/aiongen/aiongen/runtime/mcp/internal/origin"
)

const (
	bodyTimeout    = 30 * time.Second // for the body of a request
	sessionTimeout = 30 * time.Minute // between requests of a session
	stateless      = "2026-07-28"     // from this version on the protocol has no sessions
)

// Settings are what a server says of those who come over HTTP.
type Settings struct {
	Hosts       []string                           // that it may be asked for, beside loopback: in lower case, without port
	Origins     []string                           // of pages that may ask, beside its own: in lower case, or "*"
	Token       *secret.Value[string]              // that clients must know; nil for none
	Verify      auth.TokenVerifier                 // says whose a token is; nil for none
	Scopes      []string                           // that tokens which are verified must have
	Resource    *oauthex.ProtectedResourceMetadata // says how to get a token; nil for nothing
	MaxMessage  int                                // bytes
	MaxSessions int                                // at once
	Watch       func(context.Context)              // tells clients of changes until the context is done
	Log         *slog.Logger                       // of what clients are not told

	// Direct answers a request without a session, if it is one that needs nothing of the
	// SDK; nil for none.
	Direct func(w http.ResponseWriter, r *http.Request, body []byte) bool
}

// Check says what is wrong with the settings.
func (s *Settings) Check() error {
	switch {
	case s.Token != nil && len(strings.Fields(s.Token.Reveal())) != 1:
		return errors.New("mcp: the token is empty, or has spaces")
	case s.MaxMessage <= 0:
		return fmt.Errorf("mcp: a message of %d bytes is none", s.MaxMessage)
	case s.MaxSessions <= 0:
		return fmt.Errorf("mcp: with %d sessions nobody is served", s.MaxSessions)
	}
	if err := s.checkOrigins(); err != nil {
		return err
	}
	return s.checkResource()
}

// Handler serves an MCP server over HTTP to those who may ask. The server tells it
// what the SDK does not, by [Handler.Opened].
type Handler struct {
	settings    *Settings
	server      *sdk.Server
	stateful    http.Handler // for the protocol up to 2025-11-25
	stateless   http.Handler // for later ones
	sessions    sessions
	bodyTimeout time.Duration
}

// New returns a handler for a server. It reads the settings at every request.
func New(server *sdk.Server, settings *Settings) *Handler {
	get := func(*http.Request) *sdk.Server { return server }
	return &Handler{
		settings: settings,
		server:   server,
		// Of hosts, lengths and idle sessions there is nothing left to check.
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
		sessions:    sessions{idle: sessionTimeout, open: map[string]*session{}},
		bodyTimeout: bodyTimeout,
	}
}

// Opened notes a session that a client opened, if it is one of HTTP.
func (h *Handler) Opened(s *sdk.ServerSession) {
	if s.ID() != "" {
		h.sessions.add(s, h.settings.MaxSessions)
	}
}

// ServeHTTP answers a request, or says why not. The deadline for its body is set
// before anything is refused, and stays then: net/http reads what is left of a body
// before it answers, and would wait for it for ever.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	deadlines := http.NewResponseController(w) // a writer without connection has none
	_ = deadlines.SetReadDeadline(time.Now().Add(h.bodyTimeout))
	if why := h.settings.refuseHost(r); why != nil {
		why.write(w)
		return
	}
	if h.settings.preflight(w, r) || h.settings.metadata(w, r) {
		return
	}
	user, why := h.settings.admit(w, r)
	if why != nil {
		why.write(w)
		return
	}
	body, why := h.settings.read(w, r)
	if why != nil {
		why.write(w)
		return
	}
	_ = deadlines.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	end, why := begin(r, body)
	if why != nil {
		why.write(w)
		return
	}
	defer end()
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.answer(w, r, body) })
	if user == nil {
		answer(w, r)
		return
	}
	known := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return user, nil }
	auth.RequireBearerToken(known, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(answer).ServeHTTP(w, r) // alone may tell the SDK
}

// answer answers a request that may be made.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	if isStream(r) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go h.settings.Watch(ctx)
	}
	withSession := r.Header.Get("Mcp-Protocol-Version") < stateless
	switch {
	case !withSession && h.settings.Direct != nil && h.settings.Direct(w, r, body):
	case r.Method == http.MethodPost && !json.Valid(body): // the SDK reads no further than the end of a value
		(&refusal{status: http.StatusBadRequest, why: "the body is not one value of JSON"}).write(w)
	case withSession:
		h.inSession(w, r, body)
	default:
		h.stateless.ServeHTTP(w, r)
	}
}

// isStream reports whether a request is one by which a client listens.
func isStream(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// begin notes a request as one that the server waits for when it ends. If it ends
// already, what goes on is only what belongs to calls that run: answers to questions,
// and notifications.
func begin(r *http.Request, body []byte) (end func(), why *refusal) {
	calls := drain.From(r.Context())
	switch {
	case calls == nil || isStream(r):
		return func() {}, nil
	case calls.Begin():
		return calls.End, nil
	}
	if id, asks := call(body); asks {
		return nil, &refusal{status: http.StatusServiceUnavailable, why: drain.Refusal.Message, id: id}
	}
	return func() {}, nil
}

// inSession answers a request of the protocol up to 2025-11-25.
func (h *Handler) inSession(w http.ResponseWriter, r *http.Request, body []byte) {
	id := r.Header.Get("Mcp-Session-Id")
	if id == "" && r.Method == http.MethodPost && !opens(body) { // the SDK would open a session for it
		(&refusal{status: http.StatusBadRequest, why: "there is no session: begin with initialize, and name it in the header Mcp-Session-Id"}).write(w)
		return
	}
	if id == "" && h.sessions.full(h.settings.MaxSessions) {
		asked, _ := call(body)
		(&refusal{status: http.StatusServiceUnavailable, why: "there are too many sessions, and all are used; ask again later", id: asked}).write(w)
		return
	}
	life, done := h.sessions.use(id, isStream(r))
	defer done()
	marked, release := origin.Mark(r.WithContext(origin.InSession(r.Context(), life)))
	defer release()
	user := ""
	if token := auth.TokenInfoFromContext(r.Context()); token != nil {
		user = token.UserID
	}
	if r.Method == http.MethodDelete {
		h.sessions.leave(id, user)
		defer h.sessions.ended(id, h.isOpen)
	}
	h.stateful.ServeHTTP(w, marked)
	if id == "" {
		h.sessions.opened(w.Header().Get("Mcp-Session-Id"), user)
	}
}

func (h *Handler) isOpen(id string) bool {
	for session := range h.server.Sessions() {
		if session.ID() == id {
			return true
		}
	}
	return false
}
