package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync/atomic"
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
	run     *Invocation
	tool    *mounted
	id      string
	came    json.RawMessage
	meta    map[string]string
	started time.Time
	reading *Reading                  // of the arguments, if they are not those of the request
	shared  *atomic.Pointer[Exchange] // where the exchange is, once it is used; Approval and Answers make one at once
	own     atomic.Pointer[Exchange]  // where that is if there is no middleware
}

// arguments returns those that the function is run with.
func (c *callContext) arguments() json.RawMessage {
	if c.reading != nil {
		return c.reading.Value
	}
	return Request{Arguments: c.came}.arguments()
}

type callKey struct{}

// Value returns the context itself for its keys, else what the caller's has.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) || key == (peerKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// exchange returns that of the call.
func (c *callContext) exchange() *Exchange {
	return c.exchangeOf(Request{Name: c.tool.Definition().Name, Meta: c.meta})
}

// exchangeOf returns the exchange of the call that a request asked for. Its peer is
// looked for outside of its own middleware.
func (c *callContext) exchangeOf(r Request) *Exchange {
	return exchangeAt(c.shared, func() *Exchange {
		ctx := c.Context
		if h, ok := ctx.Value(peerKey{}).(*handedContext); ok && &h.shared == c.shared {
			ctx = h.Context
		}
		return newExchange(ctx, r, c.tool.settings.Output)
	})
}

// handedContext is the context of middleware, and has what that is handed. One is
// allocated for each call that has any.
type handedContext struct {
	context.Context
	call   Call
	shared atomic.Pointer[Exchange]
}

// Value returns the context itself for its keys, else what the caller's has.
func (h *handedContext) Value(key any) any {
	if key == (callKey{}) || key == (peerKey{}) {
		return h
	}
	return h.Context.Value(key)
}

// exchange returns that of the call.
func (h *handedContext) exchange() *Exchange {
	return exchangeAt(&h.shared, func() *Exchange {
		return newExchange(h.Context, h.call.Request, h.call.tool.settings.Output)
	})
}

// outsideContext is that of a function which is run without a call, though maybe by the
// function of one: the record of that is not its own, but the exchange is.
type outsideContext struct{ context.Context }

// Value returns the context itself for its key, else what the caller's has.
func (o *outsideContext) Value(key any) any {
	if key == (callKey{}) {
		return o
	}
	return o.Context.Value(key)
}

// CallFrom returns a record of the call that a function runs in, with the request and
// its Meta: a copy, to do with as one likes; nil if ctx is not that of a call.
func CallFrom(ctx context.Context) *Call {
	in, ok := ctx.Value(callKey{}).(*callContext)
	if !ok {
		return nil
	}
	c := new(Call)
	r := Request{ID: in.id, Name: in.tool.definition.Name, Arguments: in.came, Meta: in.meta} // not cut off: it would not run
	if x := in.shared.Load(); x != nil {
		r.Approval, r.Answers = x.came.Approval, slices.Clone(x.came.Answers)
	}
	c.ask(nil, r)
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
	c := ctx.(*callContext)
	reading := &Reading{Value: sight.Of(left, c.tool.definition.Input)}
	if c.reading != nil {
		reading.Edits = c.reading.Edits
	}
	c.run.changed = reading
	return &callContext{
		Context: c.Context, run: c.run, tool: c.tool, started: c.started, reading: reading,
		id: c.id, came: c.came, meta: c.meta, shared: c.shared,
	}
}
