// Package rpc handles JSON-RPC messages around the SDK. It checks messages before the SDK reads
// them ([CheckMessage]), preserves the IDs of requests ([IDMask]), recovers from panics
// ([Recover]), and waits for running calls when a server shuts down ([Calls]).
package rpc

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// cancelTimeout limits how long canceled calls may take to return and to be answered.
const cancelTimeout = 5 * time.Second

// Calls counts the running calls of a server, so that it can shut down without losing any. It
// is safe for concurrent use.
type Calls struct {
	timeout      time.Duration
	log          *slog.Logger
	callsContext context.Context // canceled to cancel all running calls
	cancel       context.CancelFunc

	mu      sync.Mutex
	running int
	ending  chan struct{} // closed when no more calls may begin
	idle    chan struct{} // closed when ending is closed and no call is running
}

// NewCalls returns Calls without running calls. The timeout limits how long [Calls.Drain] waits for
// running calls before it cancels them.
func NewCalls(timeout time.Duration, log *slog.Logger) *Calls {
	callsCtx, cancel := context.WithCancel(context.Background())
	return &Calls{timeout: timeout, log: log, callsContext: callsCtx, cancel: cancel, ending: make(chan struct{}), idle: make(chan struct{})}
}

// Begin counts a call that runs until [Calls.End]. It returns false if the server is shutting
// down and the call must be rejected.
func (c *Calls) Begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.IsEnding() {
		return false
	}
	c.running++
	return true
}

// End records that a call has been answered.
func (c *Calls) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	c.closeIfIdle()
}

// Drain makes Begin reject new calls, and waits until all running calls have been answered. It
// cancels calls that are still running after the timeout, and returns an error if some of them then
// do not return.
func (c *Calls) Drain() error {
	c.mu.Lock()
	if !c.IsEnding() {
		close(c.ending)
		c.closeIfIdle()
	}
	c.mu.Unlock()
	defer c.cancel()
	if c.waitIdle(c.timeout) {
		return nil
	}
	c.log.Warn("mcp: the server is shutting down and cancels the calls that are still running", "after", c.timeout)
	c.cancel()
	if c.waitIdle(cancelTimeout) {
		return nil
	}
	return errors.New("mcp: canceled calls did not return")
}

// BindContext returns a copy of ctx that is also canceled when Drain cancels the running calls.
func (c *Calls) BindContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	unbind := context.AfterFunc(c.callsContext, cancel)
	return ctx, func() {
		unbind()
		cancel()
	}
}

// IsEnding reports whether [Calls.Drain] was called.
func (c *Calls) IsEnding() bool {
	select {
	case <-c.ending:
		return true
	default:
		return false
	}
}

// closeIfIdle closes idle if no call is running and no more may begin.
func (c *Calls) closeIfIdle() {
	if c.running == 0 && c.IsEnding() {
		close(c.idle)
	}
}

// waitIdle waits at most for d until no call is running, and reports whether no call is running.
func (c *Calls) waitIdle(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.idle:
		return true
	case <-timer.C:
		return false
	}
}

type callsKey struct{}

// WithCalls returns a context for [CallsFrom].
func WithCalls(ctx context.Context, c *Calls) context.Context {
	return context.WithValue(ctx, callsKey{}, c)
}

// CallsFrom returns the Calls in a context, or nil.
func CallsFrom(ctx context.Context) *Calls {
	c, _ := ctx.Value(callsKey{}).(*Calls)
	return c
}
