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
// of a workflow. It also provides the [tool.Peer] of each call.
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

// runningCall is a call that a callRunner makes.
type runningCall struct {
	Request tool.Request
	Event   Event // the event of its start, from which events of its function are derived
}

// runAll makes calls concurrently. It retries failed calls if retry is true. A result is nil if the
// outcome of its call is unknown: the context ended the call, or the toolCaller returned a
// [tool.UnknownOutcomeError].
func (c callRunner) runAll(ctx context.Context, all []runningCall, retry bool) []*tool.Call {
	graced, stop := c.withGrace(ctx)
	defer stop()
	if batch, ok := c.Tools.(batchCaller); ok && len(all) > 1 {
		return c.runBatch(ctx, graced, batch, all, retry)
	}
	calls := make([]*tool.Call, len(all))
	if len(all) == 1 {
		calls[0] = c.runCall(ctx, graced, &all[0], retry)
		return calls
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, max(cmp.Or(c.Parallel, 8), 1))
	for i := range all {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			calls[i] = c.runCall(ctx, graced, &all[i], retry)
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

// withGrace returns a context that is canceled when c.Grace has passed after ctx was done.
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

func (c callRunner) runCall(ctx, graced context.Context, call *runningCall, retry bool) *tool.Call {
	r := call.Request
	graced = CallContext(call.Event.Context(graced), r, c.newPeer(ctx, call))
	for attempt, wait := 1, firstBackoff; ; attempt, wait = attempt+1, 2*wait {
		result := c.Tools.Call(graced, r)
		if !shouldRetry(result, retry && attempt < maxAttempts) {
			return callOutcome(graced, result, r)
		}
		if c.sleepFor(ctx, wait); ctx.Err() != nil {
			return nil
		}
	}
}

// runBatch makes calls with a batchCaller.
func (c callRunner) runBatch(ctx, graced context.Context, batch batchCaller, all []runningCall, retry bool) []*tool.Call {
	calls := make([]*tool.Call, len(all))
	pending := make([]int, len(all)) // indexes of the calls without an outcome
	for i := range all {
		pending[i] = i
	}
	for attempt, wait := 1, firstBackoff; len(pending) > 0; attempt, wait = attempt+1, 2*wait {
		requests := make([]tool.Request, len(pending))
		for k, i := range pending {
			requests[k] = all[i].Request
		}
		var failed []int
		results := batch.CallAll(graced, requests)
		results = append(results, make([]*tool.Call, max(0, len(requests)-len(results)))...) // the batch may return too few calls
		for k, result := range results[:len(requests)] {
			if i := pending[k]; shouldRetry(result, retry && attempt < maxAttempts) {
				failed = append(failed, i)
			} else {
				calls[i] = callOutcome(graced, result, requests[k])
			}
		}
		if pending = failed; len(pending) > 0 {
			if c.sleepFor(ctx, wait); ctx.Err() != nil {
				break
			}
		}
	}
	return calls
}

// shouldRetry reports whether a call failed and may be retried.
func shouldRetry(result *tool.Call, retry bool) bool {
	return retry && result != nil && result.Err != nil && !isUnknownOutcome(result) && tool.Retryable(result.Err)
}

// callOutcome returns the outcome of a call, or nil if it is unknown.
func callOutcome(graced context.Context, result *tool.Call, r tool.Request) *tool.Call {
	if result != nil && result.Status == tool.StatusCancelled && graced.Err() != nil || isUnknownOutcome(result) {
		return nil
	}
	return settleCall(result, r)
}

func isUnknownOutcome(result *tool.Call) bool {
	if result == nil {
		return false
	}
	_, unknown := errors.AsType[*tool.UnknownOutcomeError](result.Err)
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

// settleCall returns the outcome of a call in the form that a journal stores. A toolCaller may
// return anything: a call that is not final or cannot be stored becomes a failed call.
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
		attachments, err := jsontext.Encode([]any{call.Content, call.Meta})
		if err != nil {
			return nil, err
		}
		size += len(attachments)
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
