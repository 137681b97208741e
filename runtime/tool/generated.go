package tool

// This file has what only generated code calls, beside [Invocation]; by hand, tools
// are made with [New], [NewOf] and [NewDo], or with package schema.

import (
	"context"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool/internal/store"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Generated is [New] for generated code alone, which is not checked again.
func Generated(d *Definition, invoke func(context.Context, *Invocation)) Tool {
	return Tool{definition: d, invoke: invoke}
}

// Bind is [NewOf] for generated code alone: what was checked is not checked again, and
// nothing is copied.
//
//go:noinline
func Bind[A, R any](d *Definition, read func(wire.Value, *A), run func(context.Context, *A) (R, error), write func(e *wire.Encoder, lead string, r *R)) *Of[A, R] {
	o := &Of[A, R]{read: read, run: run, write: write}
	o.Tool = Tool{definition: d, invoke: o.call}
	return o
}

// BindDo is [NewDo] as [Bind] is NewOf.
func BindDo[A any](d *Definition, read func(wire.Value, *A), run func(context.Context, *A) error) *Do[A] {
	return (*Do[A])(Bind(d, read, func(ctx context.Context, a *A) (struct{}, error) { return struct{}{}, run(ctx, a) }, nil))
}

// Needs returns a copy of the tool that is only offered where a scope has a variable that
// fits for each function, such as [wire.Fits]. It is for generated code, as [Tool.Yields]
// and [Tool.Keeps] are.
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

// SuppliedCall is [CallFrom] for generated code, where none is an error.
func SuppliedCall(ctx context.Context) (*Call, error) {
	if c := CallFrom(ctx); c != nil {
		return c, nil
	}
	return nil, words.Unsupplied("there is no call: the function needs one, so it must be called through a registry")
}

// SuppliedScope is [ScopeFrom] for generated code, where none is an error.
func SuppliedScope(ctx context.Context) (*Scope, error) {
	if s := ScopeFrom(ctx); s != nil {
		return s, nil
	}
	return nil, &ScopeError{Err: store.ErrNone}
}
