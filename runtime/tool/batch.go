package tool

import (
	"context"
	"sync"
)

// BatchOption sets up [Registry.CallAll].
type BatchOption func(*batch)

type batch struct {
	concurrent int
	failFast   bool
}

// Concurrent bounds how many calls run at a time. The default is 8; with 1 or less they
// run in sequence, in the order of their requests.
func Concurrent(calls int) BatchOption {
	return func(b *batch) { b.concurrent = max(calls, 1) }
}

// FailFast lets the first call that fails cancel those that run and those that
// are still to run.
func FailFast() BatchOption {
	return func(b *batch) { b.failFast = true }
}

// CallAll runs what several requests ask for, each as [Registry.Call] does, and
// returns the calls in the order of the requests when all are final.
func (r *Registry) CallAll(ctx context.Context, requests []Request, options ...BatchOption) []*Call {
	b := batch{concurrent: 8}
	for _, option := range options {
		option(&b)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := make([]*Call, len(requests))
	for i, request := range requests {
		calls[i] = new(Call)
		r.ask(calls[i], request)
		calls[i].reserve(ScopeFrom(ctx))
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, b.concurrent)
	for _, c := range calls {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			defer func() { // also where the function ended its goroutine
				if b.failFast && c.Status == StatusFailed {
					cancel()
				}
			}()
			c.run(ctx)
		})
	}
	wg.Wait()
	return calls
}
