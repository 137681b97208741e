package memory

import (
	"context"
	"time"
)

// maxWriteTime limits a write whose context does not.
const maxWriteTime = 10 * time.Second

// Detached returns a view of a store for results that must not be lost: its writes do not end
// with their context, which may be done already, but after 10 seconds. The store receives the
// values of the context.
func Detached(store Store) Store { return detached{store} }

type detached struct{ Store }

func (d detached) Write(ctx context.Context, key string, value any) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxWriteTime)
	defer cancel()
	return d.Store.Write(ctx, key, value)
}
