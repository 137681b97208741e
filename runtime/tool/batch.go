package tool

import (
	"cmp"
	"context"
	"sync"
)

// Batch configures [Registry.CallAll].
type Batch struct {
	Concurrent int  // maximum number of concurrent calls; 0 means 8, and 1 runs the calls in order
	FailFast   bool // whether the first call that fails cancels the others
}

// CallAll runs the calls for several requests concurrently, each like [Registry.Call]. After all of them have
// finished, it returns the calls in the order of the requests.
func (r *Registry) CallAll(ctx context.Context, requests []Request, b Batch) []*Call {
	scope := ScopeFrom(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := make([]*Call, len(requests))
	for i, request := range requests {
		calls[i] = new(Call)
		r.prepareCall(calls[i], request)
		if stem := calls[i].tool.traitsOrZero().demand.resultStem; scope != nil && stem != "" {
			calls[i].initialAccess = scope.reserveName(stem)
		}
	}
	var group sync.WaitGroup
	slots := make(chan struct{}, max(cmp.Or(b.Concurrent, 8), 1))
	for _, c := range calls {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { // runs even if the function calls runtime.Goexit
				if b.FailFast && c.Status == StatusFailed {
					cancel()
				}
				<-slots
			}()
			c.runCall(ctx)
		})
	}
	group.Wait()
	return calls
}
