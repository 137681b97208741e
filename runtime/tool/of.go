package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
)

// Of is a tool whose function takes arguments A and returns a result R. Generated
// code has a function that returns one for each tool; its Tool is what a registry
// takes.
type Of[A, R any] struct {
	Tool Tool

	run    func(context.Context, A) (R, error)
	invoke func(run func(context.Context, A) (R, error)) Invoke
}

// Invoke runs a tool: it reads the arguments, returns unless [Invocation.Ready],
// runs the function, and hands on its error or its result. It must be safe for
// concurrent use.
type Invoke func(ctx context.Context, in *Invocation)

// Bind returns the tool that is defined by d, which must not be modified any
// more. Its function is run, which invoke is to call; what the hooks of the tool
// do, they do around it.
//
//go:noinline
func Bind[A, R any](d *Definition, run func(context.Context, A) (R, error), invoke func(run func(context.Context, A) (R, error)) Invoke) *Of[A, R] {
	return &Of[A, R]{Tool: New(d, invoke(run)), run: run, invoke: invoke}
}

// NewOf returns the tool that is defined by d, as [Bind] does, of the parts that
// make up a call: read reads the arguments and records what is wrong with them;
// unless that is anything, run runs the function; write writes its result.
func NewOf[A, R any](
	d *Definition,
	read func(Value) A, run func(context.Context, A) (R, error), write func(e *Encoder, lead string, r R),
) *Of[A, R] {
	return Bind(d, run, func(run func(context.Context, A) (R, error)) Invoke {
		return func(ctx context.Context, in *Invocation) {
			a := read(in.Arguments())
			if !in.Ready() {
				return
			}
			r, err := run(ctx, a)
			if !in.Failed(err) {
				write(in.Result(), "", r)
			}
		}
	})
}

// Before returns a copy of the tool that hands the arguments of each call to f
// before the function, and before the hooks that are there already. What f
// changes is what they get, and what [Call.Arguments] shows, in the form of
// encoding/json. An error of f fails the call, and the function does not run.
func (o *Of[A, R]) Before(f func(context.Context, *A) error) *Of[A, R] {
	return around(o, func(ctx context.Context, a A) (r R, err error) {
		if err := f(ctx, &a); err != nil {
			return r, err
		}
		keepArguments(ctx, &a)
		return o.run(ctx, a)
	})
}

// After returns a copy of the tool that hands arguments and result of each call
// to f when the function has returned without an error, after the hooks that
// are there already. What f changes in the result is what the model gets. An
// error of f fails the call.
func (o *Of[A, R]) After(f func(context.Context, *A, *R) error) *Of[A, R] {
	return around(o, func(ctx context.Context, a A) (R, error) {
		r, err := o.run(ctx, a)
		if err == nil {
			err = f(ctx, &a, &r)
		}
		return r, err
	})
}

// Call runs hooks and function on arguments that are Go values already: no
// registry has a part in it. Its error is that of the hook or function that
// failed, or a [*PanicError].
func (o *Of[A, R]) Call(ctx context.Context, a A) (r R, err error) {
	defer contain(o.Tool.definition, &err)
	return o.run(ctx, a)
}

// around returns a copy of a tool with another function in the place of its own.
func around[A, R any](o *Of[A, R], run func(context.Context, A) (R, error)) *Of[A, R] {
	t := *o
	t.Tool.invoke, t.run = o.invoke(run), run
	return &t
}

// contain is deferred: it makes an error of a panic.
func contain(d *Definition, err *error) {
	if p := recover(); p != nil {
		*err = &PanicError{Tool: d.Name, Value: p, Stack: debug.Stack()}
	}
}

// keepArguments shows on the call what a hook has left of its arguments, where
// that can be written.
func keepArguments(ctx context.Context, a any) {
	c, ok := ctx.Value(callKey{}).(*Call)
	if !ok {
		return
	}
	e := newEncoder(c)
	e.JSON("", a)
	if text, bad := e.finish(); bad == nil {
		c.Arguments = text
	}
}

