package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
)

// Of is a tool whose function takes arguments A and returns a result R. Generated
// code has a function that returns one for each tool; Tool is what a registry
// takes.
type Of[A, R any] struct {
	Tool
	steps steps[A, R]
}

// steps are what a call consists of.
type steps[A, R any] struct {
	read   func(Value) A
	run    func(context.Context, A) (R, error)
	write  func(*Encoder, string, R)
	before []func(context.Context, *A) error
	after  []func(context.Context, *A, *R) error
}

// NewOf returns the tool that is defined by d, which must not be modified any
// more. For each call, read reads the arguments and records what is wrong with
// them; unless that is anything, run runs the function; write writes its result.
// All three must be safe for concurrent use.
func NewOf[A, R any](
	d *Definition,
	read func(Value) A, run func(context.Context, A) (R, error), write func(e *Encoder, lead string, r R),
) Of[A, R] {
	o := Of[A, R]{steps: steps[A, R]{read: read, run: run, write: write}}
	o.Tool = Tool{definition: d, invoke: o.steps.invoke}
	return o
}

// Before returns a copy of the tool that hands the arguments of each call to f
// before the function, after the hooks that are there already. What f changes is
// what the function gets, and what [Call.Arguments] shows, in the form of
// encoding/json. An error of f fails the call, and the function does not run.
func (o Of[A, R]) Before(f func(context.Context, *A) error) Of[A, R] {
	o.steps.before = append(slices.Clip(o.steps.before), f)
	o.Tool.invoke = o.steps.invoke
	return o
}

// After returns a copy of the tool that hands arguments and result of each call
// to f when the function has returned without an error, after the hooks that
// are there already. What f changes in the result is what the model gets. An
// error of f fails the call.
func (o Of[A, R]) After(f func(context.Context, *A, *R) error) Of[A, R] {
	o.steps.after = append(slices.Clip(o.steps.after), f)
	o.Tool.invoke = o.steps.invoke
	return o
}

// Needs returns a copy of the tool that is only offered where the scope has all
// that it needs by reference; see [Holds] and [Registry.Available].
func (o Of[A, R]) Needs(held ...func(*Scope) bool) Of[A, R] {
	o.Tool = o.Tool.with(func(x *traits) { x.needs = held })
	return o
}

// Yields returns a copy of the tool that is only offered where there is a scope,
// for JSON cannot carry all of its result. The variables that hold it are named
// by the stem and a number.
func (o Of[A, R]) Yields(stem string) Of[A, R] {
	o.Tool = o.Tool.with(func(x *traits) { x.yields = stem })
	return o
}

// Call runs hooks and function on arguments that are Go values already: no
// registry has a part in it. Its error is that of the hook or function that
// failed, or a [*PanicError].
func (o Of[A, R]) Call(ctx context.Context, a A) (r R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Tool: o.definition.Name, Value: p, Stack: debug.Stack()}
		}
	}()
	return o.steps.hooked(ctx, a, func(*A) {})
}

func (s steps[A, R]) invoke(ctx context.Context, in *invocation) {
	a := s.read(in.arguments())
	if !in.ready() {
		return
	}
	var r R
	var err error
	if s.before == nil && s.after == nil {
		r, err = s.run(ctx, a)
	} else {
		r, err = s.hooked(ctx, a, func(a *A) { in.changed(a) })
	}
	if !in.failed(err) {
		s.write(in.result(), "", r)
	}
}

// hooked runs the function between its hooks, and shows the arguments to changed
// when those before it are done.
func (s steps[A, R]) hooked(ctx context.Context, a A, changed func(*A)) (r R, err error) {
	for _, f := range s.before {
		if err := f(ctx, &a); err != nil {
			return r, err
		}
	}
	if len(s.before) > 0 {
		changed(&a)
	}
	if r, err = s.run(ctx, a); err != nil {
		return r, err
	}
	for _, f := range s.after {
		if err := f(ctx, &a, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Do is a tool whose function takes arguments A and returns nothing but an
// error. It is what [Of] is to others.
type Do[A any] struct {
	Tool
	of Of[A, struct{}]
}

// NewDo returns the tool that is defined by d, as [NewOf] does. The result of its
// calls is null.
func NewDo[A any](d *Definition, read func(Value) A, run func(context.Context, A) error) Do[A] {
	return do(NewOf(d, read, func(ctx context.Context, a A) (none struct{}, err error) {
		return none, run(ctx, a)
	}, writeNull))
}

func writeNull(e *Encoder, lead string, _ struct{}) { e.Null(lead) }

func do[A any](of Of[A, struct{}]) Do[A] { return Do[A]{Tool: of.Tool, of: of} }

// Before returns a copy of the tool with a hook before the function; see
// [Of.Before].
func (t Do[A]) Before(f func(context.Context, *A) error) Do[A] { return do(t.of.Before(f)) }

// After returns a copy of the tool with a hook after the function; see
// [Of.After].
func (t Do[A]) After(f func(context.Context, *A) error) Do[A] {
	return do(t.of.After(func(ctx context.Context, a *A, _ *struct{}) error { return f(ctx, a) }))
}

// Needs returns a copy of the tool that is only offered where the scope has all
// that it needs; see [Of.Needs].
func (t Do[A]) Needs(held ...func(*Scope) bool) Do[A] { return do(t.of.Needs(held...)) }

// Call runs hooks and function on arguments that are Go values already; see
// [Of.Call].
func (t Do[A]) Call(ctx context.Context, a A) error {
	_, err := t.of.Call(ctx, a)
	return err
}

// invocation is one run of a tool.
type invocation struct {
	call     *Call
	checking bool // do not run the function
	decoder  *decoder
	encoder  *Encoder
	err      error
}

// arguments returns the arguments of the call. They are absent if they are no
// JSON or beyond a limit.
func (in *invocation) arguments() Value {
	var root Value
	in.decoder, root = newDecoder(in.call.Arguments, &in.call.settings.limits, in.call.scope)
	return root
}

// ready reports, after the arguments were read, whether the function is to run.
// It is not if there were faults, or if the call is only checked.
func (in *invocation) ready() bool {
	d := in.decoder
	in.decoder = nil
	if d.count > 0 {
		in.err = &ArgumentError{Tool: in.call.Request.Name, Faults: d.faults, Count: d.count}
	}
	d.release()
	return in.err == nil && !in.checking
}

// changed keeps the arguments that the hooks before the function have left,
// where they can be written.
func (in *invocation) changed(a any) {
	e := newEncoder(in.call)
	e.JSON("", a)
	if text, bad := e.finish(); bad == nil {
		in.call.Arguments = text
	}
}

// failed reports whether err, the function's own, is one, and if so keeps it.
// Where the context is done, that is in the error even if the function did not
// wrap its context's error.
func (in *invocation) failed(err error) bool {
	if err == nil {
		return false
	}
	if cause := in.call.ctx.Err(); cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	in.err = &ToolError{Tool: in.call.Request.Name, Err: err}
	return true
}

// result returns the encoder that the result is to be written with.
func (in *invocation) result() *Encoder {
	in.encoder = newEncoder(in.call)
	return in.encoder
}

// outcome returns what came of the run.
func (in *invocation) outcome() (json.RawMessage, error) {
	if in.err != nil {
		return nil, in.err
	}
	output, bad := in.encoder.finish()
	if bad != nil {
		bad.Tool = in.call.Request.Name
		return nil, bad
	}
	return output, nil
}
