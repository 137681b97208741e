package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headerTimeout = 10 * time.Second // for the head of a request
	idleTimeout   = 2 * time.Minute  // between requests on a connection
	endTimeout    = 10 * time.Second // for requests under way when the server ends
)

// Serve serves at the path /mcp until ctx is done, with a context for every request
// that base makes of one which is done then.
func (h *Handler) Serve(ctx context.Context, l net.Listener, base func(context.Context) context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		BaseContext:       func(net.Listener) context.Context { return base(ctx) },
	}
	closeUnused(server)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	for session := range h.server.Sessions() {
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
