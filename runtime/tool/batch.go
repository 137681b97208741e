package tool

import (
	"cmp"
	"context"
	"sync"
)

// Batch says how [Registry.CallAll] makes its calls.
type Batch struct {
	Concurrent int  // at most, at a time; 0 is 8, and 1 is in order
	FailFast   bool // the first that fails cancels all that have not ended
}

// CallAll runs what several requests ask for, each as [Registry.Call] does, and
// returns the calls in the order of the requests when all are final.
func (r *Registry) CallAll(ctx context.Context, requests []Request, b Batch) []*Call {
	scope := ScopeFrom(ctx)
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
			c.run(ctx)
		})
	}
	all.Wait()
	return calls
}
