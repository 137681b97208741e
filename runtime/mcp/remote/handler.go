package remote

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// clientOptions returns the options for the SDK's client. To the options that the program set with
// [Client], it adds handlers that ask the driver of the running call.
func (s *Server) clientOptions() *sdk.ClientOptions {
	o := s.config.client
	listChanged := o.ToolListChangedHandler
	o.Logger = s.log
	o.MultiRoundTrip = &sdk.MultiRoundTripOptions{Disabled: true} // the SDK would ask the questions one by one, in random order
	o.ToolListChangedHandler = func(ctx context.Context, r *sdk.ToolListChangedRequest) {
		s.notifyChange()
		if listChanged != nil {
			listChanged(ctx, r)
		}
	}
	if o.ElicitationHandler == nil {
		o.Capabilities = addElicitation(o.Capabilities)
		o.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return answerDuringCall[*sdk.ElicitResult](ctx, s, r.Params)
		}
	}
	if o.CreateMessageHandler == nil && o.CreateMessageWithToolsHandler == nil {
		o.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return answerDuringCall[*sdk.CreateMessageResult](ctx, s, r.Params)
		}
	}
	return &o
}

// addElicitation returns a copy of c that also declares support for forms and URLs, unless c sets
// Elicitation itself.
func addElicitation(c *sdk.ClientCapabilities) *sdk.ClientCapabilities {
	all := sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{ListChanged: true}} // the default of the SDK
	if c != nil {
		all = *c
	}
	if all.Elicitation == nil {
		all.Elicitation = &sdk.ElicitationCapabilities{Form: new(sdk.FormElicitationCapabilities), URL: new(sdk.URLElicitationCapabilities)}
	}
	return &all
}

// wrapHandler is the middleware for requests of the server. If the SDK panics, for example
// because the params of a question are missing, only that request fails.
func (s *Server) wrapHandler(next sdk.MethodHandler) sdk.MethodHandler {
	next = s.answerRoots(next)
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		return rpc.Recover(s.log, method, func() (sdk.Result, error) { return next(ctx, method, r) })
	}
}

// answerRoots answers roots/list with the roots of the driver of the running call. If the driver has
// none, the SDK answers with the roots of its client.
func (s *Server) answerRoots(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if method != "roots/list" {
			return next(ctx, method, r)
		}
		response, err := answerDuringCall[*sdk.ListRootsResult](ctx, s, new(sdk.ListRootsParams))
		if err != nil || len(response.Roots) == 0 {
			return next(ctx, method, r)
		}
		return response, nil
	}
}

// answerDuringCall answers a question that the server asks in a session, by asking the driver of the
// running call. It fails unless exactly one call is running, because the question does not say which
// call it belongs to.
func answerDuringCall[R sdk.InputResponse](ctx context.Context, s *Server, r sdk.InputRequest) (response R, err error) {
	c, err := s.calls.onlyCall()
	if err == nil {
		var answer sdk.InputResponse
		if answer, err = s.answerQuestion(ctx, c, r); err == nil {
			return answer.(R), nil
		}
	}
	return response, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}
