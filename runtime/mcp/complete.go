package mcp

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// The kinds of index entries, as completion requests name them.
const (
	promptKind   = "ref/prompt"
	resourceKind = "ref/resource"
)

// argumentIndex holds the arguments of prompts and resources, for completion.
type argumentIndex struct {
	mu      sync.RWMutex
	entries map[[2]string]indexEntry // by kind, and by name or URI
}

// indexEntry describes a prompt or a resource.
type indexEntry struct {
	arguments []Argument
	uri       *uritemplate.Template // URI of a resource; nil for a prompt
}

func (s *argumentIndex) addEntry(kind, name string, entry indexEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries == nil {
		s.entries = map[[2]string]indexEntry{}
	}
	s.entries[[2]string{kind, name}] = entry
}

func (s *argumentIndex) removeEntry(kind, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.entries, [2]string{kind, name})
}

func (s *argumentIndex) findEntry(kind, name string) (entry indexEntry, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	entry, ok = s.entries[[2]string{kind, name}]
	return entry, ok
}

// matchesURI reports whether a resource has this URI or a template that matches it.
func (s *argumentIndex) matchesURI(uri string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, entry := range s.entries {
		if entry.uri != nil && (entry.uri.Raw() == uri || entry.uri.Regexp().MatchString(uri)) {
			return true
		}
	}
	return false
}

// maxProposals is the maximum number of proposals that the protocol allows in one answer.
const maxProposals = 100

// completeArgument answers a completion request: it proposes values for an argument that is
// being typed.
func (s *Server) completeArgument(ctx context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	ref, typed := r.Params.Ref, r.Params.Argument
	name := ref.Name
	if ref.Type == resourceKind {
		name = ref.URI
	}
	entry, ok := s.index.findEntry(ref.Type, name)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no prompt or resource with that name"}
	}
	var proposed []string
	for _, a := range entry.arguments {
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
		more, err := rpc.RunIsolated(s.settings.log, r.Params.Ref.Type+" completion", func() ([]string, error) {
			return a.Complete(peer.WithCaller(ctx, peer.NewRequest("completion/complete", r)), typed.Value, others)
		})
		if err != nil {
			return nil, err
		}
		proposed = append(proposed, more...)
	}
	result := sdk.CompletionResultDetails{Values: []string{}, Total: len(proposed), HasMore: len(proposed) > maxProposals}
	result.Values = append(result.Values, proposed[:min(len(proposed), maxProposals)]...)
	return &sdk.CompleteResult{Completion: result}, nil
}
