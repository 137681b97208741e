package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// offer adds a tool to those that clients see, or changes it.
func (s *Server) offer(d tool.Definition) (err error) {
	defer func() {
		if p := recover(); p != nil { // it is how the SDK refuses schemas, before it does anything
			err = fmt.Errorf("mcp: %v", p)
		}
	}()
	l, err := lower(d)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	t := &sdk.Tool{
		Name:        l.Name,
		Title:       l.Title,
		Description: l.Description,
		InputSchema: l.Input,
		// All is said, since what the protocol takes for granted is the worst.
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint:    d.Annotations.ReadOnly,
			DestructiveHint: &d.Annotations.Destructive,
			IdempotentHint:  d.Annotations.Idempotent,
			OpenWorldHint:   &d.Annotations.OpenWorld,
		},
	}
	if l.Output != nil {
		t.OutputSchema = l.Output
	}
	s.sdk.AddTool(t, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.call(ctx, l, tool.Request{Name: d.Name, Arguments: r.Params.Arguments})
	})
	return nil
}

// call runs a tool. The error is one of the protocol: that there is no such tool.
func (s *Server) call(ctx context.Context, l *lowered, r tool.Request) (*sdk.CallToolResult, error) {
	call, err := s.registry.Match(r)
	if err != nil { // it went after the client was offered it
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: tool.ModelText(err)}
	}
	call.Invoke(ctx)
	if call.Err != nil {
		return &sdk.CallToolResult{Content: text(failure(call.Err)), IsError: true}, nil
	}
	output := l.Result(call.Output)
	result := &sdk.CallToolResult{Content: text(string(output))}
	if l.Output != nil {
		result.StructuredContent = output
	}
	return result, nil
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
