package inspect

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	closeTimeout  = time.Second // for requests that are being answered when the server ends
	maxHeader     = 64 << 10    // bytes
)

// Listen serves the page until ctx is done, and then returns nil. An address without a host, such as ":8089",
// means 127.0.0.1. Port 0 means any free port; the log has the address. Listen returns an error if the
// address can be reached from other machines and the page requires no token.
func Listen(ctx context.Context, addr string, h *Handler) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); (!ok || !a.IP.IsLoopback()) && !h.guard.HasToken() {
		_ = l.Close()
		return fmt.Errorf("inspect: %s can be reached from other machines: set Config.Token", host)
	}
	h.config.Log.Info("serving the inspection page", "url", "http://"+l.Addr().String()+"/")
	return serve(ctx, l, h)
}

// serve serves the page until ctx is done. There is no limit for writing, which would end streams of events.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx }, // which ends streams of events
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("inspect: %w", err)
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer stop()
	if err := server.Shutdown(end); err != nil {
		_ = server.Close() // browsers open connections in advance, which Shutdown waits for as if they had requests
	}
	return nil
}
