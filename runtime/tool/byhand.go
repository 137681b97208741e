package tool

import (
	"context"

	"github.com/aiongen/aiongen/runtime/tool/internal/sound"
	"github.com/aiongen/aiongen/runtime/wire"
)

// made marks the tools that generated code did not make, so that a registry checks
// their definitions. Programs that have none link no more of that.
var made = &traits{check: func(d *Definition) error { return sound.Definition(d.Name, d.Input, d.Output, d.Example) }}

// New returns the tool that is defined by d, which must not be modified any more,
// and run by invoke: that reads the arguments, returns unless [Invocation.Ready], runs
// the function, and hands on its error or its result. It must be safe for concurrent use.
func New(d *Definition, invoke func(context.Context, *Invocation)) Tool {
	return Tool{definition: d, invoke: invoke, traits: made}
}

// NewOf returns the tool that is defined by d, which must not be modified any more: read
// reads the arguments and records what is wrong with them; unless that is anything, run
// runs the function, within the hooks of the tool; write writes its result.
func NewOf[A, R any](
	d *Definition,
	read func(wire.Value) A, run func(context.Context, A) (R, error), write func(e *wire.Encoder, lead string, r R),
) *Of[A, R] {
	o := Bind(d, into(read), func(ctx context.Context, a *A) (R, error) { return run(ctx, *a) },
		func(e *wire.Encoder, lead string, r *R) { write(e, lead, *r) })
	o.Tool.traits = made
	return o
}

// NewDo is [NewOf] for results that are null.
func NewDo[A any](d *Definition, read func(wire.Value) A, run func(context.Context, A) error) *Do[A] {
	o := BindDo(d, into(read), func(ctx context.Context, a *A) error { return run(ctx, *a) })
	o.Tool.traits = made
	return o
}

// into is what reads a value, into what is there.
func into[A any](read func(wire.Value) A) func(wire.Value, *A) {
	return func(v wire.Value, a *A) { *a = read(v) }
}
