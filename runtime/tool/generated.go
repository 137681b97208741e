package tool

// The functions in this file are for generated code. Make tools by hand with [New], [NewTypedTool] and
// [NewTypedAction], or with package schema.

import (
	"context"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Generated is [New] for generated code. The registry does not check the definition again.
func Generated(d *Definition, invoke func(context.Context, *Invocation)) Tool {
	return Tool{definition: d, invoke: invoke}
}

// BindTypedTool is [NewTypedTool] for generated code. The registry does not check the definition again, and the
// functions receive pointers, so that arguments and results are not copied.
//
//go:noinline
func BindTypedTool[A, R any](d *Definition, read func(wire.Value, *A), run func(context.Context, *A) (R, error), write func(e *wire.Encoder, lead string, r *R)) *TypedTool[A, R] {
	o := &TypedTool[A, R]{read: read, run: run, write: write}
	o.Tool = Tool{definition: d, invoke: o.invokeTool}
	return o
}

// BindTypedAction is [NewTypedAction] for generated code; see [BindTypedTool].
func BindTypedAction[A any](d *Definition, read func(wire.Value, *A), run func(context.Context, *A) error) *TypedAction[A] {
	return (*TypedAction[A])(BindTypedTool(d, read, func(ctx context.Context, a *A) (struct{}, error) { return struct{}{}, run(ctx, a) }, nil))
}

// RequireVariables returns a copy of the tool that needs variables: [Registry.Available] offers it only if each of
// the functions returns true for at least one variable of the scope. A typical function is [wire.Fits].
func (t Tool) RequireVariables(fits ...func(value any) bool) Tool {
	return t.withTraits(func(x *traits) { x.demand.needsScope, x.demand.matchers = true, fits })
}

// StoreResult returns a copy of the tool that stores its result in a scope, under a name made of the stem and a
// number, such as image_1. [Registry.Available] offers the tool only if there is a scope.
func (t Tool) StoreResult(stem string) Tool {
	return t.withTraits(func(x *traits) { x.demand.needsScope, x.demand.resultStem = true, stem })
}

// StoreResultParts is StoreResult for results of which JSON can represent some parts. Only the other parts become
// variables. Without a scope, they are null.
func (t Tool) StoreResultParts(stem string) Tool {
	return t.withTraits(func(x *traits) { x.demand.resultStem = stem })
}

// SuppliedCall is [CallFrom] for generated code. It returns an error if there is no call.
func SuppliedCall(ctx context.Context) (*Call, error) {
	if c := CallFrom(ctx); c != nil {
		return c, nil
	}
	return nil, words.NotSuppliedError("there is no call: the function needs one, so it must be called through a registry")
}

// SuppliedScope is [ScopeFrom] for generated code. It returns an error if there is no scope.
func SuppliedScope(ctx context.Context) (*Scope, error) {
	if s := ScopeFrom(ctx); s != nil {
		return s, nil
	}
	return nil, &ScopeError{Err: errNoScope}
}
