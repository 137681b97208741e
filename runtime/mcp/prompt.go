package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/parts"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// Prompt is what the person at a client may choose to say to its model: each part that
// it writes is a message of the person. Write runs as the function of a tool does: it has
// an Exchange ([tool.ExchangeFrom]), by which it may ask, its limits are those of
// results, and it must be safe for concurrent use.
type Prompt struct {
	Name        string // by which clients ask for it
	Title       string // for people, if it has one
	Description string // what it is for
	Arguments   []Argument
	Write       func(ctx context.Context, arguments map[string]string) ([]content.Part, error)
}

// Argument is what a person fills in: an argument of a [Prompt], or a variable in the URI
// of a [Resource].
type Argument struct {
	Name        string
	Description string
	Required    bool     // a variable always is
	Values      []string // proposed while it is typed, those that begin so

	// Complete returns what else is proposed for what was typed, with the arguments that
	// are filled in already; nil if there is no more than Values.
	Complete func(ctx context.Context, typed string, others map[string]string) ([]string, error)
}

// AddPrompt offers a prompt, instead of one of the same name if there is one. Clients
// are told.
func (s *Server) AddPrompt(p Prompt) error {
	switch err := checkArguments(p.Arguments); {
	case p.Name == "":
		return errors.New("mcp: a prompt has no name")
	case p.Write == nil:
		return fmt.Errorf("mcp: prompt %q has no function that writes it", p.Name)
	case err != nil:
		return fmt.Errorf("mcp: prompt %q: %w", p.Name, err)
	}
	offered := &sdk.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		offered.Arguments = append(offered.Arguments, &sdk.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	s.shelf.put(shelfPrompt, p.Name, shelved{arguments: p.Arguments})
	s.sdk.AddPrompt(offered, func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return s.write(ctx, p, r)
	})
	return nil
}

// RemovePrompt takes a prompt away, if there is one of that name. Clients are told.
func (s *Server) RemovePrompt(name string) {
	s.sdk.RemovePrompts(name)
	s.shelf.take(shelfPrompt, name)
}

// checkArguments returns what is wrong with arguments; nil if nothing is.
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

// write answers a request for a prompt.
func (s *Server) write(ctx context.Context, p Prompt, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	arguments := map[string]string{}
	for _, a := range p.Arguments {
		value, given := r.Params.Arguments[a.Name]
		if !given && a.Required {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument " + a.Name + " is missing"}
		}
		if given {
			arguments[a.Name] = value
		}
	}
	from := peer.Of("prompts/get", r)
	from.Name, from.Responses, from.State = p.Name, r.Params.InputResponses, r.Params.RequestState
	from.Arguments, _ = json.Marshal(arguments) // it is made of strings
	written, input, err := peer.Write(ctx, from, s.key, func(ctx context.Context) ([]content.Part, error) { return p.Write(ctx, arguments) })
	switch {
	case err != nil:
		return nil, err
	case input != nil:
		return &sdk.GetPromptResult{InputRequests: input.Requests, RequestState: input.State}, nil
	}
	result := &sdk.GetPromptResult{Description: p.Description, Messages: []*sdk.PromptMessage{}}
	for _, part := range written {
		result.Messages = append(result.Messages, &sdk.PromptMessage{Role: "user", Content: parts.Content(part, from.Version)})
	}
	return result, nil
}
