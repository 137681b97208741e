package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
)

const (
	headerTimeout = 10 * time.Second // for the head of a request
	idleTimeout   = 2 * time.Minute  // between requests on a connection
	endTimeout    = 5 * time.Second  // for answers to be written when the server ends
)

// Serve serves at the path /mcp, and where metadata are looked for, until ctx is done
// and the calls that run then are answered. Meanwhile it refuses others.
func (h *Handler) Serve(ctx context.Context, l net.Listener, calls *drain.Calls) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	if h.settings.Resource != nil {
		mux.Handle(wellKnown, h)
		mux.Handle(wellKnown+"/", h)
	}
	base := drain.With(context.WithoutCancel(ctx), calls) // a request that is done is not answered
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	closeUnused(server)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	err := calls.Drain()
	h.sessions.endAll() // and with them, the streams by which clients listen
	end, stop := context.WithTimeout(base, endTimeout)
	defer stop()
	if server.Shutdown(end) != nil {
		err = errors.Join(err, server.Close())
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
