// Package prompts shows the prompts of .aion files to the clients of an MCP server.
package prompts

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Aion is what .aion files say beside their tools. What is empty or nil is not
// offered.
type Aion struct {
	System string
	Rules  []string
	Wrap   func(query string, payload any) (string, error)
}

// AddTo offers them under the names by which .aion files know them.
func (p Aion) AddTo(s *sdk.Server) {
	if p.System != "" {
		s.AddPrompt(&sdk.Prompt{Name: "system_prompt", Description: "How to work with these tools."}, fixed(p.System))
	}
	if len(p.Rules) > 0 {
		s.AddPrompt(&sdk.Prompt{Name: "rules", Description: "What to heed when working with these tools."}, fixed("- "+strings.Join(p.Rules, "\n- ")))
	}
	if p.Wrap != nil {
		s.AddPrompt(&sdk.Prompt{
			Name:        "wrapped_query",
			Description: "A request, in the form that these tools were made for.",
			Arguments: []*sdk.PromptArgument{
				{Name: "query", Description: "what the user asks for", Required: true},
				{Name: "payload", Description: "data that belongs to it, as JSON or text"},
			},
		}, p.wrapped)
	}
}

func fixed(text string) sdk.PromptHandler {
	return func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) { return prompt(text), nil }
}

func (p Aion) wrapped(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	query, given := r.Params.Arguments["query"]
	if !given {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument query is missing"}
	}
	text, err := p.Wrap(query, payload(r.Params.Arguments["payload"]))
	if err != nil {
		return nil, err
	}
	return prompt(text), nil
}

// payload returns the value that generated code shows as the text: JSON stays JSON.
func payload(text string) any {
	switch raw := json.RawMessage(text); {
	case text == "":
		return nil
	case strings.ContainsAny(text[:1], "{[") && json.Valid(raw):
		return raw
	}
	return text
}

func prompt(text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}
}
