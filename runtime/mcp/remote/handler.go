package remote

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/contain"
)

// handlers are the options of a client: those of who connected, and where they have
// nothing, what goes to the calls that run.
func (c *caller) handlers(changed func()) *sdk.ClientOptions {
	o := c.own
	o.MultiRoundTrip = &sdk.MultiRoundTripOptions{Disabled: true} // it would ask one by one, in any order
	o.ToolListChangedHandler = func(ctx context.Context, r *sdk.ToolListChangedRequest) {
		changed()
		if h := c.own.ToolListChangedHandler; h != nil {
			h(ctx, r)
		}
	}
	o.ProgressNotificationHandler = func(ctx context.Context, r *sdk.ProgressNotificationClientRequest) {
		if h := c.own.ProgressNotificationHandler; !c.calls.progress(r.Params) && h != nil {
			h(ctx, r)
		}
	}
	if o.ElicitationHandler == nil {
		o.Capabilities = withPerson(o.Capabilities)
		o.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return during[*sdk.ElicitResult](ctx, c.calls, r.Params)
		}
	}
	if o.CreateMessageHandler == nil && o.CreateMessageWithToolsHandler == nil {
		o.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return during[*sdk.CreateMessageResult](ctx, c.calls, r.Params)
		}
	}
	return &o
}

// withPerson adds to what a client can that there is a person, if nothing is said of it.
func withPerson(c *sdk.ClientCapabilities) *sdk.ClientCapabilities {
	can := sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{ListChanged: true}} // the default of the SDK
	if c != nil {
		can = *c
	}
	if can.Elicitation == nil {
		can.Elicitation = &sdk.ElicitationCapabilities{Form: new(sdk.FormElicitationCapabilities), URL: new(sdk.URLElicitationCapabilities)}
	}
	return &can
}

// receive is around everything that a server asks. What it leaves out where the SDK
// relies on it, as the params of a question, is an error of that request alone.
func (c *caller) receive(next sdk.MethodHandler) sdk.MethodHandler {
	next = c.roots(next)
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		return contain.Answer(c.log(), method, func() (sdk.Result, error) { return next(ctx, method, r) })
	}
}

// log is told of what a server does wrong.
func (c *caller) log() *slog.Logger { return cmp.Or(c.own.Logger, slog.Default()) }

// roots answers with the roots of whoever drives the call that runs, else with those of
// the client.
func (c *caller) roots(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if method != "roots/list" {
			return next(ctx, method, r)
		}
		response, err := during[*sdk.ListRootsResult](ctx, c.calls, new(sdk.ListRootsParams))
		if err != nil || len(response.Roots) == 0 {
			return next(ctx, method, r)
		}
		return response, nil
	}
}

// during asks what a server asks in a session, during the only call that runs.
func during[R sdk.InputResponse](ctx context.Context, calls *running, r sdk.InputRequest) (response R, err error) {
	one, err := calls.only()
	if err == nil {
		var any sdk.InputResponse
		if any, err = one.answer(ctx, r); err == nil {
			return any.(R), nil
		}
	}
	return response, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}
