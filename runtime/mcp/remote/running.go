package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// running are the calls that run, by their tokens.
type running struct {
	mu    sync.Mutex
	last  int
	calls map[string]*call
}

// call is one that runs.
type call struct {
	ctx   context.Context // which end ends
	end   context.CancelCauseFunc
	said  *tool.Exchange
	token string // by which the server says how far it is

	asked  atomic.Int32 // questions so far
	asking sync.Mutex   // held while something is asked: answers go by their order
}

func newRunning() *running { return &running{calls: map[string]*call{}} }

// begin begins a call. What it returns ends it.
func (r *running) begin(ctx context.Context) (c *call, end func()) {
	c = &call{said: tool.ExchangeFrom(ctx)}
	c.ctx, c.end = context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	c.token = fmt.Sprintf("call-%d", r.last)
	r.calls[c.token] = c
	return c, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.calls, c.token)
		c.end(nil)
	}
}

// only returns the call that runs, if it is the only one.
func (r *running) only() (*call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) != 1 {
		return nil, fmt.Errorf("nobody can be asked: %s run, and not one", words.Count(len(r.calls), "call"))
	}
	for _, c := range r.calls {
		return c, nil
	}
	panic("unreachable")
}

// longestNote bounds what is told of how far a call is, in bytes.
const longestNote = 1000

// progress tells how far a call is, and reports whether it is one of these.
func (r *running) progress(p *sdk.ProgressNotificationParams) bool {
	token, _ := p.ProgressToken.(string)
	r.mu.Lock()
	c := r.calls[token]
	r.mu.Unlock()
	if c == nil {
		return false
	}
	c.said.Progress(p.Progress, p.Total, words.Cut(clean(p.Message), longestNote))
	return true
}

// errClosed is why a call ended whose connection was closed.
var errClosed = errors.New("the connection to the server was closed")

// close ends all calls.
func (r *running) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		c.end(errClosed)
	}
}
