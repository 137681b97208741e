package run

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
	"github.com/aiongen/aiongen/runtime/tool"
)

// toolCaller calls tools. A [tool.Registry] implements it.
type toolCaller interface {
	Call(ctx context.Context, request tool.Request) *tool.Call
}

// batchCaller is a [toolCaller] with its own way of running concurrent calls, such as activities
// of a workflow. It provides the peers of their functions itself.
type batchCaller interface {
	CallAll(ctx context.Context, requests []tool.Request) []*tool.Call
}

// callRunner calls tools with retries, concurrency and a grace period.
type callRunner struct {
	Tools    toolCaller
	Events   func(context.Context, Event)               // receives the events of running functions; may be nil
	Clock    func() time.Time                           // for the times of events
	Sleep    func(ctx context.Context, d time.Duration) // nil waits in real time
	Grace    time.Duration                              // how long calls may continue after the context is done; 0 is 10 s
	Parallel int                                        // maximum number of concurrent calls; 0 is 8
}

// runningCall is a call to be made.
type runningCall struct {
	Request tool.Request
	Event   Event // the event of its start, from which events of its function are derived
}

// runAll makes calls concurrently. It retries them if again is true. A result is nil if the
// outcome of its call is unknown: the context ended it, or the caller returned a
// [tool.UnknownOutcomeError].
func (c callRunner) runAll(ctx context.Context, all []runningCall, again bool) []*tool.Call {
	graced, stop := c.withGrace(ctx)
	defer stop()
	if batch, ok := c.Tools.(batchCaller); ok && len(all) > 1 {
		return c.runBatch(ctx, graced, batch, all, again)
	}
	calls := make([]*tool.Call, len(all))
	if len(all) == 1 {
		calls[0] = c.runCall(ctx, graced, &all[0], again)
		return calls
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, max(cmp.Or(c.Parallel, 8), 1))
	for i := range all {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			calls[i] = c.runCall(ctx, graced, &all[i], again)
		})
	}
	wg.Wait()
	return calls
}

// newPeer returns the peer of a call, which emits events for its progress and logs.
func (c callRunner) newPeer(ctx context.Context, call *runningCall) tool.Peer {
	p := PeerFromMeta(call.Request)
	if c.Events == nil {
		return p
	}
	p.Progress = func(done, total float64, text string) {
		c.emitEvent(ctx, call, Progress{Call: call.Request.ID, Tool: call.Request.Name, Done: done, Total: total, Text: text})
	}
	p.Log = func(level int, text string) {
		c.emitEvent(ctx, call, CallLogged{Call: call.Request.ID, Tool: call.Request.Name, Level: level, Text: text})
	}
	return p
}

type callKey struct{}

// CallContext returns the context for the function of a call of a run, with its peer. Use it to
// make calls of a run outside of the process that executes the run.
func CallContext(ctx context.Context, r tool.Request, p tool.Peer) context.Context {
	return context.WithValue(tool.WithPeer(ctx, p), callKey{}, r.ID)
}

// emitEvent emits an event of a call's function.
func (c callRunner) emitEvent(ctx context.Context, call *runningCall, what any) {
	e := call.Event
	e.Time, e.What = laterTime(c.Clock(), e.Time), what
	c.Events(ctx, e)
}

// withGrace returns a context that is canceled some time after ctx.
func (c callRunner) withGrace(ctx context.Context) (context.Context, func()) {
	graced, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(cmp.Or(c.Grace, 10*time.Second), cancel)
		context.AfterFunc(graced, func() { timer.Stop() })
	})
	return graced, func() { stop(); cancel() }
}

const (
	maxAttempts  = 3
	firstBackoff = 500 * time.Millisecond
)

func (c callRunner) runCall(ctx, graced context.Context, call *runningCall, again bool) *tool.Call {
	r := call.Request
	graced = CallContext(call.Event.Context(graced), r, c.newPeer(ctx, call))
	for attempt, wait := 1, firstBackoff; ; attempt, wait = attempt+1, 2*wait {
		made := c.Tools.Call(graced, r)
		if !shouldRetry(made, again && attempt < maxAttempts) {
			return callOutcome(graced, made, r)
		}
		if c.sleepFor(ctx, wait); ctx.Err() != nil {
			return nil
		}
	}
}

// runBatch makes calls with a batchCaller.
func (c callRunner) runBatch(ctx, graced context.Context, batch batchCaller, all []runningCall, again bool) []*tool.Call {
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
		came = append(came, make([]*tool.Call, max(0, len(requests)-len(came)))...) // the batch may return too few calls
		for k, made := range came[:len(requests)] {
			if i := left[k]; shouldRetry(made, again && attempt < maxAttempts) {
				rest = append(rest, i)
			} else {
				calls[i] = callOutcome(graced, made, requests[k])
			}
		}
		if left = rest; len(left) > 0 {
			if c.sleepFor(ctx, wait); ctx.Err() != nil {
				break
			}
		}
	}
	return calls
}

// shouldRetry reports whether a failed call should be retried.
func shouldRetry(made *tool.Call, again bool) bool {
	return again && made != nil && made.Err != nil && !isUnknownOutcome(made) && tool.Retryable(made.Err)
}

// callOutcome returns the outcome of a call, or nil if it is unknown.
func callOutcome(graced context.Context, made *tool.Call, r tool.Request) *tool.Call {
	if made != nil && made.Status == tool.StatusCancelled && graced.Err() != nil || isUnknownOutcome(made) {
		return nil
	}
	return settleCall(made, r)
}

func isUnknownOutcome(made *tool.Call) bool {
	if made == nil {
		return false
	}
	_, unknown := errors.AsType[*tool.UnknownOutcomeError](made.Err)
	return unknown
}

func (c callRunner) sleepFor(ctx context.Context, d time.Duration) {
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

// settleCall returns the final record of a call for a request. The caller may have returned
// anything: a call that is not final or cannot be stored becomes a failed call.
func settleCall(call *tool.Call, r tool.Request) *tool.Call {
	c := &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed}
	if call == nil || call.Err == nil && call.Status != tool.StatusCompleted {
		c.Err = &Error{Kind: "no_call", Text: "the caller returned no final call"}
		return c
	}
	c.Started, c.Duration, c.Repairs, c.Note, c.Err = call.Started, call.Duration, call.Repairs, call.Note, call.Err
	if call.Arguments != nil {
		c.Arguments = call.Arguments
	}
	if c.Err == nil {
		output, err := encodeOutput(call)
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

// encodeOutput returns the output of a call in the form that a journal stores.
func encodeOutput(call *tool.Call) (json.RawMessage, error) {
	output, size := call.Output, len(call.Output)
	if call.Content != nil || call.Meta != nil {
		beside, err := jsontext.Encode([]any{call.Content, call.Meta})
		if err != nil {
			return nil, err
		}
		size += len(beside)
	}
	switch {
	case size > maxOutputLength:
		return nil, fmt.Errorf("it has %d bytes, at most %d can be stored", size, maxOutputLength)
	case len(output) == 0 || !utf8.Valid(output) || !json.Valid(output):
		return nil, errors.New("it is not valid JSON")
	case !slices.Contains(output, '\n'):
		return output, nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, output)
	return b.Bytes(), err
}
