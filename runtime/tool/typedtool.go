package tool

import (
	"context"

	"github.com/aiongen/aiongen/runtime/wire"
)

// The methods of the generic types in this file are marked go:noinline. Otherwise the compiler would copy their
// code into a wrapper for each tool. Programs that call neither Before nor After do not contain the code for hooks.

// TypedTool is a tool whose function takes arguments of type A and returns a result of type R. Generated code has a
// constructor for each tool. Register the field Tool with a registry.
type TypedTool[A, R any] struct {
	Tool Tool

	read   func(wire.Value, *A)
	before func(context.Context, *A) (context.Context, error) // runs the hooks of Before; nil if there are none
	run    func(context.Context, *A) (R, error)               // runs the function, then the hooks of After
	write  func(e *wire.Encoder, lead string, r *R)           // nil if the function returns only an error; its result is null
}

// Before returns a copy of the tool that calls f with the arguments before it calls the function. Hooks run in the
// order in which they were added. If f returns an error, the call fails and the function does not run.
//
// f may change the arguments. [Call.Arguments] then shows the new values of the members that are in the schema. If
// an argument is a variable of a [Scope], or has a type for which [Represent] was called, Call.Arguments does not show
// any changes.
//
//go:noinline
func (o *TypedTool[A, R]) Before(f func(context.Context, *A) error) *TypedTool[A, R] {
	t := *o
	t.before, t.Tool.invoke = chainHook(o.before, f), t.invokeTool
	return &t
}

// After returns a copy of the tool that calls f with the arguments and the result after the function has returned
// without an error. Hooks run in the order in which they were added. f may change the result. If f returns an
// error, the call fails.
//
//go:noinline
func (o *TypedTool[A, R]) After(f func(context.Context, *A, *R) error) *TypedTool[A, R] {
	t, run := *o, o.run
	t.run = func(ctx context.Context, a *A) (R, error) {
		r, err := run(ctx, a)
		if err == nil {
			err = f(ctx, a, &r)
		}
		return r, err
	}
	t.Tool.invoke = t.invokeTool
	return &t
}

// chainHook returns a hook that calls the hook earlier, unless it is nil, and then f. If f has changed the arguments,
// the hook records them. It returns the context for the function.
func chainHook[A any](earlier func(context.Context, *A) (context.Context, error), f func(context.Context, *A) error) func(context.Context, *A) (context.Context, error) {
	return func(ctx context.Context, a *A) (_ context.Context, err error) {
		if earlier != nil {
			if ctx, err = earlier(ctx, a); err != nil {
				return ctx, err
			}
		}
		before := argumentsJSON(ctx, a)
		if err := f(ctx, a); err != nil {
			return ctx, err
		}
		return recordHookArguments(ctx, before, argumentsJSON(ctx, a)), nil
	}
}

// invokeTool runs one call of the tool for a registry.
//
//go:noinline
func (o *TypedTool[A, R]) invokeTool(ctx context.Context, in *Invocation) {
	a := new(A)
	o.read(in.Arguments(), a)
	if !in.Ready() {
		return
	}
	r := new(R)
	if !in.RecordError(o.runWithHooks(ctx, a, r)) && o.write != nil {
		o.write(in.Result(), "", r)
	}
}

// runWithHooks runs the function between its hooks.
//
//go:noinline
func (o *TypedTool[A, R]) runWithHooks(ctx context.Context, a *A, r *R) (err error) {
	if o.before != nil {
		if ctx, err = o.before(ctx, a); err != nil {
			return err
		}
	}
	*r, err = o.run(ctx, a)
	return err
}

// Call runs the hooks and the function on Go values, without a registry. It returns the error of the hook or
// function that failed, or a [*PanicError].
//
//go:noinline
func (o *TypedTool[A, R]) Call(ctx context.Context, a A) (r R, err error) {
	defer recoverPanic(o.Tool.definition, &err)
	err = o.runWithHooks(withoutCall(ctx), &a, &r)
	return r, err
}

// recoverPanic recovers from a panic and stores it in err as a [*PanicError]. Callers defer it.
func recoverPanic(d *Definition, err *error) {
	if p := recover(); p != nil {
		*err = newPanicError(Definition{Name: d.Name}, p)
	}
}

// TypedAction is a [TypedTool] for functions that return only an error.
type TypedAction[A any] TypedTool[A, struct{}]

func (d *TypedAction[A]) typedTool() *TypedTool[A, struct{}] { return (*TypedTool[A, struct{}])(d) }

// Before returns a copy with a hook before the function; see [TypedTool.Before].
//
//go:noinline
func (d *TypedAction[A]) Before(f func(context.Context, *A) error) *TypedAction[A] {
	return (*TypedAction[A])(d.typedTool().Before(f))
}

// After returns a copy with a hook after the function; see [TypedTool.After].
//
//go:noinline
func (d *TypedAction[A]) After(f func(context.Context, *A) error) *TypedAction[A] {
	return (*TypedAction[A])(d.typedTool().After(func(ctx context.Context, a *A, _ *struct{}) error { return f(ctx, a) }))
}

// Call runs the hooks and the function on Go values; see [TypedTool.Call].
//
//go:noinline
func (d *TypedAction[A]) Call(ctx context.Context, a A) error {
	_, err := d.typedTool().Call(ctx, a)
	return err
}
