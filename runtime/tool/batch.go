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
	return func(b *batch) { b.concurrent = calls }
}

// FailFast lets the first call that fails cancel all that have not ended.
func FailFast() BatchOption {
	return func(b *batch) { b.failFast = true }
}

// CallAll runs what several requests ask for, each as [Registry.Call] does, and
// returns the calls in the order of the requests when all are final.
func (r *Registry) CallAll(ctx context.Context, requests []Request, options ...BatchOption) []*Call {
	b, scope := batch{concurrent: 8}, ScopeFrom(ctx)
	for _, option := range options {
		option(&b)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := make([]*Call, len(requests))
	for i, request := range requests {
		calls[i] = new(Call)
		r.ask(calls[i], request)
		if yields := calls[i].tool.peculiar().demand.Yields; scope != nil && yields != "" {
			calls[i].meant = scope.variables.Reserve(yields)
		}
	}
	each(len(calls), b.concurrent, func(i int) {
		defer func() { // also where the function ended its goroutine
			if b.failFast && calls[i].Status == StatusFailed {
				cancel()
			}
		}()
		calls[i].run(ctx)
	})
	return calls
}

// each calls f with each number below n, so many at a time, and returns when all calls
// have returned or ended their goroutines.
func each(n, concurrent int, f func(i int)) {
	var all sync.WaitGroup
	places := make(chan struct{}, max(concurrent, 1))
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			f(i)
		})
	}
	all.Wait()
}
