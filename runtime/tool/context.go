package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/wire"
)

// callContext is the context that a function receives: the caller's context with data about the call. It does
// not change while the function runs. Goroutines that outlive the function may use the context, but not its
// invocation. One is allocated for each call, so it is small (128 bytes) and omits fields of the request that
// only the exchange needs.
type callContext struct {
	context.Context
	invocation       *Invocation
	tool             *registeredTool
	id               string
	requestArguments json.RawMessage
	meta             map[string]string
	started          time.Time
	replacement      *RepairedArguments       // the arguments after a repair or a hook; nil if they are unchanged
	exchangeHome     *callContext             // the context that owns the exchange: that of the middleware, if there is any
	ownExchange      atomic.Pointer[Exchange] // set on first use, or immediately if the request has an approval or answers
}

type callKey struct{}

// Value returns c for the keys of calls and peers, and the value of the caller's context for all others.
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

// startExchange returns the exchange that c owns. It creates the exchange for the request r on first use.
func (c *callContext) startExchange(r Request) *Exchange {
	if c.ownExchange.Load() == nil {
		c.ownExchange.CompareAndSwap(nil, newExchange(c.Context, r, c.tool.settings.Output))
	}
	return c.ownExchange.Load()
}

// bindCall initializes c as the context of a call or of one attempt. If no context owns the exchange of the call
// yet, c becomes its owner.
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

// withoutCall returns the context for a function that is called without a registry, as by TypedTool.Call. With this
// context, CallFrom returns nil. If ctx belongs to another call, ExchangeFrom still returns the exchange of that call.
func withoutCall(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, nil) }

// CallFrom returns a copy of the call in which a function runs, including its request. It returns nil if ctx is not
// the context of a call.
func CallFrom(ctx context.Context) *Call {
	in, ok := ctx.Value(callKey{}).(*callContext)
	if !ok || in.invocation == nil { // middleware receives its call as a parameter
		return nil
	}
	c := new(Call)
	r := Request{ID: in.id, Name: in.tool.definition.Name, Arguments: in.requestArguments, Meta: in.meta} // Truncated is false: no function runs for a truncated request
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

// ExchangeFrom returns the exchange of the call in which a function, hook or middleware runs. It never returns nil.
// Outside of a call, the exchange only gives access to the peer.
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

// finishedExchange is the exchange of finished calls that did not use an exchange while they ran.
var finishedExchange = func() *Exchange {
	x := &Exchange{peer: new(Peer)}
	x.finishLog()
	return x
}()

// newExchange returns the exchange of a call with the context ctx. limit is the maximum total size of content and
// replies, in bytes.
func newExchange(ctx context.Context, r Request, limit int) *Exchange {
	x := &Exchange{peer: new(Peer), request: r, log: exchangeLog{answers: r.Answers, limit: limit}}
	switch parent := ctx.Value(peerKey{}).(type) {
	case *Peer:
		x.peer = parent
	case *callContext: // the function of an outer call makes this call
		x.outer = parent.sharedExchange()
		x.peer = x.outer.peer
	}
	return x
}

// enterLayer is called when a layer (a middleware or the function, see exchangeLog) begins. If it has run before, for
// example because the call is repeated, enterLayer discards the section of the earlier attempt. It returns the position
// where the new section begins.
func (c *Call) enterLayer(layer int) (from int) {
	if x := c.exchangeHome.ownExchange.Load(); x != nil {
		x.updateLog(func() { from = x.log.enterLayer(layer) })
	}
	return from
}

// leaveLayer is called when a layer of middleware has returned err. It returns err. If err is nil but the layer has
// exceeded the limit for content and replies, it returns an [*OutputError].
func (c *Call) leaveLayer(layer, from int, err error) error {
	x := c.exchangeHome.ownExchange.Load()
	if x == nil {
		return err
	}
	x.updateLog(func() {
		if err == nil && x.log.excess > 0 {
			err = &OutputError{Tool: c.Request.Name, Err: &result.LongError{Length: x.log.excess, Limit: x.log.limit}}
		}
		x.log.leaveLayer(layer, from, err != nil)
	})
	return err
}

// finishExchange ends the exchange and, if the call used it, copies its content and replies to the call.
func (c *Call) finishExchange() {
	if c.exchangeHome != nil && !c.exchangeHome.ownExchange.CompareAndSwap(nil, finishedExchange) {
		c.Content, c.Meta = c.exchangeHome.ownExchange.Load().finishLog()
	}
	c.exchangeHome = nil
}

// argumentsJSON returns the JSON of the arguments a, for Call.Arguments. It returns nil outside of a call, or if
// some arguments are variables or converted values, whose JSON encoding/json cannot write.
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

// recordHookArguments records the arguments if a hook has changed them. It returns the context for the function, with
// which CallFrom returns the changed arguments.
func recordHookArguments(ctx context.Context, before, after json.RawMessage) context.Context {
	if after == nil || bytes.Equal(before, after) {
		return ctx
	}
	c := ctx.(*callContext)
	replacement := &RepairedArguments{Value: visibleMembers(after, c.tool.definition.Input)}
	if c.replacement != nil {
		replacement.Edits = c.replacement.Edits
	}
	c.invocation.hookArguments = replacement
	return &callContext{
		Context: c.Context, invocation: c.invocation, tool: c.tool, started: c.started, replacement: replacement,
		id: c.id, requestArguments: c.requestArguments, meta: c.meta, exchangeHome: c.exchangeHome,
	}
}
