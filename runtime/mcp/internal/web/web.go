// Package web says who may ask an MCP server over HTTP, and for how long: hosts,
// pages of other origins, tokens, the length and the time of a message, sessions,
// and the end of the server. What is asked is answered by handlers of the SDK.
//
// Its layers, from top to bottom:
//
//	web, serve    a request, and the server that requests come to
//	access, body  who may ask, what is asked
package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/origin"
)

const (
	bodyTimeout    = 30 * time.Second // for the body of a request
	sessionTimeout = 24 * time.Hour   // between requests of a client
	stateless      = "2026-07-28"     // from this version on the protocol has no sessions
)

// Settings are what a server says of those who come over HTTP.
type Settings struct {
	Hosts       []string              // that it may be asked for, beside loopback: in lower case, without port
	Token       *string               // that clients must know; nil for none
	MaxMessage  int                   // bytes
	MaxSessions int                   // at once
	Watch       func(context.Context) // tells clients of changes until the context is done
}

// Handler serves an MCP server over HTTP to those who may ask.
type Handler struct {
	settings    *Settings
	server      *sdk.Server
	sessions    http.Handler // for the protocol up to 2025-11-25
	stateless   http.Handler // for later ones
	bodyTimeout time.Duration
}

// New returns a handler for a server. It reads the settings at every request.
func New(server *sdk.Server, settings *Settings) *Handler {
	get := func(*http.Request) *sdk.Server { return server }
	return &Handler{
		settings: settings,
		server:   server,
		// Of hosts and lengths there is nothing left to check.
		sessions: sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
			SessionTimeout:             sessionTimeout,
			DisableLocalhostProtection: true,
			MaxRequestBodyBytes:        -1,
		}),
		stateless: sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
			Stateless:                    true,
			PropagateRequestCancellation: true,
			DisableLocalhostProtection:   true,
			MaxRequestBodyBytes:          -1,
		}),
		bodyTimeout: bodyTimeout,
	}
}

// ServeHTTP answers a request, or says why not. The deadline for its body is set
// before anything is refused, and stays then: net/http reads what is left of a body
// before it answers, and would wait for it for ever.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	deadlines := http.NewResponseController(w) // a writer without connection has none
	_ = deadlines.SetReadDeadline(time.Now().Add(h.bodyTimeout))
	if why := h.settings.refuse(r); why != nil {
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
	h.answer(w, r)
}

// answer answers a request that may be made.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request) {
	r, release := origin.Mark(r)
	defer release()
	if r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go h.settings.Watch(ctx)
	}
	if r.Header.Get("Mcp-Protocol-Version") >= stateless {
		h.stateless.ServeHTTP(w, r)
		return
	}
	if r.Header.Get("Mcp-Session-Id") == "" && h.open() >= h.settings.MaxSessions {
		w.Header().Set("Retry-After", "60")
		(&refusal{http.StatusServiceUnavailable, "there are too many sessions"}).write(w)
		return
	}
	h.sessions.ServeHTTP(w, r)
}

// open counts the sessions of HTTP; others are none, or end with their requests.
func (h *Handler) open() (n int) {
	for session := range h.server.Sessions() {
		if session.ID() != "" {
			n++
		}
	}
	return n
}
