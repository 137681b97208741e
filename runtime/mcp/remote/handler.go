package remote

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/contain"
)

// handlers returns the options of the client of the SDK: those of [Client], and for what they
// have no handler, one that asks whoever drives the call that runs.
func (s *Server) handlers() *sdk.ClientOptions {
	o := s.config.client
	own := o.ToolListChangedHandler
	o.MultiRoundTrip = &sdk.MultiRoundTripOptions{Disabled: true} // it would ask one by one, in any order
	o.ToolListChangedHandler = func(ctx context.Context, r *sdk.ToolListChangedRequest) {
		s.change()
		if own != nil {
			own(ctx, r)
		}
	}
	if o.ElicitationHandler == nil {
		o.Capabilities = withPerson(o.Capabilities)
		o.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return during[*sdk.ElicitResult](ctx, s, r.Params)
		}
	}
	if o.CreateMessageHandler == nil && o.CreateMessageWithToolsHandler == nil {
		o.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return during[*sdk.CreateMessageResult](ctx, s, r.Params)
		}
	}
	return &o
}

// withPerson returns the capabilities of a client that can ask a person, unless c says what it
// can ask.
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

// receive handles everything that a server asks. If something is missing that the SDK relies
// on, such as the params of a question, only that request fails.
func (s *Server) receive(next sdk.MethodHandler) sdk.MethodHandler {
	next = s.roots(next)
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		return contain.Answer(s.log(), method, func() (sdk.Result, error) { return next(ctx, method, r) })
	}
}

// roots answers with the roots of whoever drives the call that runs, else with those of
// the client.
func (s *Server) roots(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if method != "roots/list" {
			return next(ctx, method, r)
		}
		response, err := during[*sdk.ListRootsResult](ctx, s, new(sdk.ListRootsParams))
		if err != nil || len(response.Roots) == 0 {
			return next(ctx, method, r)
		}
		return response, nil
	}
}

// during answers what a server asks in a session, during the only call that runs.
func during[R sdk.InputResponse](ctx context.Context, s *Server, r sdk.InputRequest) (response R, err error) {
	c, err := s.calls.only()
	if err == nil {
		var answer sdk.InputResponse
		if answer, err = s.answer(ctx, c, r); err == nil {
			return answer.(R), nil
		}
	}
	return response, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}
