package memory

import (
	"context"
	"time"
)

// longestWrite bounds a write that its context does not stop.
const longestWrite = 10 * time.Second

// Detached returns a view of a store for what was done and shall not be forgotten: a
// write ends after 10 seconds, and not with its context, which may be done already.
// The store gets the values of the context.
func Detached(store Store) Store { return detached{store} }

type detached struct{ Store }

func (d detached) Write(ctx context.Context, key string, value any) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestWrite)
	defer cancel()
	return d.Store.Write(ctx, key, value)
}
