// Package drain ends an MCP server without losing what it was asked: calls that run
// are answered, within a limit of time, and new ones are refused.
//
// Its layers, from top to bottom:
//
//	transport  the calls of one client
//	drain      those of a server
package drain

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// heed is how long calls may take to heed that they were cancelled, and to be
// answered.
const heed = 5 * time.Second

// Calls are those that a server answers until it ends. They are safe for concurrent
// use.
type Calls struct {
	limit   time.Duration
	log     *slog.Logger
	working context.Context // done when calls that still run are to end
	cancel  context.CancelFunc

	mu      sync.Mutex
	running int
	ending  chan struct{} // closed when no more begin
	idle    chan struct{} // closed when no more begin, and none runs
}

// New returns the calls of a server that ends. The limit is for those that run then;
// the log is told when it was too short.
func New(limit time.Duration, log *slog.Logger) *Calls {
	working, cancel := context.WithCancel(context.Background())
	return &Calls{limit: limit, log: log, working: working, cancel: cancel, ending: make(chan struct{}), idle: make(chan struct{})}
}

// Begin notes a call that runs until [Calls.End]. It is false when the server ends:
// then the call is to be refused.
func (c *Calls) Begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isEnding() {
		return false
	}
	c.running++
	return true
}

// End notes that a call was answered.
func (c *Calls) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	c.rest()
}

// Drain returns when all calls are answered, and no more begin. Those that still run
// when the limit is over are cancelled. The error is that some do not heed it.
func (c *Calls) Drain() error {
	c.mu.Lock()
	if !c.isEnding() {
		close(c.ending)
		c.rest()
	}
	c.mu.Unlock()
	defer c.cancel()
	if c.waits(c.limit) {
		return nil
	}
	c.log.Warn("mcp: the server ends, and calls that still run are cancelled", "after", c.limit)
	c.cancel()
	if c.waits(heed) {
		return nil
	}
	return errors.New("mcp: calls do not heed that they were cancelled")
}

// Bind returns a context that is done, too, when calls are to end.
func (c *Calls) Bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	unbind := context.AfterFunc(c.working, cancel)
	return ctx, func() {
		unbind()
		cancel()
	}
}

func (c *Calls) isEnding() bool {
	select {
	case <-c.ending:
		return true
	default:
		return false
	}
}

// rest notes when no more begin, and none runs.
func (c *Calls) rest() {
	if c.running == 0 && c.isEnding() {
		close(c.idle)
	}
}

// waits reports whether no more call runs, at the latest after a time.
func (c *Calls) waits(d time.Duration) bool {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-c.idle:
		return true
	case <-over.C:
		return false
	}
}

type callsKey struct{}

// With returns a context that carries calls to what they are asked by.
func With(ctx context.Context, c *Calls) context.Context {
	return context.WithValue(ctx, callsKey{}, c)
}

// From returns the calls that a context carries, or nil.
func From(ctx context.Context) *Calls {
	c, _ := ctx.Value(callsKey{}).(*Calls)
	return c
}