// Do is a tool whose function takes arguments A and returns nothing but an
// error. It is what [Of] is to others.
type Do[A any] struct {
	Tool Tool

	run    func(context.Context, A) error
	invoke func(run func(context.Context, A) error) Invoke
}

// BindDo returns the tool that is defined by d, as [Bind] does.
//
//go:noinline
func BindDo[A any](d *Definition, run func(context.Context, A) error, invoke func(run func(context.Context, A) error) Invoke) *Do[A] {
	return &Do[A]{Tool: New(d, invoke(run)), run: run, invoke: invoke}
}

// NewDo returns the tool that is defined by d, as [NewOf] does. The result of its
// calls is null.
func NewDo[A any](d *Definition, read func(Value) A, run func(context.Context, A) error) *Do[A] {
	return BindDo(d, run, func(run func(context.Context, A) error) Invoke {
		return func(ctx context.Context, in *Invocation) {
			a := read(in.Arguments())
			if in.Ready() {
				in.Failed(run(ctx, a))
			}
		}
	})
}

// Before returns a copy of the tool with a hook before the function; see
// [Of.Before].
func (t *Do[A]) Before(f func(context.Context, *A) error) *Do[A] {
	return aroundDo(t, func(ctx context.Context, a A) error {
		if err := f(ctx, &a); err != nil {
			return err
		}
		keepArguments(ctx, &a)
		return t.run(ctx, a)
	})
}

// After returns a copy of the tool with a hook after the function; see
// [Of.After].
func (t *Do[A]) After(f func(context.Context, *A) error) *Do[A] {
	return aroundDo(t, func(ctx context.Context, a A) error {
		err := t.run(ctx, a)
		if err == nil {
			err = f(ctx, &a)
		}
		return err
	})
}

// Call runs hooks and function on arguments that are Go values already; see
// [Of.Call].
func (t *Do[A]) Call(ctx context.Context, a A) (err error) {
	defer contain(t.Tool.definition, &err)
	return t.run(ctx, a)
}

func aroundDo[A any](t *Do[A], run func(context.Context, A) error) *Do[A] {
	x := *t
	x.Tool.invoke, x.run = t.invoke(run), run
	return &x
}

// Invocation is one run of a tool, as generated code sees it: arguments come
// from it, the result or the error goes to it. It is good until [Invoke] returns,
// and not for concurrent use.
type Invocation struct {
	call     *Call
	checking bool // do not run the function
	decoder  *decoder
	encoder  *Encoder
	err      error
}

// Arguments returns the arguments of the call. They are absent if they are no
// JSON or beyond a limit. It is called once.
func (in *Invocation) Arguments() Value {
	var root Value
	in.decoder, root = newDecoder(in.call.Arguments, &in.call.settings.limits, in.call.scope)
	return root
}

// Ready reports, after the arguments were read, whether the function is to run.
// It is not if there were faults, or if the call is only checked.
func (in *Invocation) Ready() bool {
	d := in.decoder
	in.decoder = nil
	if d.count > 0 {
		in.err = &ArgumentError{Tool: in.call.Request.Name, Faults: d.faults, Count: d.count}
	}
	d.release()
	return in.err == nil && !in.checking
}

// Failed reports whether err, the function's own, is one, and if so keeps it as
// [*ToolError]. Where the context is done, that is in the error even if the
// function did not wrap its context's error.
func (in *Invocation) Failed(err error) bool {
	if err == nil {
		return false
	}
	if cause := in.call.ctx.Err(); cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	in.err = &ToolError{Tool: in.call.Request.Name, Err: err}
	return true
}

// Result returns the encoder that the result is to be written with. It is called
// once. A call that has neither result nor error has the result null.
func (in *Invocation) Result() *Encoder {
	in.encoder = newEncoder(in.call)
	return in.encoder
}

// outcome returns what came of the run.
func (in *Invocation) outcome() (json.RawMessage, error) {
	if in.err != nil {
		return nil, in.err
	}
	if in.encoder == nil {
		return json.RawMessage("null"), nil
	}
	output, bad := in.encoder.finish()
	if bad != nil {
		bad.Tool = in.call.Request.Name
		return nil, bad
	}
	return output, nil
}
