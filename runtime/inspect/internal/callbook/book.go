// Package callbook makes the calls that people start on the inspection page, and remembers them. Calls run in
// the background, so that a page can show one that takes long. Create a [Book] with [New].
package callbook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	maxRunning = 8        // calls at a time
	maxEntries = 100      // remembered calls
	maxBytes   = 64 << 20 // of the remembered calls together, without those that run
)

// Book starts calls and remembers the last 100. It is safe for concurrent use.
type Book struct {
	call    func(context.Context, tool.Request) *tool.Call
	timeout time.Duration
	scope   *tool.Scope // whose variables are passed from one call to the next
	saved   savedCalls

	lock    sync.Mutex
	last    int      // ID of the last call
	running int      // number of running calls
	entries []*Entry // the newest at the end
}

// New returns a book that makes calls with a function, such as the method Call of a registry. Each call is canceled
// after the timeout. The JSON file at path contains the saved calls. It may not exist yet; if path is empty, they are
// kept in memory only. New returns an error if it cannot read the file.
func New(call func(context.Context, tool.Request) *tool.Call, timeout time.Duration, path string) (*Book, error) {
	b := &Book{call: call, timeout: timeout, scope: tool.NewScope(), saved: savedCalls{path: path}}
	if err := b.saved.readFile(); err != nil {
		return nil, err
	}
	return b, nil
}

// Start starts a call in the background. It returns an error if too many are running.
func (b *Book) Start(r tool.Request) (*Entry, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.start(r)
}

// Resume starts a call again with a person's approval or answers, which the request contains. If it was resumed before,
// as by a second click or another person, Resume returns the call that was started then. It returns an error if too many calls are running.
func (b *Book) Resume(e *Entry, r tool.Request) (*Entry, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if e.resumed != nil {
		return e.resumed, nil
	}
	resumed, err := b.start(r)
	e.resumed = resumed
	return resumed, err
}

// start starts a call. The caller holds the lock.
func (b *Book) start(r tool.Request) (*Entry, error) {
	if b.running >= maxRunning {
		return nil, fmt.Errorf("%d calls are running, which is the maximum; wait for one or cancel it", b.running)
	}
	b.running++
	b.last++
	r.ID = "inspect-" + strconv.Itoa(b.last)
	e := &Entry{ID: b.last, Request: r, Started: time.Now(), done: make(chan struct{})}
	ctx, cancel := context.WithTimeout(tool.WithScope(context.Background(), b.scope), b.timeout)
	e.cancel = cancel
	b.entries = append(b.entries, e)
	b.trim()
	go b.runCall(tool.WithPeer(ctx, e.peer()), e)
	return e, nil
}

// runCall makes a call, and records its outcome even if it ends the goroutine.
func (b *Book) runCall(ctx context.Context, e *Entry) {
	call := &tool.Call{ID: e.Request.ID, Request: e.Request, Arguments: e.Request.Arguments, Status: tool.StatusFailed, Started: e.Started}
	defer func() {
		if p := recover(); p != nil { // a registry recovers panics of functions, but not those of its middleware
			call.Err = fmt.Errorf("the call panicked: %v", p)
		}
		if call.Status == tool.StatusFailed && call.Err == nil {
			call.Err = errors.New("the function ended its goroutine")
		}
		e.cancel()
		b.finishEntry(e, call)
	}()
	call = b.call(ctx, e.Request)
}

// finishEntry records the outcome of a call. It closes the channel of Done last, so that a goroutine that waits for the
// call finds the book up to date.
func (b *Book) finishEntry(e *Entry, call *tool.Call) {
	defer close(e.done)
	e.setOutcome(call)
	b.lock.Lock()
	defer b.lock.Unlock()
	b.running--
	b.trim()
}

// trim forgets the oldest calls that have ended, until the remaining calls are within the limits.
func (b *Book) trim() {
	bytes := 0
	for _, e := range b.entries {
		bytes += e.size()
	}
	for i := 0; i < len(b.entries)-1 && (len(b.entries) > maxEntries || bytes > maxBytes); {
		if e := b.entries[i]; e.Outcome() == nil {
			i++
		} else {
			bytes -= e.size()
			b.entries = slices.Delete(b.entries, i, i+1)
		}
	}
}

// Find returns a call, or nil if it does not exist or was forgotten.
func (b *Book) Find(id int) *Entry {
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, e := range b.entries {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// Recent returns at most limit calls of a tool, the newest first.
func (b *Book) Recent(toolName string, limit int) (recent []*Entry) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, e := range slices.Backward(b.entries) {
		if e.Request.Name == toolName && len(recent) < limit {
			recent = append(recent, e)
		}
	}
	return recent
}

// Variables returns the names of the variables that calls have stored, sorted.
func (b *Book) Variables() []string { return b.scope.Names() }
