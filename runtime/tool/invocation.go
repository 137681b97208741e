package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/wire"
)

// Invocation is one run of a tool, as generated code sees it: arguments come
// from it, the result or the error goes to it. It is good until [Invoke] returns,
// and not for concurrent use.
type Invocation struct {
	// These do not change while the function runs: goroutines that it leaves
	// behind may use its context for ever.
	call    *Call           // whose Err is where an error waits
	ctx     context.Context // of the caller; nil if the function is not to run
	reading *Reading        // of the arguments, if they are not read as they came

	access  *access // nil without a scope
	decoder *wire.Decoder
	encoder *wire.Encoder
}

// Arguments returns the arguments of the call. They are absent if they are no
// JSON or beyond a limit. It is called once.
func (in *Invocation) Arguments() (root wire.Value) {
	var vars wire.Variables
	toValues := false
	if in.access != nil {
		vars, toValues = (*variables)(in), in.access.scope.refersToValues
	}
	in.decoder, root = wire.Read(in.call.Arguments, &in.call.tool.settings.Limits, vars, toValues)
	return root
}

// Ready reports, after the arguments were read, whether the function is to run.
// It is not if there were faults, or if the call is only checked.
func (in *Invocation) Ready() bool {
	faults, count, referred := in.decoder.Done()
	in.decoder = nil
	if count > 0 {
		in.call.Err = &ArgumentError{Tool: in.call.Request.Name, Faults: faults, Count: count}
	}
	if referred {
		in.access.read = true
	}
	return in.call.Err == nil && in.ctx != nil
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
	in.call.Err = &ToolError{Tool: in.call.Request.Name, Err: err}
	return true
}

// Result returns the encoder that the result is to be written with. It is called
// once. A call that has neither result nor error has the result null.
func (in *Invocation) Result() *wire.Encoder {
	in.encoder = in.write()
	return in.encoder
}

func (in *Invocation) write() *wire.Encoder {
	return wire.Write(in.call.tool.settings.Output, (*variables)(in))
}

// run runs the tool, and returns what came of it.
func (in *Invocation) run() (json.RawMessage, error) {
	ctx := context.Background()
	if in.ctx != nil {
		ctx = (*callContext)(in)
	}
	in.call.tool.invoke(ctx, in)
	e := in.encoder
	in.encoder = nil
	switch err := in.call.Err; {
	case err != nil:
		in.call.Err = nil
		return nil, err
	case e == nil:
		return json.RawMessage("null"), nil
	}
	output, pointer, err := e.Done()
	if err != nil {
		return nil, &OutputError{Tool: in.call.Request.Name, Pointer: pointer, Err: err}
	}
	return output, nil
}

// callContext is the context that a function gets: that of the caller, which
// knows the call.
type callContext Invocation

func (c *callContext) Deadline() (time.Time, bool) { return c.ctx.Deadline() }
func (c *callContext) Done() <-chan struct{}       { return c.ctx.Done() }
func (c *callContext) Err() error                  { return c.ctx.Err() }

type callKey struct{}

// Value returns the run for its key, else what the caller's context has.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return (*Invocation)(c)
	}
	return c.ctx.Value(key)
}

// record returns a copy of the call for its function, with what it was run with.
func (in *Invocation) record() *Call {
	c := newCall(nil, in.call.Request)
	c.show(in.reading)
	c.Status, c.Started = StatusProcessing, in.call.Started
	c.Arguments, c.Repairs = bytes.Clone(c.Arguments), slices.Clone(c.Repairs)
	c.Request.Arguments, c.Request.Meta = bytes.Clone(c.Request.Arguments), maps.Clone(c.Request.Meta)
	return c
}

// written returns the arguments that the function run in ctx would get, as its
// call shows them. Outside of a call, and where there are variables among them,
// they are not shown.
func written(ctx context.Context, a any) json.RawMessage {
	c, ok := ctx.(*callContext)
	if !ok || c.access != nil && c.access.read {
		return nil
	}
	e := (*Invocation)(c).write()
	e.JSON("", a)
	text, _, _ := e.Done()
	return text
}

// changed shows the arguments that a hook has left, if they are not those that
// came. It returns the context of the function, which knows them.
func changed(ctx context.Context, came, left json.RawMessage) context.Context {
	if left == nil || bytes.Equal(came, left) {
		return ctx
	}
	in := *(*Invocation)(ctx.(*callContext))
	reading := Reading{Value: left, Edits: in.call.Repairs}
	in.reading = &reading
	in.call.show(&reading)
	return (*callContext)(&in)
}
