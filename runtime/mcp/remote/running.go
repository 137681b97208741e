package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

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
	ctx      context.Context // which end ends
	end      context.CancelCauseFunc
	exchange *tool.Exchange
	tool     string // as the server calls it
	token    string // by which the server reports progress

	questions atomic.Int32 // so far
	asking    sync.Mutex   // held while something is asked: answers go by their order

	notes chan progressNote
	told  chan struct{} // closed when all notes have been passed on
	mu    sync.Mutex    // guards what follows
	limit *rate.Limiter
	done  float64
	ended bool // the progress reached its total, or the call ended
}

// progressNote is a progress notification.
type progressNote struct {
	done, total float64
	text        string
}

// Limits of the progress of a call. Of a server's own notifications, so many are passed on at
// once, and then one in each interval.
const (
	progressBurst    = 20
	progressInterval = 100 * time.Millisecond
	longestNote      = 1000        // bytes
	longestTelling   = time.Second // after the call, for notes that are still to be passed on
)

func newRunning() *running { return &running{calls: map[string]*call{}} }

// begin begins a call of a tool. The function that it returns ends it.
func (r *running) begin(ctx context.Context, name string) (c *call, end func()) {
	c = &call{
		exchange: tool.ExchangeFrom(ctx), tool: name, done: math.Inf(-1), limit: rate.NewLimiter(rate.Every(progressInterval), progressBurst),
		notes: make(chan progressNote, 2*progressBurst), told: make(chan struct{}),
	}
	c.ctx, c.end = context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	c.token = fmt.Sprintf("call-%d", r.last)
	r.calls[c.token] = c
	go c.passNotes()
	return c, func() {
		r.mu.Lock()
		delete(r.calls, c.token)
		r.mu.Unlock()
		c.endNotes()
		c.end(nil)
	}
}

// passNotes passes on progress. It runs on its own goroutine, so that whoever drives the call
// cannot hold up the connection.
func (c *call) passNotes() {
	defer close(c.told)
	for n := range c.notes {
		c.exchange.Progress(n.done, n.total, n.text)
	}
}

// endNotes waits a moment for what is still to be passed on.
func (c *call) endNotes() {
	c.mu.Lock()
	c.ended = true
	close(c.notes)
	c.mu.Unlock()
	select {
	case <-c.told:
	case <-c.ctx.Done():
	case <-time.After(longestTelling):
	}
}

// addNote takes a progress notification. It drops what comes too often, and what is not an
// advance, which the protocol does not allow. Reaching the total is passed on in any case.
func (c *call) addNote(n progressNote) {
	c.mu.Lock()
	defer c.mu.Unlock()
	completes := n.total != 0 && n.done >= n.total
	if c.ended || !(n.done > c.done) || !c.limit.Allow() && !completes {
		return
	}
	c.done = n.done
	select {
	case c.notes <- n:
		c.ended = completes
	default: // whoever drives the call is slower than that
	}
}

// only returns the call that runs, if it is the only one.
func (r *running) only() (*call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) != 1 {
		return nil, fmt.Errorf("nobody can be asked: %s run, and the question does not say for which one it is", words.Count(len(r.calls), "call"))
	}
	for _, c := range r.calls {
		return c, nil
	}
	panic("unreachable")
}

// progress takes the parameters of a progress notification, and reports whether it is about
// one of these calls.
func (r *running) progress(params json.RawMessage) bool {
	var p struct {
		ProgressToken   any
		Progress, Total float64
		Message         string
	}
	_ = json.Unmarshal(params, &p) // what cannot be read is zero
	token, _ := p.ProgressToken.(string)
	r.mu.Lock()
	c := r.calls[token]
	r.mu.Unlock()
	if c != nil {
		c.addNote(progressNote{p.Progress, p.Total, words.Cut(clean(p.Message), longestNote)})
	}
	return c != nil
}

// errClosedByProgram is why there is no connection after Close, and errClosed is why a call
// ended that ran then.
var (
	errClosedByProgram = errors.New("the program closed the connection")
	errClosed          = &tool.UnknownOutcomeError{Err: errClosedByProgram}
)

// close ends all calls.
func (r *running) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		c.end(errClosed)
	}
}
