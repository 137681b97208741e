package tool

import (
	"context"

	"github.com/aiongen/aiongen/runtime/wire"
)

// The methods of the types in this file are not inlined: the compiler would do that
// again for each tool, in the wrappers that link a type to the code that many types
// share. And a tool without hooks has no code for any.

// Of is a tool whose function takes arguments A and returns a result R. Generated code has
// a function that returns one for each tool; its Tool is what a registry takes.
type Of[A, R any] struct {
	Tool Tool

	read   func(wire.Value, *A)
	before func(context.Context, *A) (context.Context, error) // nil if there are no hooks before run
	run    func(context.Context, *A) (R, error)               // and the hooks after it
	write  func(e *wire.Encoder, lead string, r *R)           // nil if the result is null
}

// Before returns a copy of the tool that hands the arguments of each call to f before
// the function, after the hooks that are there already. What f changes is what the
// function gets and, as far as the schema has it and there are no variables of a
// [Scope] among the arguments, what [Call.Arguments] shows. An error of f fails the
// call, and the function does not run.
//
//go:noinline
func (o *Of[A, R]) Before(f func(context.Context, *A) error) *Of[A, R] {
	t := *o
	t.before, t.Tool.invoke = then(o.before, f), t.call
	return &t
}

// After returns a copy of the tool that hands arguments and result of each call to f
// when the function has returned without an error, after the hooks that are there
// already. f may change the result; its error fails the call.
//
//go:noinline
func (o *Of[A, R]) After(f func(context.Context, *A, *R) error) *Of[A, R] {
	t, run := *o, o.run
	t.run = func(ctx context.Context, a *A) (R, error) {
		r, err := run(ctx, a)
		if err == nil {
			err = f(ctx, a, &r)
		}
		return r, err
	}
	t.Tool.invoke = t.call
	return &t
}

// then is a hook, behind the ones before it if there are any. It shows on the call what
// arguments f has left, and returns the context of the function.
func then[A any](earlier func(context.Context, *A) (context.Context, error), f func(context.Context, *A) error) func(context.Context, *A) (context.Context, error) {
	return func(ctx context.Context, a *A) (_ context.Context, err error) {
		if earlier != nil {
			if ctx, err = earlier(ctx, a); err != nil {
				return ctx, err
			}
		}
		came := argumentsJSON(ctx, a)
		if err := f(ctx, a); err != nil {
			return ctx, err
		}
		return showArguments(ctx, came, argumentsJSON(ctx, a)), nil
	}
}

// call makes a call of a registry.
//
//go:noinline
func (o *Of[A, R]) call(ctx context.Context, in *Invocation) {
	a := new(A)
	o.read(in.Arguments(), a)
	if !in.Ready() {
		return
	}
	r := new(R)
	if !in.Failed(o.hooked(ctx, a, r)) && o.write != nil {
		o.write(in.Result(), "", r)
	}
}

// hooked runs the function between its hooks.
//
//go:noinline
func (o *Of[A, R]) hooked(ctx context.Context, a *A, r *R) (err error) {
	if o.before != nil {
		if ctx, err = o.before(ctx, a); err != nil {
			return err
		}
	}
	*r, err = o.run(ctx, a)
	return err
}

// Call runs hooks and function on Go values, without a registry. Its error is that of the
// hook or function that failed, or a [*PanicError].
//
//go:noinline
func (o *Of[A, R]) Call(ctx context.Context, a A) (r R, err error) {
	defer contain(o.Tool.definition, &err)
	err = o.hooked(outside(ctx), &a, &r)
	return r, err
}

// contain is deferred: it makes an error of a panic.
func contain(d *Definition, err *error) {
	if p := recover(); p != nil {
		*err = panicked(Definition{Name: d.Name}, p)
	}
}

// Do is [Of] for functions that return nothing but an error.
type Do[A any] Of[A, struct{}]

func (d *Do[A]) of() *Of[A, struct{}] { return (*Of[A, struct{}])(d) }

// Before returns a copy with a hook before the function; see [Of.Before].
//
//go:noinline
func (d *Do[A]) Before(f func(context.Context, *A) error) *Do[A] { return (*Do[A])(d.of().Before(f)) }

// After returns a copy with a hook after the function; see [Of.After].
//
//go:noinline
func (d *Do[A]) After(f func(context.Context, *A) error) *Do[A] {
	return (*Do[A])(d.of().After(func(ctx context.Context, a *A, _ *struct{}) error { return f(ctx, a) }))
}

// Call runs hooks and function on Go values; see [Of.Call].
//
//go:noinline
func (d *Do[A]) Call(ctx context.Context, a A) error {
	_, err := d.of().Call(ctx, a)
	return err
}
