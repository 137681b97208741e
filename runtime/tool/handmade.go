package tool

import (
	"context"

	"github.com/aiongen/aiongen/runtime/wire"
)

// handmadeTraits makes a registry check the definition of a tool that is not generated. It is a variable so that
// programs with only generated tools do not link the checks.
var handmadeTraits = &traits{check: checkDefinition}

// New returns the tool with the definition d, which must not be modified afterward. For each call, invoke must read
// the arguments, return if [Invocation.Ready] returns false, run the function, and pass its error or its result
// to the invocation. It must be safe for concurrent use.
func New(d *Definition, invoke func(context.Context, *Invocation)) Tool {
	return Tool{definition: d, invoke: invoke, traits: handmadeTraits}
}

// NewTypedTool returns the tool with the definition d, which must not be modified afterward. For each call, read
// reads the arguments and records faults in them. If there are none, the hooks of the tool and run are called, and
// write writes the result.
func NewTypedTool[A, R any](
	d *Definition,
	read func(wire.Value) A, run func(context.Context, A) (R, error), write func(e *wire.Encoder, lead string, r R),
) *TypedTool[A, R] {
	o := BindTypedTool(d, adaptReader(read), func(ctx context.Context, a *A) (R, error) { return run(ctx, *a) },
		func(e *wire.Encoder, lead string, r *R) { write(e, lead, *r) })
	o.Tool.traits = handmadeTraits
	return o
}

// NewTypedAction is [NewTypedTool] for functions without a result. The result of a call is null.
func NewTypedAction[A any](d *Definition, read func(wire.Value) A, run func(context.Context, A) error) *TypedAction[A] {
	o := BindTypedAction(d, adaptReader(read), func(ctx context.Context, a *A) error { return run(ctx, *a) })
	o.Tool.traits = handmadeTraits
	return o
}

// adaptReader converts a function that returns the arguments to one that stores them at a pointer.
func adaptReader[A any](read func(wire.Value) A) func(wire.Value, *A) {
	return func(v wire.Value, a *A) { *a = read(v) }
}
