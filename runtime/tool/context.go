package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/tool/internal/sight"
	"github.com/aiongen/aiongen/runtime/wire"
)

// callContext is the context that a function gets: that of the caller, which
// knows the call. It does not change while the function runs: goroutines that the
// function leaves behind may use it for ever, though not run. One is allocated for
// each call: 128 bytes, with no part of the request in it that others know.
type callContext struct {
	context.Context
	run      *Invocation
	tool     *mounted
	id       string
	came     json.RawMessage
	meta     map[string]string
	approval string
	started  time.Time
	reading  *Reading // of the arguments, if they are not those of the request
}

// arguments returns those that the function is run with.
func (c *callContext) arguments() json.RawMessage {
	if c.reading != nil {
		return c.reading.Value
	}
	return Request{Arguments: c.came}.arguments()
}

type callKey struct{}

// Value returns the context itself for its key, else what the caller's has.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// outside returns the context of a function that is run without a call, though maybe
// by the function of one, whose record is not its own.
func outside(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, nil) }

// CallFrom returns a record of the call that a function runs in, with the request and
// its Meta: a copy, to do with as one likes; nil if ctx is not that of a call.
func CallFrom(ctx context.Context) *Call {
	in, ok := ctx.Value(callKey{}).(*callContext)
	if !ok {
		return nil
	}
	c := new(Call)
	c.ask(nil, Request{ID: in.id, Name: in.tool.definition.Name, Arguments: in.came, Meta: in.meta, Approval: in.approval}) // not cut off: it would not run
	c.show(in.reading)
	c.Status, c.Started = StatusProcessing, in.started
	c.Arguments, c.Repairs = bytes.Clone(c.Arguments), slices.Clone(c.Repairs)
	c.Request.Arguments, c.Request.Meta = bytes.Clone(c.Request.Arguments), maps.Clone(c.Request.Meta)
	return c
}

// argumentsJSON returns the arguments that the function run in ctx would get, as its
// call shows them. Outside of a call, and where there are variables among them,
// they are not shown.
func argumentsJSON(ctx context.Context, a any) json.RawMessage {
	c, ok := ctx.(*callContext)
	if !ok || c.run.vars.Read {
		return nil
	}
	var e wire.Encoder
	e.Start(c.tool.settings.Output, &c.run.vars)
	e.JSON("", a)
	text, _, _ := e.Done()
	return text
}

// showArguments shows the arguments that a hook has left, if they are not those that
// came. It returns the context of the function, which knows them.
func showArguments(ctx context.Context, came, left json.RawMessage) context.Context {
	if left == nil || bytes.Equal(came, left) {
		return ctx
	}
	c := *ctx.(*callContext)
	reading := &Reading{Value: sight.Of(left, c.tool.definition.Input)}
	if c.reading != nil {
		reading.Edits = c.reading.Edits
	}
	c.reading, c.run.changed = reading, reading
	return &c
}
