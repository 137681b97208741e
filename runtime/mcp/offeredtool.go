package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// offeredTool is a tool as clients see it.
type offeredTool struct {
	*schema.Lowered
	definition tool.Definition // definition in the registry
}

// offerTool adds a tool to the server, or replaces it. The map names contains the tools that are
// already offered: it maps the names that clients use to the names in the registry.
func (o *toolOffers) offerTool(d tool.Definition, names map[string]string) (offered *offeredTool, err error) {
	defer func() {
		if p := recover(); p != nil { // the SDK panics if it rejects a schema, without having changed anything
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
	if earlier, taken := names[l.Name]; taken {
		return nil, fmt.Errorf("%q and %q would both have the name %s", earlier, d.Name, l.Name)
	}
	t := &sdk.Tool{
		Name:        l.Name,
		Title:       l.Title,
		Description: l.Description,
		InputSchema: l.Input,
		Annotations: encodeHints(d.Annotations),
	}
	if l.Output != nil {
		t.OutputSchema = l.Output
	}
	offered = &offeredTool{l, d}
	o.server.AddTool(t, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		request := peer.NewRequest("tools/call", r)
		request.Name, request.Arguments, request.Responses, request.State = r.Params.Name, r.Params.Arguments, r.Params.InputResponses, r.Params.RequestState
		return o.callTool(ctx, offered, request)
	})
	return offered, nil
}

// encodeHints converts annotations. It sets all hints explicitly, because clients must assume, for
// example, that a tool without hints is destructive. A read-only tool needs no hints about writing.
func encodeHints(a tool.Annotations) *sdk.ToolAnnotations {
	if a.Is(tool.ReadOnly) {
		return &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(!a.Is(tool.ClosedWorld))}
	}
	return &sdk.ToolAnnotations{
		DestructiveHint: new(!a.Is(tool.Additive)),
		IdempotentHint:  a.Is(tool.Idempotent),
		OpenWorldHint:   new(!a.Is(tool.ClosedWorld)),
	}
}

// callTool runs a tool. It treats null as missing arguments, because some clients send null. It
// returns a protocol error if the tool no longer exists or a question to the client failed.
func (o *toolOffers) callTool(ctx context.Context, offered *offeredTool, request *peer.Request) (*sdk.CallToolResult, error) {
	if string(bytes.TrimSpace(request.Arguments)) == "null" {
		request.Arguments = nil
	}
	raised, err := offered.Raise(request.Arguments)
	if err != nil {
		return errorResult(err.Error()), nil
	}
	call, input, err := peer.RunCall(ctx, request, o.key, func(r tool.Request) (*tool.Call, error) {
		r.Name, r.Arguments = offered.definition.Name, raised
		call, err := o.registry.Match(r)
		if err != nil { // the tool was removed after the client listed it
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
	o.logPanic(call)
	return limitSize(call, offered.encodeResult(call, request.Version), o.maxResult), nil
}

// logPanic logs the panic of a tool, because the client does not see it.
func (o *toolOffers) logPanic(call *tool.Call) {
	if p, ok := errors.AsType[*tool.PanicError](call.Err); ok {
		o.log.Error("mcp: a tool panicked", "tool", p.Tool, "panic", words.Cut(fmt.Sprint(p.Value), maxPanicBytes), "stack", string(p.Stack))
	}
}

// maxPanicBytes limits the logged value of a panic, in bytes.
const maxPanicBytes = 2000
