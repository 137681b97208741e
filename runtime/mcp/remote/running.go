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
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/tool"
)

// runningCalls holds the running calls, by progress token.
type runningCalls struct {
	mu    sync.Mutex
	last  int
	calls map[string]*call
}

// call is a running call.
type call struct {
	ctx      context.Context // canceled by end
	end      context.CancelCauseFunc
	exchange *tool.Exchange
	tool     string // its name on the server
	token    string // the progress token

	questions atomic.Int32 // number of questions so far
	asking    sync.Mutex   // held while asking, because the exchange matches answers to questions by their order

	notes       chan progressNote
	notesPassed chan struct{} // closed when all notes have been passed on
	mu          sync.Mutex    // guards the following fields
	limit       *rate.Limiter
	done        float64
	ended       bool // the progress reached its total, or the call ended
}

// progressNote is a progress notification.
type progressNote struct {
	done, total float64
	text        string
}

// Limits of the progress notifications of a call. A burst of notifications is passed on, and then one
// per interval.
const (
	progressBurst    = 20
	progressInterval = 100 * time.Millisecond
	maxNoteBytes     = 1000        // limit of the text, in bytes
	noteTimeout      = time.Second // limit for passing on the remaining notes after the call
)

func newRunningCalls() *runningCalls { return &runningCalls{calls: map[string]*call{}} }

// beginCall records a call of a tool, until the returned function is called.
func (r *runningCalls) beginCall(ctx context.Context, name string) (c *call, end func()) {
	c = &call{
		exchange: tool.ExchangeFrom(ctx), tool: name, done: math.Inf(-1), limit: rate.NewLimiter(rate.Every(progressInterval), progressBurst),
		notes: make(chan progressNote, 2*progressBurst), notesPassed: make(chan struct{}),
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

// passNotes passes on progress to the driver of the call. It runs in its own goroutine, so that
// a slow driver does not block the connection.
func (c *call) passNotes() {
	defer close(c.notesPassed)
	for n := range c.notes {
		c.exchange.Progress(n.done, n.total, n.text)
	}
}

// endNotes waits until the remaining notes have been passed on, at most for noteTimeout.
func (c *call) endNotes() {
	c.mu.Lock()
	c.ended = true
	close(c.notes)
	c.mu.Unlock()
	select {
	case <-c.notesPassed:
	case <-c.ctx.Done():
	case <-time.After(noteTimeout):
	}
}

// addNote queues a progress notification. It drops notifications whose value does not increase, as the
// protocol requires, and notifications that exceed the rate limit. The notification that reaches the
// total is exempt from the rate limit.
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
	default: // the driver of the call is too slow
	}
}

// onlyCall returns the running call. It returns an error unless exactly one call is running.
func (r *runningCalls) onlyCall() (*call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) != 1 {
		return nil, fmt.Errorf("cannot ask a question: %s running, need exactly 1, because the question does not say which call it belongs to", words.Count(len(r.calls), "call"))
	}
	for _, c := range r.calls {
		return c, nil
	}
	panic("unreachable")
}

// takeProgress handles the parameters of a progress notification. It reports whether their progress
// token is that of a running call.
func (r *runningCalls) takeProgress(params json.RawMessage) bool {
	var p struct {
		ProgressToken   any
		Progress, Total float64
		Message         string
	}
	_ = json.Unmarshal(params, &p) // invalid members stay zero
	token, _ := p.ProgressToken.(string)
	r.mu.Lock()
	c := r.calls[token]
	r.mu.Unlock()
	if c != nil {
		c.addNote(progressNote{p.Progress, p.Total, words.Cut(sanitize.Text(p.Message), maxNoteBytes)})
	}
	return c != nil
}

// After Close, errClosedByProgram is the reason why there is no connection. Calls that were running
// fail with errClosed.
var (
	errClosedByProgram = errors.New("the program closed the connection")
	errClosed          = &tool.UnknownOutcomeError{Err: errClosedByProgram}
)

// endCalls ends all calls.
func (r *runningCalls) endCalls() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		c.end(errClosed)
	}
}
