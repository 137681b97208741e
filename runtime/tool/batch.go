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

// Concurrent bounds how many calls run at a time, by default 8; 1 is in order.
func Concurrent(calls int) BatchOption { return func(b *batch) { b.concurrent = calls } }

// FailFast lets the first call that fails cancel all that have not ended.
func FailFast() BatchOption { return func(b *batch) { b.failFast = true } }

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
	var all sync.WaitGroup
	places := make(chan struct{}, max(b.concurrent, 1))
	for _, c := range calls {
		places <- struct{}{}
		all.Go(func() {
			defer func() { // also where the function ended its goroutine
				if b.failFast && c.Status == StatusFailed {
					cancel()
				}
				<-places
			}()
			c.run(ctx)
		})
	}
	all.Wait()
	return calls
}
