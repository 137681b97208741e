package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// Prompt is a text that the person at a client can choose to send to the client's model.
type Prompt struct {
	Name        string // identifies the prompt in requests
	Title       string // optional, for people
	Description string // purpose of the prompt
	Arguments   []Argument

	// Write returns the messages of the prompt. Each part is a message from the user. Write
	// runs like the function of a tool: it can ask the client through its Exchange
	// ([tool.ExchangeFrom]), it has the same limits for results, and it must be safe for
	// concurrent use.
	Write func(ctx context.Context, arguments map[string]string) ([]content.Part, error)
}

// Argument is a value that a person fills in: an argument of a [Prompt], or a variable in the
// URI of a [Resource].
type Argument struct {
	Name        string
	Description string
	Required    bool     // ignored for variables, which are always required
	Values      []string // possible values; those that match the typed prefix are proposed

	// Complete returns proposals for a typed prefix, in addition to Values. The arguments that
	// are already filled in are passed as others. Complete may be nil.
	Complete func(ctx context.Context, typed string, others map[string]string) ([]string, error)
}

// AddPrompt offers a prompt, and replaces any prompt of the same name. Clients are notified.
func (s *Server) AddPrompt(p Prompt) error {
	switch err := checkArguments(p.Arguments); {
	case p.Name == "":
		return errors.New("mcp: a prompt has no name")
	case p.Write == nil:
		return fmt.Errorf("mcp: prompt %q has no Write function", p.Name)
	case err != nil:
		return fmt.Errorf("mcp: prompt %q: %w", p.Name, err)
	}
	offered := &sdk.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		offered.Arguments = append(offered.Arguments, &sdk.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	s.index.addEntry(promptKind, p.Name, indexEntry{arguments: p.Arguments})
	s.sdk.AddPrompt(offered, func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return s.writePrompt(ctx, p, r)
	})
	return nil
}

// RemovePrompt removes the prompt of that name, if there is one. Clients are notified.
func (s *Server) RemovePrompt(name string) {
	s.sdk.RemovePrompts(name)
	s.index.removeEntry(promptKind, name)
}

// checkArguments returns an error if a name is empty or used twice.
func checkArguments(arguments []Argument) error {
	names := map[string]bool{}
	for _, a := range arguments {
		if a.Name == "" {
			return errors.New("an argument has no name")
		}
		if names[a.Name] {
			return fmt.Errorf("two arguments have the name %q", a.Name)
		}
		names[a.Name] = true
	}
	return nil
}

// writePrompt answers a request for a prompt.
func (s *Server) writePrompt(ctx context.Context, p Prompt, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	arguments := map[string]string{}
	for _, a := range p.Arguments {
		value, ok := r.Params.Arguments[a.Name]
		if !ok && a.Required {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument " + a.Name + " is missing"}
		}
		if ok {
			arguments[a.Name] = value
		}
	}
	request := peer.NewRequest("prompts/get", r)
	request.Name, request.Responses, request.State = p.Name, r.Params.InputResponses, r.Params.RequestState
	request.Arguments, _ = json.Marshal(arguments) // cannot fail for strings
	written, input, err := peer.RunWriter(ctx, request, s.tools.key, func(ctx context.Context) ([]content.Part, error) { return p.Write(ctx, arguments) })
	switch {
	case err != nil:
		return nil, err
	case input != nil:
		return &sdk.GetPromptResult{InputRequests: input.Requests, RequestState: input.State}, nil
	}
	result := &sdk.GetPromptResult{Description: p.Description, Messages: []*sdk.PromptMessage{}}
	size := 0
	for _, part := range written {
		m := &sdk.PromptMessage{Role: "user", Content: encodePart(part, request.Version)}
		result.Messages = append(result.Messages, m)
		size += contentSize(m.Content)
	}
	if err := s.checkSize("the prompt "+p.Name, size); err != nil {
		return nil, err
	}
	return result, nil
}

// checkSize returns a protocol error if a result exceeds [MaxResult].
func (s *Server) checkSize(what string, size int) error {
	if size <= s.settings.maxResult {
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s has %d bytes, more than the limit of %d", words.Cut(what, 200), size, s.settings.maxResult)}
}
