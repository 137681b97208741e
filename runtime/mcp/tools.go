package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

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
func (s *Server) offer(d tool.Definition, names map[string]string) (o *offer, err error) {
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
	o = &offer{l, d}
	s.sdk.AddTool(t, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.call(ctx, o, r.Params.Arguments)
	})
	return o, nil
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

// call runs a tool. The error is one of the protocol: that there is no such tool.
func (s *Server) call(ctx context.Context, o *offer, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	raised, err := o.Raise(arguments)
	if err != nil {
		return failed(err.Error()), nil
	}
	call, err := s.registry.Match(tool.Request{Name: o.definition.Name, Arguments: raised})
	if err != nil { // it went after the client was offered it
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: tool.ModelText(err)}
	}
	var running sync.WaitGroup
	running.Go(func() { call.Invoke(ctx) }) // so that a function which ends its goroutine does not end the request's
	running.Wait()
	if call.Err != nil {
		return failed(failure(call.Err)), nil
	}
	output := o.Result(call.Output)
	result := &sdk.CallToolResult{Content: text(string(output))}
	if o.Output != nil {
		result.StructuredContent = output
	}
	if call.Note != "" {
		result.Content = append(result.Content, text(call.Note)...)
	}
	return result, nil
}

func failed(why string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: text(why), IsError: true}
}

// failure says an error in words for the model.
func failure(err error) string {
	var approval *tool.ApprovalError
	if errors.As(err, &approval) {
		return approval.Tool + " did not run: it needs the approval of a person, which cannot be given here. Do not call it again; go on without it, or tell the user."
	}
	return tool.ModelText(err)
}

func text(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }
