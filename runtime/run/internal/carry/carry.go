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

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Caller calls tools. A [tool.Registry] is one.
type Caller interface {
	Call(ctx context.Context, request tool.Request) *tool.Call
}

// Carrier says how calls are carried out.
type Carrier struct {
	Tools    Caller
	Sleep    func(ctx context.Context, d time.Duration) // nil is the clock of the machine
	Grace    time.Duration                              // how long calls go on when the context is done; 0 is 10 s
	Parallel int                                        // how many there are side by side; 0 is 8
}

// All carries out calls side by side. Those that may be made again are. The record of
// one that the context ended is nil: nobody knows what came of it.
func (c Carrier) All(ctx context.Context, requests []tool.Request, again bool) []*tool.Call {
	graced, stop := c.graceful(ctx)
	defer stop()
	calls := make([]*tool.Call, len(requests))
	if len(requests) == 1 {
		calls[0] = c.try(ctx, graced, requests[0], again)
		return calls
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, max(cmp.Or(c.Parallel, 8), 1))
	for i, r := range requests {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			calls[i] = c.try(ctx, graced, r, again)
		})
	}
	wg.Wait()
	return calls
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

func (c Carrier) try(ctx, graced context.Context, r tool.Request, again bool) *tool.Call {
	for attempt, wait := 1, firstBackoff; ; attempt, wait = attempt+1, 2*wait {
		made := c.Tools.Call(graced, r)
		if made != nil && made.Status == tool.StatusCancelled && graced.Err() != nil {
			return nil
		}
		if !again || made == nil || made.Err == nil || attempt == attempts || !tool.Retryable(made.Err) {
			return Settle(made, r)
		}
		if c.pause(ctx, wait); ctx.Err() != nil {
			return nil
		}
	}
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

// longestOutput bounds an output, in bytes, so that there is room for the rest of its
// entry.
const longestOutput = journal.MaxEntry - 8<<20

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
		var err error
		if c.Output, err = kept(call.Output); err != nil {
			c.Err = &tool.OutputError{Tool: r.Name, Err: err}
		}
	}
	if c.Err == nil || call.Status == tool.StatusCancelled {
		c.Status = call.Status
	}
	return c
}

// kept returns an output as a journal keeps it.
func kept(output json.RawMessage) (json.RawMessage, error) {
	switch {
	case len(output) > longestOutput:
		return nil, fmt.Errorf("it has %d bytes, at most %d can be kept", len(output), longestOutput)
	case len(output) == 0 || !utf8.Valid(output) || !json.Valid(output):
		return nil, errors.New("it is no JSON")
	case !slices.Contains(output, '\n'):
		return output, nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, output)
	return b.Bytes(), err
}
