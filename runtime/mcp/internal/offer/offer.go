package offer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/origin"
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
		if r.Extra != nil {
			ctx = origin.Context(ctx, r.Extra.Header)
		}
		return o.call(ctx, one, r.Params.Arguments)
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
// tool.
func (o *Offers) call(ctx context.Context, one *offer, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	if string(bytes.TrimSpace(arguments)) == "null" {
		arguments = nil
	}
	raised, err := one.Raise(arguments)
	if err != nil {
		return failed(err.Error()), nil
	}
	call, err := o.registry.Match(tool.Request{Name: one.definition.Name, Arguments: raised})
	if err != nil { // it went after the client was offered it
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: tool.ModelText(err)}
	}
	var running sync.WaitGroup
	running.Go(func() { call.Invoke(ctx) }) // so that a function which ends its goroutine does not end the request's
	running.Wait()
	return one.result(call), nil
}
