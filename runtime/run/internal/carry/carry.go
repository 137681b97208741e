// Package carry carries out calls of tools: side by side, again if their errors say
// that it helps, and to the end for a while if the context is done.
package carry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/internal/peer"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Caller calls tools. A [tool.Registry] is one.
type Caller interface {
	Call(ctx context.Context, request tool.Request) *tool.Call
}

// Batch is a [Caller] that has calls side by side in a way of its own, as a workflow has
// activities. Their functions have nobody at the other end but whom it gives them.
type Batch interface {
	CallAll(ctx context.Context, requests []tool.Request) []*tool.Call
}

// Carrier says how calls are carried out.
type Carrier struct {
	Tools    Caller
	Events   func(context.Context, record.Event)        // of what functions tell; nil is nobody
	Clock    func() time.Time                           // whose time they have
	Sleep    func(ctx context.Context, d time.Duration) // nil is the clock of the machine
	Grace    time.Duration                              // how long calls go on when the context is done; 0 is 10 s
	Parallel int                                        // how many there are side by side; 0 is 8
}

// Call is one to be carried out.
type Call struct {
	Request tool.Request
	Event   record.Event // with which it begins: what its function tells is another one of that step
}

// All carries out calls side by side. Those that may be made again are. The record of
// one of which nobody knows what came of it is nil: the context ended it, or the caller
// says so by a [tool.UnknownOutcomeError].
func (c Carrier) All(ctx context.Context, all []Call, again bool) []*tool.Call {
	graced, stop := c.graceful(ctx)
	defer stop()
	if batch, ok := c.Tools.(Batch); ok && len(all) > 1 {
		return c.together(ctx, graced, batch, all, again)
	}
	calls := make([]*tool.Call, len(all))
	if len(all) == 1 {
		calls[0] = c.try(ctx, graced, &all[0], again)
		return calls
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, max(cmp.Or(c.Parallel, 8), 1))
	for i := range all {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			calls[i] = c.try(ctx, graced, &all[i], again)
		})
	}
	wg.Wait()
	return calls
}

// peer is who is at the other end of a call, and is told of it as it goes on.
func (c Carrier) peer(ctx context.Context, call *Call) tool.Peer {
	p := peer.Of(call.Request)
	if c.Events == nil {
		return p
	}
	p.Progress = func(done, total float64, text string) {
		c.tell(ctx, call, record.Progress{Call: call.Request.ID, Tool: call.Request.Name, Done: done, Total: total, Text: text})
	}
	p.Log = func(level int, text string) {
		c.tell(ctx, call, record.Logged{Call: call.Request.ID, Tool: call.Request.Name, Level: level, Text: text})
	}
	return p
}

// tell tells of something that the function of a call says.
func (c Carrier) tell(ctx context.Context, call *Call, what any) {
	e := call.Event
	e.Time, e.What = note.Later(c.Clock(), e.Time), what
	c.Events(ctx, e)
}

// graceful returns a context that is done some time after another one.
func (c Carrier) graceful(ctx context.Context) (context.Context, func()) {
	graced, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(cmp.Or(c.Grace, 10*time.Second), cancel)
		context.AfterFunc(graced, func() { timer.Stop() })
	})
	return graced, func() { stop(); cancel() }
}

const (
	attempts     = 3
	firstBackoff = 500 * time.Millisecond
)

func (c Carrier) try(ctx, graced context.Context, call *Call, again bool) *tool.Call {
	r := call.Request
	graced = tool.WithPeer(call.Event.Context(graced), c.peer(ctx, call))
	for attempt, wait := 1, firstBackoff; ; attempt, wait = attempt+1, 2*wait {
		made := c.Tools.Call(graced, r)
		if !passes(made, again && attempt < attempts) {
			return outcome(graced, made, r)
		}
		if c.pause(ctx, wait); ctx.Err() != nil {
			return nil
		}
	}
}

// together tries calls at once.
func (c Carrier) together(ctx, graced context.Context, batch Batch, all []Call, again bool) []*tool.Call {
	calls := make([]*tool.Call, len(all))
	left := make([]int, len(all)) // those without an outcome
	for i := range all {
		left[i] = i
	}
	for attempt, wait := 1, firstBackoff; len(left) > 0; attempt, wait = attempt+1, 2*wait {
		requests := make([]tool.Request, len(left))
		for k, i := range left {
			requests[k] = all[i].Request
		}
		var rest []int
		came := batch.CallAll(graced, requests)
		came = append(came, make([]*tool.Call, max(0, len(requests)-len(came)))...) // those that it forgot
		for k, made := range came[:len(requests)] {
			if i := left[k]; passes(made, again && attempt < attempts) {
				rest = append(rest, i)
			} else {
				calls[i] = outcome(graced, made, requests[k])
			}
		}
		if left = rest; len(left) > 0 {
			if c.pause(ctx, wait); ctx.Err() != nil {
				break
			}
		}
	}
	return calls
}

// passes tells whether a call that failed is worth another, if it may be made again.
func passes(made *tool.Call, again bool) bool {
	return again && made != nil && made.Err != nil && !unknown(made) && tool.Retryable(made.Err)
}

// outcome returns what came of a call, nil if nobody knows.
func outcome(graced context.Context, made *tool.Call, r tool.Request) *tool.Call {
	if made != nil && made.Status == tool.StatusCancelled && graced.Err() != nil || unknown(made) {
		return nil
	}
	return Settle(made, r)
}

func unknown(made *tool.Call) bool {
	if made == nil {
		return false
	}
	_, unknown := errors.AsType[*tool.UnknownOutcomeError](made.Err)
	return unknown
}

func (c Carrier) pause(ctx context.Context, d time.Duration) {
	if c.Sleep != nil {
		c.Sleep(ctx, d)
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Settle returns the record of a call that came of a request. Whoever called may have
// returned anything: what is no final call, or cannot be kept, is one that failed.
func Settle(call *tool.Call, r tool.Request) *tool.Call {
	c := &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed}
	if call == nil || call.Err == nil && call.Status != tool.StatusCompleted {
		c.Err = &record.Error{Kind: "no_call", Text: "the caller returned no final call"}
		return c
	}
	c.Started, c.Duration, c.Repairs, c.Note, c.Err = call.Started, call.Duration, call.Repairs, call.Note, call.Err
	if call.Arguments != nil {
		c.Arguments = call.Arguments
	}
	if c.Err == nil {
		output, err := kept(call)
		if err == nil {
			c.Output, c.Content, c.Meta = output, call.Content, call.Meta
		} else {
			c.Err = &tool.OutputError{Tool: r.Name, Err: err}
		}
	}
	if c.Err == nil || call.Status == tool.StatusCancelled {
		c.Status = call.Status
	}
	return c
}

// kept returns the output of a call as a journal keeps it.
func kept(call *tool.Call) (json.RawMessage, error) {
	output, size := call.Output, len(call.Output)
	if call.Content != nil || call.Meta != nil {
		beside, err := jsontext.Encode([]any{call.Content, call.Meta})
		if err != nil {
			return nil, err
		}
		size += len(beside)
	}
	switch {
	case size > note.LongestOutput:
		return nil, fmt.Errorf("it has %d bytes, at most %d can be kept", size, note.LongestOutput)
	case len(output) == 0 || !utf8.Valid(output) || !json.Valid(output):
		return nil, errors.New("it is no JSON")
	case !slices.Contains(output, '\n'):
		return output, nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, output)
	return b.Bytes(), err
}
