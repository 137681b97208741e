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
	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
	"github.com/aiongen/aiongen/runtime/mcp/internal/web"
)

// Hosts are the names or addresses, without port, by which clients may ask for the
// server beside those of loopback. Only with them does [Server.ListenAndServe]
// listen on other addresses than loopback; mind that all who can reach it can then
// call the tools, unless there is a [Token].
func Hosts(names ...string) Option {
	return func(s *settings) {
		for _, name := range names {
			s.web.Hosts = append(s.web.Hosts, strings.ToLower(name))
		}
	}
}

// Token is what clients that come over HTTP must know: they send it as
// "Authorization: Bearer <token>".
func Token(token string) Option {
	return func(s *settings) { s.web.Token = new(secret.New(token)) }
}

// Verify says whose a token is, where clients get theirs from an authorization server:
// they are refused, or known in [tool.Exchange.Caller] by the UserID. The error for a
// token that is none wraps [auth.ErrInvalidToken]; another one is logged, and the client
// told to try again. A token must have the scopes. With a UserID, a session is for the
// one who opened it alone. A [Token] is good beside it, for those who are nobody.
func Verify(verify auth.TokenVerifier, scopes ...string) Option {
	return func(s *settings) { s.web.Verify, s.web.Scopes = verify, scopes }
}

// ProtectedResource is what clients are told of how they get a token for [Verify]: by
// the answer to a request without one, and at /.well-known/oauth-protected-resource,
// with and without the path of the resource behind it. Whoever mounts [Server.Handler]
// mounts it there, too. The Resource is the URL by which clients ask.
func ProtectedResource(m oauthex.ProtectedResourceMetadata) Option {
	return func(s *settings) { s.web.Resource = &m }
}

// Origins are those whose pages may call in a browser, such as https://app.example or
// http://localhost:3000, beside the server's own. "*" are all, and needs a [Token] or
// [Verify]. Pages never have access with cookies.
func Origins(origins ...string) Option {
	return func(s *settings) {
		for _, origin := range origins {
			s.web.Origins = append(s.web.Origins, strings.ToLower(origin))
		}
	}
}

// MaxSessions bounds how many sessions there may be over HTTP at once. The default is
// 1000. Clients that go do not always say so: a session ends when it was not used for
// 30 minutes, or when another one needs its place and it was not used for longest. Who
// wants one while calls run in all is told to come back later. The protocol has no
// sessions from 2026-07-28 on.
func MaxSessions(n int) Option {
	return func(s *settings) { s.web.MaxSessions = n }
}

// ListenAndServe serves clients over HTTP at the path /mcp until ctx is done; calls
// that run then are answered as [Drain] says. An address without a host, such as ":8080", is on
// 127.0.0.1; port 0 is any that is free. Without [Hosts] it listens on loopback only.
func (s *Server) ListenAndServe(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if !web.IsLoopback(host) && len(s.settings.web.Hosts) == 0 {
		return fmt.Errorf("mcp: %s is reached from elsewhere: say by the option Hosts under which names", host)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	s.settings.log.Info("serving MCP", "url", "http://"+l.Addr().String()+"/mcp")
	if !web.IsLoopback(host) && s.settings.web.Token == nil && s.settings.web.Verify == nil {
		s.settings.log.Warn("mcp: who can reach the server can call its tools, for there is no token", "address", l.Addr())
	}
	return s.web.Serve(ctx, l, drain.New(s.settings.drain, s.settings.log))
}

// Handler serves clients over HTTP, at whatever path it is mounted. Requests for
// another host than loopback and [Hosts], and those that a page of another origin than
// [Origins] makes, are refused.
func (s *Server) Handler() http.Handler { return s.web }
