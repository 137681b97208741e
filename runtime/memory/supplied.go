package memory

import (
	"context"

	"github.com/aiongen/aiongen/internal/words"
)

type storeKey struct{}

// With gives the tools that are called in a context what they take as their
// Store.
func With(ctx context.Context, s Store) context.Context {
	return context.WithValue(ctx, storeKey{}, s)
}

// Supplied returns the store for a function that runs in ctx. Generated code
// calls it; that there is none is an error, which fails the call.
func Supplied(ctx context.Context) (Store, error) {
	if s, ok := ctx.Value(storeKey{}).(Store); ok {
		return s, nil
	}
	return nil, words.Unsupplied("there is no store: the context needs one, by memory.With")
}
