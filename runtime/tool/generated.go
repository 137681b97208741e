package tool

// This file has what only generated code calls, beside [Invocation]; by hand, tools
// are made with [New], [NewOf] and [NewDo], or with package schema.

import (
	"context"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool/internal/store"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Generated returns the tool that is defined by d, as [New] does. A registry does not
// check it again: that was done when it was generated.
func Generated(d *Definition, invoke Invoke) Tool { return Tool{definition: d, invoke: invoke} }

// Bind returns the tool that is defined by d, which must not be modified any more:
// read reads the arguments and records what is wrong with them; unless that is anything,
// run runs the function, within the hooks of the tool; write writes its result.
//
//go:noinline
func Bind[A, R any](d *Definition, read func(wire.Value, *A), run func(context.Context, *A) (R, error), write func(e *wire.Encoder, lead string, r *R)) *Of[A, R] {
	o := &Of[A, R]{read: read, run: run, write: write}
	o.Tool = Tool{definition: d, invoke: o.call}
	return o
}

// BindDo is [Bind] for results that are null.
func BindDo[A any](d *Definition, read func(wire.Value, *A), run func(context.Context, *A) error) *Do[A] {
	o := &Do[A]{read: read, run: run}
	o.Tool = Tool{definition: d, invoke: o.call}
	return o
}

// Needs returns a copy of the tool that is only offered where there is a scope with a
// variable that fits for each of the given functions, such as [wire.Fits]. See
// [Registry.Available].
func (t Tool) Needs(fits ...func(value any) bool) Tool {
	return t.with(func(x *traits) { x.demand.Store, x.demand.Fits = true, fits })
}

// Yields returns a copy of the tool that is only offered where there is a scope, for
// its result, which is named by the stem and a number.
func (t Tool) Yields(stem string) Tool {
	return t.with(func(x *traits) { x.demand.Store, x.demand.Yields = true, stem })
}

// Keeps is Yields where JSON can carry a part of the result: without a scope, the rest
// is null.
func (t Tool) Keeps(stem string) Tool {
	return t.with(func(x *traits) { x.demand.Yields = stem })
}

// The functions that follow give functions the parameters that no model writes.
// That one is missing is an error, which fails the call.

// SuppliedCall returns a record of the call for a function that takes one.
func SuppliedCall(ctx context.Context) (*Call, error) {
	if c := CallFrom(ctx); c != nil {
		return c, nil
	}
	return nil, words.Unsupplied("there is no call: the function needs one, so it must be called through a registry")
}

// SuppliedScope returns the scope for a function that takes one.
func SuppliedScope(ctx context.Context) (*Scope, error) {
	if s := ScopeFrom(ctx); s != nil {
		return s, nil
	}
	return nil, &ScopeError{Err: store.ErrNone}
}
