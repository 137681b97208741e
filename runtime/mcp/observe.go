package mcp

import (
	"context"
	"reflect"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/httpserver"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
	"github.com/aiongen/aiongen/runtime/mcp/internal/stdio"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// Observe sets a function that observes every request and notification of clients, for traces and
// metrics. The functions of tools, prompts and resources run with the context that f returns.
func Observe(f observe.Func) Option {
	return func(s *settings) { s.observe = f }
}

// ObserveSessions sets a function that observes the sessions of clients, for metrics. The protocol has
// had no sessions since version 2026-07-28. [Server.Serve] returns after the end of its session has been
// observed.
func ObserveSessions(f observe.SessionFunc) Option {
	return func(s *settings) { s.watch = f }
}

// watchSession calls the function that the program passed to [ObserveSessions] if result is the answer to
// initialize, which opens a session.
func (s *settings) watchSession(ctx context.Context, session *sdk.ServerSession, result sdk.Result) {
	opened, ok := result.(*sdk.InitializeResult)
	if !ok || s.watch == nil {
		return
	}
	end := s.watch(&observe.Session{ID: session.ID(), Version: opened.ProtocolVersion, Connection: peer.DeliveryFrom(ctx).Connection})
	watchers, ok := ctx.Value(watchersKey{}).(*sync.WaitGroup)
	if !ok { // a session over HTTP
		watchers = new(sync.WaitGroup)
	}
	watchers.Go(func() { end(session.Wait()) })
}

// watchersKey is the context key of a WaitGroup. Serve uses it to wait for the goroutines that observe the
// end of a session, because the program may exit as soon as Serve returns.
type watchersKey struct{}

// withPipe returns a context that describes the connection as a pipe if t is a transport over standard
// input and output.
func withPipe(ctx context.Context, t sdk.Transport) context.Context {
	switch t.(type) {
	case *sdk.StdioTransport, stdio.Transport:
		return peer.WithDelivery(ctx, peer.Delivery{Connection: observe.Connection{Transport: "pipe"}})
	}
	return ctx
}

// observeHandler is the middleware that observes requests. It skips a running call that was handed
// over to the SDK, because that call has already been observed.
func (s *settings) observeHandler(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if _, ok := httpserver.HandoverFrom(ctx, r); ok {
			return next(ctx, method, r)
		}
		observed := observedRequest(method, r)
		if extra := r.GetExtra(); extra != nil && extra.Header != nil {
			observed.Header = extra.Header.Get
			ctx = peer.RequestContext(ctx, extra.Header)
		}
		delivery := peer.DeliveryFrom(ctx)
		observed.ID, observed.Connection = delivery.ID, delivery.Connection
		if observed.Header != nil && delivery.Connection.Transport == "" { // the server uses a handler of the SDK; see AddTo
			observed.Connection = observe.Connection{Transport: "tcp", Protocol: "http"}
		}
		ctx, end := s.observe(ctx, observed)
		result, err := next(ctx, method, r)
		end(rpc.ObservedOutcome(result, err))
		return result, err
	}
}

// observedRequest converts a request of the SDK to the type that the function passed to [Observe] receives.
func observedRequest(method string, r sdk.Request) *observe.Request {
	observed := &observe.Request{Method: method}
	if session, ok := r.GetSession().(*sdk.ServerSession); ok && session != nil {
		observed.Session = session.ID()
	}
	if versioned, ok := r.(interface{ ProtocolVersion() string }); ok {
		observed.Version = versioned.ProtocolVersion()
	}
	params := r.GetParams()
	if params == nil || reflect.ValueOf(params).IsNil() {
		return observed
	}
	observed.Meta = peer.TextMeta(params.GetMeta())
	switch p := params.(type) {
	case *sdk.CallToolParamsRaw:
		observed.Tool = p.Name
	case *sdk.GetPromptParams:
		observed.Prompt = p.Name
	case *sdk.ReadResourceParams:
		observed.Resource = p.URI
	case *sdk.SubscribeParams:
		observed.Resource = p.URI
	case *sdk.UnsubscribeParams:
		observed.Resource = p.URI
	}
	return observed
}
