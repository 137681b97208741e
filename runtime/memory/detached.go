package memory

import (
	"context"
	"time"
)

// maxWriteTime limits writes of a detached store.
const maxWriteTime = 10 * time.Second

// Detached returns a view of a store for results that must not be lost. Its method Write ignores
// the cancellation and the deadline of its context, and has a timeout of 10 seconds instead. The
// underlying store still receives the values of the context.
func Detached(store Store) Store { return detached{store} }

type detached struct{ Store }

func (d detached) Write(ctx context.Context, key string, value any) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxWriteTime)
	defer cancel()
	return d.Store.Write(ctx, key, value)
}
