package memory

import (
	"context"

	"github.com/aiongen/aiongen/internal/words"
)

type storeKey struct{}

// With returns a context that supplies the store to functions of tools that have a parameter of
// type Store.
func With(ctx context.Context, s Store) context.Context {
	return context.WithValue(ctx, storeKey{}, s)
}

// Supplied returns the store in ctx for the function of a tool, or an error if there is none. Only
// generated code calls it.
func Supplied(ctx context.Context) (Store, error) {
	if s, ok := ctx.Value(storeKey{}).(Store); ok {
		return s, nil
	}
	return nil, words.NotSuppliedError("there is no store: the context needs one, by memory.With")
}
