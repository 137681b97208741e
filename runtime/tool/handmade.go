package tool

import (
	"context"

	"github.com/aiongen/aiongen/runtime/wire"
)

// handmadeTraits makes a registry check the definitions of tools that are not generated. Programs that have
// only generated tools do not link the checks.
var handmadeTraits = &traits{check: checkDefinition}

// New returns the tool with the definition d, which must not be modified afterward. invoke makes a call: it
// reads the arguments, returns unless [Invocation.Ready], runs the function, and passes on its error or its
// result. It must be safe for concurrent use.
func New(d *Definition, invoke func(context.Context, *Invocation)) Tool {
	return Tool{definition: d, invoke: invoke, traits: handmadeTraits}
}

// NewTypedTool returns the tool with the definition d, which must not be modified afterward. read reads the
// arguments and records what is wrong with them. If nothing is wrong, run runs the function, between the
// hooks of the tool, and write writes its result.
func NewTypedTool[A, R any](
	d *Definition,
	read func(wire.Value) A, run func(context.Context, A) (R, error), write func(e *wire.Encoder, lead string, r R),
) *TypedTool[A, R] {
	o := BindTypedTool(d, adaptReader(read), func(ctx context.Context, a *A) (R, error) { return run(ctx, *a) },
		func(e *wire.Encoder, lead string, r *R) { write(e, lead, *r) })
	o.Tool.traits = handmadeTraits
	return o
}

// NewTypedAction is [NewTypedTool] for functions without a result; the result is null.
func NewTypedAction[A any](d *Definition, read func(wire.Value) A, run func(context.Context, A) error) *TypedAction[A] {
	o := BindTypedAction(d, adaptReader(read), func(ctx context.Context, a *A) error { return run(ctx, *a) })
	o.Tool.traits = handmadeTraits
	return o
}

// adaptReader turns a function that returns a value into one that stores it.
func adaptReader[A any](read func(wire.Value) A) func(wire.Value, *A) {
	return func(v wire.Value, a *A) { *a = read(v) }
}
