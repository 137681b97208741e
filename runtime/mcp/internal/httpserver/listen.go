package httpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

const (
	headerTimeout = 10 * time.Second // limit for reading the headers of a request
	idleTimeout   = 2 * time.Minute  // limit between two requests on a connection
	endTimeout    = 5 * time.Second  // limit for writing answers during shutdown

	// lingerTimeout is how long connections stay open after the last answer. A client that has
	// just sent another request then receives a rejection. If the connection were closed at
	// once, the client would not know whether the call has run.
	lingerTimeout = 500 * time.Millisecond
)

// Serve serves the path /mcp and the paths of the token metadata until ctx is done. It then rejects
// new calls, and returns after the running calls have been answered.
func (h *Handler) Serve(ctx context.Context, l net.Listener, calls *rpc.Calls) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	if h.settings.Resource != nil {
		mux.Handle(wellKnown, h)
		mux.Handle(wellKnown+"/", h)
	}
	base := rpc.WithCalls(context.WithoutCancel(ctx), calls) // requests must outlive ctx to be answered
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // here and not in h, so that responses of mux to unknown paths have write deadlines, too
			writer := newAnswerWriter(w, r, h.writeTimeout)
			defer writer.finishAnswer()
			mux.ServeHTTP(writer, r)
		}),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	var open connections
	open.trackStates(server)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	err := calls.Drain()
	h.sessions.endSessions() // this also ends the notification streams of clients
	open.waitClosed()
	end, stop := context.WithTimeout(base, endTimeout)
	defer stop()
	if server.Shutdown(end) != nil {
		err = errors.Join(err, server.Close())
	}
	return err
}

// connections tracks the states of the open connections of a server.
type connections struct{ states sync.Map }

// trackStates records the connections of a server. When the server shuts down, it closes the
// connections that have never sent a request; Shutdown would wait five seconds for them.
func (c *connections) trackStates(server *http.Server) {
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			c.states.Delete(conn)
		} else {
			c.states.Store(conn, state)
		}
	}
	server.RegisterOnShutdown(func() {
		c.states.Range(func(conn, state any) bool {
			if state == http.StateNew {
				_ = conn.(net.Conn).Close() // the client may have closed it already
			}
			return true
		})
	})
}

// waitClosed waits until there are no connections, or for lingerTimeout.
func (c *connections) waitClosed() {
	for end := time.Now().Add(lingerTimeout); time.Now().Before(end); time.Sleep(lingerTimeout / 50) {
		open := false
		c.states.Range(func(any, any) bool {
			open = true
			return false
		})
		if !open {
			return
		}
	}
}
