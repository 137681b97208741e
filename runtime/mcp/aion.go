package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/aiongen/aiongen/runtime/content"
)

// aionPrompts are the prompts that .aion files contain in addition to tools.
type aionPrompts struct {
	system    string
	rules     []string
	wrapQuery func(query string, payload any) (string, error)
}

// Prompts offers the prompts of generated code under their names in .aion files:
//
//   - system_prompt, which clients also receive as the instructions of the server
//   - rules
//   - wrapped_query, with the arguments query and payload; payload may be JSON
//
// Prompts that are empty or nil are not offered.
func Prompts(system string, rules []string, wrapQuery func(query string, payload any) (string, error)) Option {
	return func(s *settings) { s.aion = aionPrompts{system, rules, wrapQuery} }
}

// addPrompts adds the prompts to a server.
func (a aionPrompts) addPrompts(s *Server) error {
	var errs []error
	if a.system != "" {
		errs = append(errs, s.AddPrompt(Prompt{Name: "system_prompt", Description: "How to work with these tools.", Write: fixedText(a.system)}))
	}
	if len(a.rules) > 0 {
		errs = append(errs, s.AddPrompt(Prompt{Name: "rules", Description: "Rules to follow when working with these tools.", Write: fixedText("- " + strings.Join(a.rules, "\n- "))}))
	}
	if a.wrapQuery != nil {
		errs = append(errs, s.AddPrompt(Prompt{
			Name:        "wrapped_query",
			Description: "A request in the form that these tools expect.",
			Arguments: []Argument{
				{Name: "query", Description: "what the user asks for", Required: true},
				{Name: "payload", Description: "data for the request, as JSON or text"},
			},
			Write: a.writeWrapped,
		}))
	}
	return errors.Join(errs...)
}

func fixedText(text string) func(context.Context, map[string]string) ([]content.Part, error) {
	return func(context.Context, map[string]string) ([]content.Part, error) {
		return []content.Part{content.Text(text)}, nil
	}
}

func (a aionPrompts) writeWrapped(_ context.Context, arguments map[string]string) ([]content.Part, error) {
	text, err := a.wrapQuery(arguments["query"], parsePayload(arguments["payload"]))
	return []content.Part{content.Text(text)}, err
}

// parsePayload returns the payload for the generated function: raw JSON if the text is a JSON
// object or array, nil if the text is empty, otherwise the text itself.
func parsePayload(text string) any {
	switch raw := json.RawMessage(text); {
	case text == "":
		return nil
	case strings.ContainsAny(text[:1], "{[") && json.Valid(raw):
		return raw
	}
	return text
}
