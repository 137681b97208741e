package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/runtime/wire"
)

// callContext is the context that a function gets: the caller's context with the call. It does not change
// while the function runs. Goroutines that outlive the function may use it, but not its invocation. One is
// allocated for each call: it has 128 bytes and holds no part of the request that others use.
type callContext struct {
	context.Context
	invocation       *Invocation
	tool             *registeredTool
	id               string
	requestArguments json.RawMessage
	meta             map[string]string
	started          time.Time
	replacement      *RepairedArguments       // for the arguments of the request, after repair or a hook; nil if they are unchanged
	exchangeHome     *callContext             // the context that owns the exchange: that of the middleware, if there is any
	ownExchange      atomic.Pointer[Exchange] // set on first use, or at once if the request has an approval or answers
}

type callKey struct{}

// Value returns c for the keys of this package, and asks the caller's context for others.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) || key == (peerKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// sharedExchange returns the exchange of the call.
func (c *callContext) sharedExchange() *Exchange {
	return c.exchangeHome.startExchange(Request{Name: c.tool.Definition().Name, Meta: c.meta})
}

// startExchange returns the exchange of the call for r, and creates it on first use.
func (c *callContext) startExchange(r Request) *Exchange {
	if c.ownExchange.Load() == nil {
		c.ownExchange.CompareAndSwap(nil, newExchange(c.Context, r, c.tool.settings.Output))
	}
	return c.ownExchange.Load()
}

// bindCall sets up c as the context of a call or of an attempt at it. If the call has no exchange yet, c owns
// it.
func (c *callContext) bindCall(ctx context.Context, call *Call) {
	c.Context, c.tool, c.id, c.started = ctx, call.tool, call.ID, call.Started
	c.requestArguments, c.meta, c.exchangeHome = call.Request.Arguments, call.Request.Meta, call.exchangeHome
	if call.exchangeHome == nil {
		c.exchangeHome, call.exchangeHome = c, c
		if call.Request.Approval != "" || len(call.Request.Answers) > 0 {
			c.startExchange(call.Request)
		}
	}
}

// middlewareCall is the call that middleware receives, with its context. One is allocated for each call that
// has middleware.
type middlewareCall struct {
	context callContext
	call    Call
}

// withoutCall returns the context for a function that is run outside of a registry, though possibly by the
// function of another call. CallFrom does not find that other call; ExchangeFrom finds its exchange.
func withoutCall(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, nil) }

// CallFrom returns a copy of the call, with its request, in which a function runs. It returns nil if ctx does
// not come from a call.
func CallFrom(ctx context.Context) *Call {
	in, ok := ctx.Value(callKey{}).(*callContext)
	if !ok || in.invocation == nil { // middleware receives its call as a parameter
		return nil
	}
	c := new(Call)
	r := Request{ID: in.id, Name: in.tool.definition.Name, Arguments: in.requestArguments, Meta: in.meta} // never truncated: the function would not run
	if x := in.exchangeHome.ownExchange.Load(); x != nil {
		r.Approval, r.Answers = x.request.Approval, slices.Clone(x.request.Answers)
	}
	c.setRequest(nil, r)
	c.setArguments(in.replacement)
	c.Status, c.Started = StatusProcessing, in.started
	c.Arguments, c.Repairs = bytes.Clone(c.Arguments), slices.Clone(c.Repairs)
	c.Request.Arguments, c.Request.Meta = bytes.Clone(c.Request.Arguments), maps.Clone(c.Request.Meta)
	return c
}

// ExchangeFrom returns the exchange of the call in which a function, hook or middleware runs. It is never
// nil. Outside of a call, it only reaches the peer.
func ExchangeFrom(ctx context.Context) *Exchange {
	c, ok := ctx.Value(callKey{}).(*callContext)
	if !ok { // outside of a call, but possibly inside the function of another call
		c, ok = ctx.Value(peerKey{}).(*callContext)
	}
	if ok {
		return c.sharedExchange()
	}
	return newExchange(ctx, Request{}, 0)
}

// finishedExchange is the exchange of calls that never used one and are over.
var finishedExchange = func() *Exchange {
	x := &Exchange{peer: new(Peer)}
	x.state.finishLog()
	return x
}()

// newExchange returns the exchange of a call made in ctx. limit is the limit in bytes for all content and
// replies.
func newExchange(ctx context.Context, r Request, limit int) *Exchange {
	x := &Exchange{peer: new(Peer), request: r}
	switch of := ctx.Value(peerKey{}).(type) {
	case *Peer:
		x.peer = of
	case *callContext: // of the function that makes the call
		outer := of.sharedExchange()
		x.peer, x.state.outer = outer.peer, &outer.state
	}
	x.state.startLog(r.Name, limit, x.peer.Ask, r.Answers)
	return x
}

// enterLayer begins an attempt at a middleware layer or at the call; see exchangeState.
func (c *Call) enterLayer(layer int) (from logPosition) {
	if x := c.exchangeHome.ownExchange.Load(); x != nil {
		from = x.state.enterLayer(layer)
	}
	return from
}

// leaveLayer ends an attempt. It returns err, or an error if the attempt attached and replied too much.
func (c *Call) leaveLayer(layer int, from logPosition, err error) error {
	if x := c.exchangeHome.ownExchange.Load(); x != nil {
		if excess := x.state.leaveLayer(layer, from, err != nil); excess != nil {
			return &OutputError{Tool: c.Request.Name, Err: excess}
		}
	}
	return err
}

// finishExchange ends the exchange, if the call used it, and takes over its content and replies.
func (c *Call) finishExchange() {
	if c.exchangeHome != nil && !c.exchangeHome.ownExchange.CompareAndSwap(nil, finishedExchange) {
		c.Content, c.Meta = c.exchangeHome.ownExchange.Load().state.finishLog()
	}
	c.exchangeHome = nil
}

// argumentsJSON returns the arguments a, as the call shows them. It returns nil outside of a call and if
// encoding/json may not write some arguments as they were.
func argumentsJSON(ctx context.Context, a any) json.RawMessage {
	c, ok := ctx.(*callContext)
	if !ok || c.invocation.variables.readsOpaque {
		return nil
	}
	var e wire.Encoder
	e.Start(c.tool.settings.Output, &c.invocation.variables)
	e.JSON("", a)
	text, _, _ := e.Done()
	return text
}

// recordHookArguments records the arguments after a hook if they differ from those before it. It returns the
// context for the function, in which CallFrom finds them.
func recordHookArguments(ctx context.Context, came, left json.RawMessage) context.Context {
	if left == nil || bytes.Equal(came, left) {
		return ctx
	}
	c := ctx.(*callContext)
	reading := &RepairedArguments{Value: visibleMembers(left, c.tool.definition.Input)}
	if c.replacement != nil {
		reading.Edits = c.replacement.Edits
	}
	c.invocation.hookArguments = reading
	return &callContext{
		Context: c.Context, invocation: c.invocation, tool: c.tool, started: c.started, replacement: reading,
		id: c.id, requestArguments: c.requestArguments, meta: c.meta, exchangeHome: c.exchangeHome,
	}
}
