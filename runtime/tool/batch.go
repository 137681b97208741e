package tool

import (
	"cmp"
	"context"
	"sync"
)

// Batch configures [Registry.CallAll].
type Batch struct {
	Concurrent int  // calls at a time; 0 means 8, and 1 runs them in order
	FailFast   bool // the first call that fails cancels the others
}

// CallAll runs the calls for several requests, each like [Registry.Call]. It returns the calls in the order
// of the requests when all of them are final.
func (r *Registry) CallAll(ctx context.Context, requests []Request, b Batch) []*Call {
	scope := ScopeFrom(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := make([]*Call, len(requests))
	for i, request := range requests {
		calls[i] = new(Call)
		r.prepareCall(calls[i], request)
		if yields := calls[i].tool.traitsOrZero().demand.resultStem; scope != nil && yields != "" {
			calls[i].initialAccess = scope.reserveName(yields)
		}
	}
	var all sync.WaitGroup
	places := make(chan struct{}, max(cmp.Or(b.Concurrent, 8), 1))
	for _, c := range calls {
		places <- struct{}{}
		all.Go(func() {
			defer func() { // also where the function ended its goroutine
				if b.FailFast && c.Status == StatusFailed {
					cancel()
				}
				<-places
			}()
			c.runCall(ctx)
		})
	}
	all.Wait()
	return calls
}
