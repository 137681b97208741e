package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompts are what .aion files say beside their tools.
type prompts struct {
	system string
	rules  []string
	wrap   func(query string, payload any) (string, error)
}

// Prompts offers what generated code has of prompts, under the names by which
// .aion files know them: system_prompt, which is also given to clients as the
// instructions of the server, rules, and wrapped_query with the arguments query
// and payload, which may be JSON. What is empty or nil is not offered.
func Prompts(system string, rules []string, wrapQuery func(query string, payload any) (string, error)) Option {
	return func(s *settings) { s.prompts = prompts{system, rules, wrapQuery} }
}

func (p prompts) addTo(s *sdk.Server) {
	if p.system != "" {
		s.AddPrompt(&sdk.Prompt{Name: "system_prompt", Description: "How to work with these tools."}, fixed(p.system))
	}
	if len(p.rules) > 0 {
		s.AddPrompt(&sdk.Prompt{Name: "rules", Description: "What to heed when working with these tools."}, fixed("- "+strings.Join(p.rules, "\n- ")))
	}
	if p.wrap != nil {
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

func (p prompts) wrapped(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	query, given := r.Params.Arguments["query"]
	if !given {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument query is missing"}
	}
	text, err := p.wrap(query, payload(r.Params.Arguments["payload"]))
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
