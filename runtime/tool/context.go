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
	"github.com/aiongen/aiongen/runtime/tool/internal/talk"
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
	reading *Reading                 // of the arguments, if they are not those of the request
	home    *callContext             // whose the exchange is: that of the middleware if there is any
	used    atomic.Pointer[Exchange] // once it is; where there is an approval or an answer, from the beginning
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
	return c.home.exchangeOf(Request{Name: c.tool.Definition().Name, Meta: c.meta})
}

// exchangeOf returns the exchange of the call that a request asked for.
func (c *callContext) exchangeOf(r Request) *Exchange {
	if c.used.Load() == nil {
		c.used.CompareAndSwap(nil, newExchange(c.Context, r, c.tool.settings.Output))
	}
	return c.used.Load()
}

// at sets c up as the context of a call, or of an attempt at it, whose exchange is at the
// place that the call has, else at its own.
func (c *callContext) at(ctx context.Context, call *Call) {
	c.Context, c.tool, c.id, c.started = ctx, call.tool, call.ID, call.Started
	c.came, c.meta, c.home = call.Request.Arguments, call.Request.Meta, call.home
	if call.home == nil {
		c.home, call.home = c, c
		if call.Request.Approval != "" || len(call.Request.Answers) > 0 {
			c.exchangeOf(call.Request)
		}
	}
}

// handed is what middleware is handed, with the context of it. One is allocated for each
// call that has any.
type handed struct {
	context callContext
	call    Call
}

// outside returns the context of a function that is run without a call, though maybe by
// the function of one: the record of that is not its own, but the exchange is.
func outside(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, nil) }

// CallFrom returns a copy of the record of the call that a function runs in, with the
// request; nil if ctx is not that of a call.
func CallFrom(ctx context.Context) *Call {
	in, ok := ctx.Value(callKey{}).(*callContext)
	if !ok || in.run == nil { // middleware has its call
		return nil
	}
	c := new(Call)
	r := Request{ID: in.id, Name: in.tool.definition.Name, Arguments: in.came, Meta: in.meta} // not cut off: it would not run
	if x := in.home.used.Load(); x != nil {
		r.Approval, r.Answers = x.came.Approval, slices.Clone(x.came.Answers)
	}
	c.ask(nil, r)
	c.show(in.reading)
	c.Status, c.Started = StatusProcessing, in.started
	c.Arguments, c.Repairs = bytes.Clone(c.Arguments), slices.Clone(c.Repairs)
	c.Request.Arguments, c.Request.Meta = bytes.Clone(c.Request.Arguments), maps.Clone(c.Request.Meta)
	return c
}

// ExchangeFrom returns the exchange of the call that a function, hook or middleware runs
// in, never nil: outside of one, that of the peer alone.
func ExchangeFrom(ctx context.Context) *Exchange {
	c, ok := ctx.Value(callKey{}).(*callContext)
	if !ok { // outside of one, though maybe run by the function of one
		c, ok = ctx.Value(peerKey{}).(*callContext)
	}
	if ok {
		return c.exchange()
	}
	return newExchange(ctx, Request{}, 0)
}

// overExchange is that of calls which are over.
var overExchange = func() *Exchange {
	x := &Exchange{peer: new(Peer)}
	x.talk.End()
	return x
}()

// newExchange returns the exchange of a call that was made in ctx, with a limit of what
// it says, in bytes.
func newExchange(ctx context.Context, r Request, limit int) *Exchange {
	x := &Exchange{peer: new(Peer), came: r}
	switch of := ctx.Value(peerKey{}).(type) {
	case *Peer:
		x.peer = of
	case *callContext: // of the function that makes the call
		outer := of.exchange()
		x.peer, x.talk.Outer = outer.peer, &outer.talk
	}
	x.talk.Begin(r.Name, limit, x.peer.Ask, r.Answers)
	return x
}

// enter and leave are around what may be done again; see package talk.
func (c *Call) enter(layer int) (from talk.Place) {
	if x := c.home.used.Load(); x != nil {
		from = x.talk.Enter(layer)
	}
	return from
}

func (c *Call) leave(layer int, from talk.Place, err error) error {
	if x := c.home.used.Load(); x != nil {
		if left := x.talk.Leave(layer, from, err); left != err {
			return &OutputError{Tool: c.Request.Name, Err: left}
		}
	}
	return err
}

// finish ends the exchange of a call, if it has come so far, and keeps what was said.
func (c *Call) finish() {
	if c.home != nil && !c.home.used.CompareAndSwap(nil, overExchange) {
		c.Content, c.Meta = c.home.used.Load().talk.End()
	}
	c.home = nil
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
		id: c.id, came: c.came, meta: c.meta, home: c.home,
	}
}
