package mcp

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// The kinds of what stands on a shelf, as requests for completion have them.
const (
	shelfPrompt   = "ref/prompt"
	shelfResource = "ref/resource"
)

// shelf has the arguments of what is offered beside tools.
type shelf struct {
	mu sync.RWMutex
	of map[[2]string]shelved // by kind, and by name or URI
}

// shelved is a prompt or a resource.
type shelved struct {
	arguments []Argument
	uri       *uritemplate.Template // nil of a prompt
}

func (s *shelf) put(kind, name string, one shelved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[[2]string]shelved{}
	}
	s.of[[2]string{kind, name}] = one
}

func (s *shelf) take(kind, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, [2]string{kind, name})
}

func (s *shelf) get(kind, name string) (one shelved, there bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	one, there = s.of[[2]string{kind, name}]
	return one, there
}

// has reports whether a URI is that of a resource, or fits that of one.
func (s *shelf) has(uri string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, one := range s.of {
		if one.uri != nil && (one.uri.Raw() == uri || one.uri.Regexp().MatchString(uri)) {
			return true
		}
	}
	return false
}

// mostProposed is how many values the protocol lets be proposed at once.
const mostProposed = 100

// complete proposes values for an argument that is being typed.
func (s *Server) complete(ctx context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	ref, typed := r.Params.Ref, r.Params.Argument
	name := ref.Name
	if ref.Type == shelfResource {
		name = ref.URI
	}
	one, there := s.shelf.get(ref.Type, name)
	if !there {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is nothing of that name to complete arguments of"}
	}
	var proposed []string
	for _, a := range one.arguments {
		if a.Name != typed.Name {
			continue
		}
		for _, value := range a.Values {
			if len(value) >= len(typed.Value) && strings.EqualFold(value[:len(typed.Value)], typed.Value) {
				proposed = append(proposed, value)
			}
		}
		if a.Complete == nil {
			break
		}
		var others map[string]string
		if r.Params.Context != nil {
			others = r.Params.Context.Arguments
		}
		more, err := a.Complete(peer.Context(ctx, peer.Of("completion/complete", r)), typed.Value, others)
		if err != nil {
			return nil, err
		}
		proposed = append(proposed, more...)
	}
	result := sdk.CompletionResultDetails{Values: []string{}, Total: len(proposed), HasMore: len(proposed) > mostProposed}
	result.Values = append(result.Values, proposed[:min(len(proposed), mostProposed)]...)
	return &sdk.CompleteResult{Completion: result}, nil
}
