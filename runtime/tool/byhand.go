package tool

import (
	"context"

	"github.com/aiongen/aiongen/runtime/wire"
)

// made marks the tools that generated code did not make, so that a registry checks
// their definitions.
var made = &traits{check: checkByHand}

// New returns the tool that is defined by d, which must not be modified any more,
// and run by invoke.
func New(d *Definition, invoke Invoke) Tool { return Tool{definition: d, invoke: invoke, traits: made} }

// NewOf returns the tool that is defined by d, as [Bind] does, of the parts that
// make up a call: read reads the arguments and records what is wrong with them;
// unless that is anything, run runs the function; write writes its result.
func NewOf[A, R any](
	d *Definition,
	read func(wire.Value) A, run func(context.Context, A) (R, error), write func(e *wire.Encoder, lead string, r R),
) *Of[A, R] {
	o := Bind(d, run, func(ctx context.Context, in *Invocation, run func(context.Context, A) (R, error)) {
		a := read(in.Arguments())
		if !in.Ready() {
			return
		}
		r, err := run(ctx, a)
		if !in.Failed(err) {
			write(in.Result(), "", r)
		}
	})
	o.Tool.traits = made
	return o
}

// NewDo returns the tool that is defined by d, as [NewOf] does. The result of its
// calls is null.
func NewDo[A any](d *Definition, read func(wire.Value) A, run func(context.Context, A) error) *Do[A] {
	o := BindDo(d, run, func(ctx context.Context, in *Invocation, run func(context.Context, A) error) {
		a := read(in.Arguments())
		if in.Ready() {
			in.Failed(run(ctx, a))
		}
	})
	o.Tool.traits = made
	return o
}
