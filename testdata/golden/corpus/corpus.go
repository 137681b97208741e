// Package corpus has a tool for each of many Go types, which it takes and
// returns. Tests hold schemas, readers and writers of these types against
// encoding/json and a validator.
package corpus

import "context"

// Exchange is what a test has to do with one call. The function that is called
// leaves a pointer to its argument, and returns what Result points to; if that
// is nothing, its argument.
type Exchange struct{ Argument, Result any }

type exchangeKey struct{}

// With returns a context for a call with x.
func With(ctx context.Context, x *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// pass is what every function does.
func pass[T any](ctx context.Context, v T) T {
	x, ok := ctx.Value(exchangeKey{}).(*Exchange)
	if !ok {
		return v
	}
	x.Argument = &v
	if result, ok := x.Result.(*T); ok {
		return *result
	}
	return v
}
