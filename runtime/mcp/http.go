package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	headerTimeout  = 10 * time.Second // for the head of a request
	bodyTimeout    = 30 * time.Second // for its body
	idleTimeout    = 2 * time.Minute  // between requests on a connection
	sessionTimeout = 24 * time.Hour   // between requests of a client
	endTimeout     = 10 * time.Second // for requests under way when the server ends
)

// Hosts are the names or addresses, without port, by which clients may ask for the
// server beside those of loopback. Only with them does [Server.ListenAndServe]
// listen on other addresses than loopback; mind that all who can reach it can then
// call the tools, unless there is a [Token].
func Hosts(names ...string) Option {
	return func(s *settings) {
		for _, name := range names {
			s.hosts = append(s.hosts, strings.ToLower(name))
		}
	}
}

// Token is what clients that come over HTTP must know: they send it as
// "Authorization: Bearer <token>".
func Token(token string) Option {
	return func(s *settings) { s.token = &token }
}

// MaxSessions bounds how many sessions there may be over HTTP at once; who wants
// another one is told to come back later. The default is 1000. Clients that end do
// not always say so: a session ends by itself when nothing was asked in it for 24
// hours. The protocol has none from 2026-07-28 on.
func MaxSessions(n int) Option {
	return func(s *settings) { s.maxSessions = n }
}

// ListenAndServe serves clients over HTTP at the path /mcp until ctx is done; calls
// that run then are cancelled. An address without a host, such as ":8080", is on
// 127.0.0.1; port 0 is any that is free. Without [Hosts] it listens on loopback only.
func (s *Server) ListenAndServe(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if !isLoopback(host) && len(s.settings.hosts) == 0 {
		return fmt.Errorf("mcp: %s is reached from elsewhere: say by the option Hosts under which names", host)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	s.settings.log.Info("serving MCP", "url", "http://"+l.Addr().String()+"/mcp")
	if !isLoopback(host) && s.settings.token == nil {
		s.settings.log.Warn("mcp: who can reach the server can call its tools, for there is no token", "address", l.Addr())
	}
	return s.serve(ctx, l)
}

func (s *Server) serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.Handler())
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		BaseContext:       func(net.Listener) context.Context { return context.WithValue(ctx, servingKey{}, ctx) },
	}
	closeUnused(server)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	for session := range s.sdk.Sessions() {
		if session.ID() != "" { // others are none of HTTP, or end with their requests
			go session.Close() // waits for calls
		}
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer stop()
	err := server.Shutdown(end)
	if err != nil {
		err = fmt.Errorf("mcp: calls do not heed that they were cancelled: %w", errors.Join(err, server.Close()))
	}
	return err
}

// closeUnused lets connections by which nothing was asked yet not hold up the end
// of a server; it would wait for them for five seconds.
func closeUnused(server *http.Server) {
	var unused sync.Map
	server.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew {
			unused.Store(c, nil)
		} else {
			unused.Delete(c)
		}
	}
	server.RegisterOnShutdown(func() {
		unused.Range(func(c, _ any) bool {
			_ = c.(net.Conn).Close() // or the client did
			return true
		})
	})
}

// Handler serves clients over HTTP, at whatever path it is mounted. Requests for
// another host than loopback and [Hosts], and those that a page of another origin
// makes, are refused.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *sdk.Server { return s.sdk }
	// The protocol has sessions up to 2025-11-25, and none from 2026-07-28 on. Of
	// hosts and lengths there is nothing left to check.
	sessions := sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
		SessionTimeout:             sessionTimeout,
		DisableLocalhostProtection: true,
		MaxRequestBodyBytes:        -1,
	})
	stateless := sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true,
		MaxRequestBodyBytes:          -1,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, why := s.settings.refuse(r); why != "" {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			http.Error(w, why, status)
			return
		}
		if !s.settings.readBody(w, r) {
			return
		}
		withSession := r.Header.Get("Mcp-Protocol-Version") < "2026-07-28"
		if withSession && r.Header.Get("Mcp-Session-Id") == "" && s.sessions() >= s.settings.maxSessions {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "there are too many sessions", http.StatusServiceUnavailable)
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go s.tools.Watch(ctx) // for the streams by which clients are told of changes
		if withSession {
			sessions.ServeHTTP(w, r)
		} else {
			stateless.ServeHTTP(w, r)
		}
	})
}

// sessions counts those of HTTP; others are none, or end with their requests.
func (s *Server) sessions() (n int) {
	for session := range s.sdk.Sessions() {
		if session.ID() != "" {
			n++
		}
	}
	return n
}

// refuse says why a request is refused, if it is.
func (s *settings) refuse(r *http.Request) (status int, why string) {
	switch host := hostname(r.Host); {
	case !isLoopback(host) && !slices.Contains(s.hosts, strings.ToLower(host)):
		return http.StatusForbidden, "this is not the host that you look for"
	case !sameOrigin(r):
		return http.StatusForbidden, "pages of other origins have no access"
	case !s.authorized(r):
		return http.StatusUnauthorized, "a bearer token is needed"
	}
	return 0, ""
}

// readBody reads the body of a request, within limits of length and time.
func (s *settings) readBody(w http.ResponseWriter, r *http.Request) bool {
	deadlines := http.NewResponseController(w) // a writer without connection has none
	_ = deadlines.SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.maxMessage)))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		http.Error(w, fmt.Sprintf("the message is longer than %d bytes", tooLong.Limit), http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "the message did not come whole", http.StatusBadRequest)
	}
	_ = deadlines.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil
}

// sameOrigin reports whether a request comes from no page, or from one of the
// server's own origin.
func sameOrigin(r *http.Request) bool {
	return !slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool {
		u, err := url.Parse(origin)
		return err != nil || !strings.EqualFold(u.Host, r.Host)
	})
}

// authorized reports whether a request has the token, in a time that does not
// depend on how much of it is right.
func (s *settings) authorized(r *http.Request) bool {
	if s.token == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(*s.token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "bearer")
}

// hostname returns a host without its port.
func hostname(host string) string {
	return (&url.URL{Host: host}).Hostname()
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback() || strings.EqualFold(host, "localhost")
}
