package offer

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// offer is a tool as clients see it.
type offer struct {
	*schema.Lowered
	definition tool.Definition // in the registry
}

// offer adds a tool to those that clients see, or changes it. Names are those that
// clients know already, with the tools that have them.
func (o *Offers) offer(d tool.Definition, names map[string]string) (one *offer, err error) {
	defer func() {
		if p := recover(); p != nil { // it is how the SDK refuses schemas, before it does anything
			err = fmt.Errorf("%v", p)
		}
	}()
	l, err := schema.Lower(schema.MCP, d)
	if err != nil {
		return nil, err
	}
	for _, loss := range l.Losses {
		if loss.Severity == schema.Refused {
			return nil, errors.New(loss.String())
		}
	}
	if other, taken := names[l.Name]; taken {
		return nil, fmt.Errorf("%q and %q would both be called %s", other, d.Name, l.Name)
	}
	t := &sdk.Tool{
		Name:        l.Name,
		Title:       l.Title,
		Description: l.Description,
		InputSchema: l.Input,
		Annotations: hints(d.Annotations),
	}
	if l.Output != nil {
		t.OutputSchema = l.Output
	}
	one = &offer{l, d}
	o.server.AddTool(t, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		from := peer.Of("tools/call", r)
		from.Name, from.Arguments, from.Responses, from.State = r.Params.Name, r.Params.Arguments, r.Params.InputResponses, r.Params.RequestState
		return o.call(ctx, one, from)
	})
	return one, nil
}

// hints says all that the protocol has a word for, since what it takes for granted is
// the worst. Of what only reads, it has none on how it writes.
func hints(a tool.Annotations) *sdk.ToolAnnotations {
	if a.Is(tool.ReadOnly) {
		return &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(!a.Is(tool.ClosedWorld))}
	}
	return &sdk.ToolAnnotations{
		DestructiveHint: new(!a.Is(tool.Additive)),
		IdempotentHint:  a.Is(tool.Idempotent),
		OpenWorldHint:   new(!a.Is(tool.ClosedWorld)),
	}
}

// call runs a tool. Arguments that are null are none, since there are clients that
// write what they have not. The error is one of the protocol: that there is no such
// tool, or what a question comes to.
func (o *Offers) call(ctx context.Context, one *offer, from *peer.Request) (*sdk.CallToolResult, error) {
	if string(bytes.TrimSpace(from.Arguments)) == "null" {
		from.Arguments = nil
	}
	raised, err := one.Raise(from.Arguments)
	if err != nil {
		return failed(err.Error()), nil
	}
	call, input, err := peer.Drive(ctx, from, o.key, func(r tool.Request) (*tool.Call, error) {
		r.Name, r.Arguments = one.definition.Name, raised
		call, err := o.registry.Match(r)
		if err != nil { // it went after the client was offered it
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: tool.ModelText(err)}
		}
		return call, nil
	})
	switch {
	case err != nil:
		return nil, err
	case input != nil:
		return &sdk.CallToolResult{InputRequests: input.Requests, RequestState: input.State}, nil
	}
	return one.result(call, from.Version), nil
}
