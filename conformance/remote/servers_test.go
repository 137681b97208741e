package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mark3labs "github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools of each server.
const (
	noteInput  = `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}`
	noteOutput = `{"type":"object","properties":{"id":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id","tags"]}`
	cityInput  = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`
)

// noteText is the result of the tool note. Its id cannot be represented by float64.
const noteText = `{"id":9007199254740993,"tags":["a","b"]}`

// newOfficial returns a go-sdk server that only supports one version.
func newOfficial(version string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "go-sdk", Version: "1"}, &sdk.ServerOptions{
		SupportedProtocolVersions: []string{version},
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
		PageSize:                  2,
	})
	texts := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	any := json.RawMessage(`{"type":"object"}`)
	s.AddTool(&sdk.Tool{Name: "note", Title: "Note", Description: "Reads a note.", InputSchema: json.RawMessage(noteInput), OutputSchema: json.RawMessage(noteOutput), Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			result := texts(noteText)
			result.StructuredContent = json.RawMessage(noteText)
			return result, nil
		})
	s.AddTool(&sdk.Tool{Name: "fail", Description: "Fails.", InputSchema: any}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result := new(sdk.CallToolResult)
		result.SetError(errors.New("there is no such note"))
		return result, nil
	})
	s.AddTool(&sdk.Tool{Name: "picture", Description: "Draws.", InputSchema: any}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result := texts("a dot")
		result.Content = append(result.Content, &sdk.ImageContent{MIMEType: "image/png", Data: []byte{1, 2, 3}})
		return result, nil
	})
	s.AddTool(&sdk.Tool{Name: "slow", Description: "Takes long.", InputSchema: any}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 10, Message: "one"})
		if err != nil {
			return nil, err
		}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s.AddTool(&sdk.Tool{Name: "book", Description: "Books.", InputSchema: any}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		question := &sdk.ElicitParams{Mode: "form", Message: "Where to?", RequestedSchema: json.RawMessage(cityInput)}
		answer, _ := r.Params.InputResponses["city"].(*sdk.ElicitResult)
		var err error
		switch {
		case version < "2026-07-28":
			if answer, err = r.Session.Elicit(ctx, question); err != nil {
				return nil, err
			}
		case answer == nil:
			return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"city": question}, RequestState: "asked"}, nil
		}
		city, _ := answer.Content["city"].(string)
		return texts(answer.Action + " " + city), nil
	})
	s.AddTool(&sdk.Tool{Name: "grow", Description: "Adds a tool.", InputSchema: any}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddTool(&sdk.Tool{Name: "grown", Description: "Is new.", InputSchema: any}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return texts("new"), nil
		})
		return texts("grew"), nil
	})
	return s
}

func officialHTTP(version string) http.Handler {
	s := newOfficial(version)
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: version >= "2026-07-28", PropagateRequestCancellation: true})
}

// newMark3labs returns an mcp-go server.
func newMark3labs(version string) *mark3labs.MCPServer {
	s := mark3labs.NewMCPServer("mcp-go", "1", mark3labs.WithToolCapabilities(true), mark3labs.WithElicitation(), mark3labs.WithPaginationLimit(2))
	any := json.RawMessage(`{"type":"object"}`)
	note := mcp.NewToolWithRawSchema("note", "Reads a note.", json.RawMessage(noteInput))
	note.Title, note.RawOutputSchema, note.Annotations.ReadOnlyHint = "Note", json.RawMessage(noteOutput), new(true)
	s.AddTool(note, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(json.RawMessage(noteText), noteText), nil
	})
	s.AddTool(mcp.NewToolWithRawSchema("fail", "Fails.", any), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("there is no such note"), nil
	})
	s.AddTool(mcp.NewToolWithRawSchema("picture", "Draws.", any), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultImage("a dot", "AQID", "image/png"), nil
	})
	s.AddTool(mcp.NewToolWithRawSchema("slow", "Takes long.", any), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		err := s.SendNotificationToClient(ctx, "notifications/progress", map[string]interface{}{"progressToken": r.Params.Meta.ProgressToken, "progress": 1, "total": 10, "message": "one"})
		if err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute): // the notification is not always sent
		}
		return nil, ctx.Err()
	})
	s.AddTool(mcp.NewToolWithRawSchema("book", "Books.", any), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		question := mcp.ElicitationParams{Message: "Where to?", RequestedSchema: json.RawMessage(cityInput)}
		answer := mark3labs.ElicitationResponse(r.Params.InputResponses, "city")
		var err error
		switch {
		case version < "2026-07-28":
			if answer, err = s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: question}); err != nil {
				return nil, err
			}
		case answer == nil:
			return mark3labs.NewInputRequestBuilder("asked").Elicit("city", question).ToolResult(), nil
		}
		content, _ := answer.Content.(map[string]interface{})
		city, _ := content["city"].(string)
		return mcp.NewToolResultText(string(answer.Action) + " " + city), nil
	})
	s.AddTool(mcp.NewToolWithRawSchema("grow", "Adds a tool.", any), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(mcp.NewToolWithRawSchema("grown", "Is new.", any), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("new"), nil
		})
		return mcp.NewToolResultText("grew"), nil
	})
	return s
}

func mark3labsHTTP(version string) http.Handler {
	h := mark3labs.NewStreamableHTTPServer(newMark3labs(version), mark3labs.WithHTTPContextFunc(func(ctx context.Context, _ *http.Request) context.Context {
		return mark3labs.WithSupportedProtocolVersions(ctx, []string{version})
	}))
	return h
}
