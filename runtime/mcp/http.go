package mcp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/mcp/internal/httpserver"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// Hosts allows requests for these host names or addresses, without port, in addition to
// loopback. Without this option, [Server.ListenAndServe] listens only on loopback addresses.
// With it, everyone who can reach the server can call the tools, unless the server requires a
// [Token] or uses [Verify].
func Hosts(names ...string) Option {
	return func(s *settings) {
		for _, name := range names {
			s.web.Hosts = append(s.web.Hosts, strings.ToLower(name))
		}
	}
}

// Token requires that HTTP clients send this token as "Authorization: Bearer <token>".
func Token(token string) Option {
	return func(s *settings) { s.web.Token = new(secret.New(token)) }
}

// Verify sets the function that verifies tokens, for clients that get their tokens from an
// authorization server. Functions of tools find the UserID that it returns in
// [tool.Exchange.Caller]. For an invalid token, verify must return an error that wraps
// [auth.ErrInvalidToken]; the request is then rejected. Any other error, or a panic, is logged,
// and the client is asked to try again later. A token must have all of the scopes. Only the user
// who opened a session can use it. All clients with the static [Token] count as one user without
// a UserID.
func Verify(verify auth.TokenVerifier, scopes ...string) Option {
	return func(s *settings) { s.web.Verify, s.web.Scopes = verify, scopes }
}

// ProtectedResource sets the metadata that tell clients how to get a token for [Verify].
// Clients find them through the response to a request without a token, and at the path
// /.well-known/oauth-protected-resource, alone or followed by the path of the resource. If you
// mount [Server.Handler] yourself, mount it at these paths, too. The field Resource must be the
// URL at which clients reach the server.
func ProtectedResource(m oauthex.ProtectedResourceMetadata) Option {
	return func(s *settings) { s.web.Resource = &m }
}

// Origins allows requests from browser pages of these origins, such as https://app.example or
// http://localhost:3000, in addition to the server's own origin. "*" allows all origins, and
// requires a [Token] or [Verify]. Pages cannot authenticate with cookies.
func Origins(origins ...string) Option {
	return func(s *settings) {
		for _, origin := range origins {
			s.web.Origins = append(s.web.Origins, strings.ToLower(origin))
		}
	}
}

// MaxSessions limits the number of concurrent HTTP sessions. The default is 1000.
//
// A session ends when it has not been used for 30 minutes, because clients are not required to
// close their sessions. If the limit is reached, a new session replaces the one of the same
// user (see [Verify]) that has been idle longest. If that user has no idle session, it replaces
// an idle session of the user with the most sessions. While calls run in all sessions, a new
// client is asked to try again later.
//
// From version 2026-07-28 on, the protocol has no sessions.
func MaxSessions(n int) Option {
	return func(s *settings) { s.web.MaxSessions = n }
}

// ListenAndServe serves clients over HTTP at the path /mcp until ctx is done. Calls that are
// then running are answered within the limit of [Drain]. An address without a host, such as
// ":8080", means 127.0.0.1. Port 0 means any free port. Without [Hosts], ListenAndServe only
// listens on loopback addresses.
func (s *Server) ListenAndServe(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if !httpserver.IsLoopback(host) && len(s.settings.web.Hosts) == 0 {
		return fmt.Errorf("mcp: %s can be reached from other machines: set the host names of the server with the option Hosts", host)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	s.settings.log.Info("serving MCP", "url", "http://"+l.Addr().String()+"/mcp")
	if !httpserver.IsLoopback(host) && s.settings.web.Token == nil && s.settings.web.Verify == nil {
		s.settings.log.Warn("mcp: everyone who can reach the server can call its tools, because it requires no token", "address", l.Addr())
	}
	return s.web.Serve(ctx, l, rpc.NewCalls(s.settings.drain, s.settings.log))
}

// Handler returns an HTTP handler that serves clients at any path where it is mounted. It
// rejects requests for a host other than loopback and [Hosts], and requests from browser pages
// of an origin other than its own and [Origins]. A client that does not read its response for
// 30 seconds is disconnected. Do not set WriteTimeout of the http.Server, which would end
// streams.
func (s *Server) Handler() http.Handler { return s.web }
