package callbook

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	maxMessages = 200  // of one call
	maxMessage  = 2000 // bytes
)

// Entry is a call of a [Book]. It is safe for concurrent use.
type Entry struct {
	ID      int
	Request tool.Request
	Started time.Time

	cancel  context.CancelFunc
	done    chan struct{}
	resumed *Entry // the call that was made after an approval or answers; the lock of the book protects it

	lock     sync.Mutex
	call     *tool.Call // nil while it runs
	bytes    int        // of the call
	messages []Message
	dropped  int // further messages
}

// Message is what a function reported while it ran.
type Message struct {
	After time.Duration // since the start of the call
	Text  string
}

// peer returns the peer of the call. It stores progress and log messages for the page. Questions fail with
// [tool.ErrAnswersPending], because the answers of a person are part of another call.
func (e *Entry) peer() tool.Peer {
	return tool.Peer{
		Caller: tool.Caller{Client: "inspection page"},
		Progress: func(done, total float64, text string) {
			progress := strconv.FormatFloat(done, 'g', 4, 64)
			if total > 0 {
				progress += " of " + strconv.FormatFloat(total, 'g', 4, 64)
			}
			e.addMessage(strings.TrimSpace(progress + " " + text))
		},
		Log: func(_ int, text string) { e.addMessage(text) },
		Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, tool.ErrAnswersPending },
	}
}

func (e *Entry) addMessage(text string) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if len(e.messages) >= maxMessages {
		e.dropped++
		return
	}
	e.messages = append(e.messages, Message{time.Since(e.Started), words.Cut(text, maxMessage)})
}

func (e *Entry) setOutcome(call *tool.Call) {
	bytes := len(call.Arguments) + len(call.Request.Arguments) + len(call.Output)
	for _, part := range call.Content {
		bytes += part.Size()
	}
	for _, value := range call.Meta {
		bytes += len(value)
	}
	e.lock.Lock()
	defer e.lock.Unlock()
	e.call, e.bytes = call, bytes
}

func (e *Entry) size() int {
	e.lock.Lock()
	defer e.lock.Unlock()
	return e.bytes
}

// Outcome returns the call when it has ended, and nil while it runs.
func (e *Entry) Outcome() *tool.Call {
	e.lock.Lock()
	defer e.lock.Unlock()
	return e.call
}

// Messages returns what the function has reported, and how many further messages were dropped.
func (e *Entry) Messages() (messages []Message, dropped int) {
	e.lock.Lock()
	defer e.lock.Unlock()
	return e.messages[:len(e.messages):len(e.messages)], e.dropped
}

// Done returns a channel that is closed when the call has ended.
func (e *Entry) Done() <-chan struct{} { return e.done }

// Cancel cancels the context of the call. The call ends when its function returns.
func (e *Entry) Cancel() { e.cancel() }
