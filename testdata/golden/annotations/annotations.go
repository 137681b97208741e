// Package annotations has functions that the package says more about than their
// types do, and some that take what the runtime supplies.
package annotations

import (
	"context"
	"log/slog"

	rt "github.com/aiongen/aiongen/runtime/tool"
)

//go:generate go tool aiongen

// Store has methods to annotate.
type Store struct{ values map[string]string }

const getTitle = "Get " + "a value"

var _ = rt.Annotate((*Store).Get, rt.ReadOnly, rt.ClosedWorld, rt.Title(getTitle), rt.Example(`{ "key": "<a>" }`))

var (
	_ = rt.Annotate((*Store).Set, rt.Idempotent)
	_ = rt.Annotate(append_, rt.Additive)
)

const upper = "upper"

// What has no function of its own is annotated by the tool's name.
var (
	_ = rt.Annotate(upper, rt.ReadOnly, rt.Example(`{"s": "a"}`))
	_ = rt.Annotate("lower", rt.ReadOnly, rt.Title("In small letters"))
	_ = rt.Annotate("doubled", rt.Additive, rt.NoOutputSchema)
	_ = rt.Annotate("manual", rt.Title("How it all works"))
)

// Get returns a value.
func (s *Store) Get(key string) string { return s.values[key] }

// Set sets a value.
func (s *Store) Set(key, value string) { s.values[key] = value }

// Append appends to a value.
func append_(ctx context.Context, value string, log *slog.Logger) error {
	log.InfoContext(ctx, value)
	return nil
}

// Who tells who called, and where.
func Who(call *rt.Call, greeting string, scope *rt.Scope) (string, error) {
	return greeting + " " + call.Request.Meta["user"] + " " + scope.Names()[0], nil
}

// All takes everything.
func All(ctx context.Context, call *rt.Call, log *slog.Logger) (name string, ok bool) {
	log.InfoContext(ctx, "all")
	return call.Request.Name, call.Status == rt.StatusProcessing
}
