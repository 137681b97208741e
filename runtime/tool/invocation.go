package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Invocation is one run of a tool, as generated code sees it: arguments come
// from it, the result or the error goes to it. It is good until [Invoke] returns,
// and not for concurrent use.
type Invocation struct {
	call    *Call
	ctx     context.Context // of the caller; nil if the function is not to run
	decoder *decoder
	encoder *Encoder
	err     error
}

// Arguments returns the arguments of the call. They are absent if they are no
// JSON or beyond a limit. It is called once.
func (in *Invocation) Arguments() Value {
	var root Value
	in.decoder, root = newDecoder(in.call.Arguments, &in.call.tool.settings.limits, in.call.scope())
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
	if d.referred {
		in.call.access.read = true
	}
	d.release()
	return in.err == nil && in.ctx != nil
}

// Failed reports whether err, the function's own, is one, and if so keeps it as
// [*ToolError]. Where the context is done, that is in the error even if the
// function did not wrap its context's error.
func (in *Invocation) Failed(err error) bool {
	if err == nil {
		return false
	}
	_ = err.Error() // if it panics, as that of a nil pointer may, let it do so here
	if cause := in.ctx.Err(); cause != nil && !errors.Is(err, cause) {
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

// run runs the tool, and returns what came of it.
func (in *Invocation) run() (json.RawMessage, error) {
	ctx := context.Background()
	if in.ctx != nil {
		ctx = (*callContext)(in)
	}
	in.call.tool.invoke(ctx, in)
	e, err := in.encoder, in.err
	in.encoder, in.err = nil, nil
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return json.RawMessage("null"), nil
	}
	return e.finish()
}

// callContext is the context that a function gets: that of the caller, which
// knows the call.
type callContext Invocation

func (c *callContext) Deadline() (time.Time, bool) { return c.ctx.Deadline() }
func (c *callContext) Done() <-chan struct{}       { return c.ctx.Done() }
func (c *callContext) Err() error                  { return c.ctx.Err() }

type callKey struct{}

// Value returns the call for its key, else what the caller's context has.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	return c.ctx.Value(key)
}

// arguments are those of a call, as a hook sees them.
type arguments struct {
	call *Call
	text json.RawMessage // nil if they are not to be shown, or cannot be
}

// written returns the arguments of the call whose function is run in ctx. Outside
// of a call, and where there are variables among them, they are not shown.
func written(ctx context.Context, a any) arguments {
	in, ok := ctx.(*callContext)
	if !ok || in.call.access != nil && in.call.access.read {
		return arguments{}
	}
	e := newEncoder(in.call)
	e.JSON("", a)
	text, _ := e.finish()
	return arguments{in.call, text}
}

// changed shows the arguments on the call that a hook has left, if they are not
// those that came.
func (came arguments) changed(left arguments) {
	if left.text != nil && !bytes.Equal(came.text, left.text) {
		left.call.Arguments = left.text
	}
}
