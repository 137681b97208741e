package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/aiongen/aiongen/runtime/content"
)

// aion is what .aion files say beside their tools.
type aion struct {
	system string
	rules  []string
	wrap   func(query string, payload any) (string, error)
}

// Prompts offers what generated code has of prompts, under the names by which
// .aion files know them: system_prompt, which is also given to clients as the
// instructions of the server, rules, and wrapped_query with the arguments query
// and payload, which may be JSON. What is empty or nil is not offered.
func Prompts(system string, rules []string, wrapQuery func(query string, payload any) (string, error)) Option {
	return func(s *settings) { s.aion = aion{system, rules, wrapQuery} }
}

// addTo offers the prompts.
func (a aion) addTo(s *Server) error {
	var failed []error
	if a.system != "" {
		failed = append(failed, s.AddPrompt(Prompt{Name: "system_prompt", Description: "How to work with these tools.", Write: fixed(a.system)}))
	}
	if len(a.rules) > 0 {
		failed = append(failed, s.AddPrompt(Prompt{Name: "rules", Description: "What to heed when working with these tools.", Write: fixed("- " + strings.Join(a.rules, "\n- "))}))
	}
	if a.wrap != nil {
		failed = append(failed, s.AddPrompt(Prompt{
			Name:        "wrapped_query",
			Description: "A request, in the form that these tools were made for.",
			Arguments: []Argument{
				{Name: "query", Description: "what the user asks for", Required: true},
				{Name: "payload", Description: "data that belongs to it, as JSON or text"},
			},
			Write: a.wrapped,
		}))
	}
	return errors.Join(failed...)
}

func fixed(text string) func(context.Context, map[string]string) ([]content.Part, error) {
	return func(context.Context, map[string]string) ([]content.Part, error) {
		return []content.Part{content.Text(text)}, nil
	}
}

func (a aion) wrapped(_ context.Context, arguments map[string]string) ([]content.Part, error) {
	text, err := a.wrap(arguments["query"], payload(arguments["payload"]))
	return []content.Part{content.Text(text)}, err
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
