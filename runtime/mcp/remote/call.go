package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/link"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Limits of how often a server may ask during a call, and how much at once.
const (
	mostRounds    = 10
	mostQuestions = 20
	mostAsked     = mostRounds * mostQuestions
)

// callTool calls a tool until the server asks nothing more. A call that repeats without harm
// has no unknown outcome when its context expires.
func (s *Server) callTool(ctx context.Context, name string, arguments json.RawMessage, repeats bool) (*answer, error) {
	c, end := s.calls.begin(ctx, name)
	defer end()
	params := sdk.CallToolParams{Name: name, Arguments: arguments}
	if len(arguments) == 0 {
		params.Arguments = json.RawMessage("{}")
	}
	for range mostRounds {
		text, err := s.request(c.ctx, "tools/call", func(l *link.Link) any {
			params := params
			params.Meta = l.WithMeta(metaOf(c.exchange.Meta()))
			params.Meta["progressToken"] = c.token
			return &params
		})
		if err := endOf(c.ctx, err, repeats); err != nil {
			return nil, err
		}
		asks, visits := visitsOf(err)
		var a *answer
		switch {
		case err == nil:
			if a, err = s.readAnswer(text); err != nil {
				return nil, err
			}
			asks = a.asks
		case !visits:
			return nil, inWords(err)
		}
		if asks == nil {
			return a, nil
		}
		responses, err := s.answers(c, asks)
		if err != nil {
			return nil, err
		}
		if !visits {
			params.InputResponses, params.RequestState = responses, a.state
		}
	}
	return nil, fmt.Errorf("the server asked more than %d times in one call, and gets no more answers", mostRounds)
}

// endOf returns why a call ended whose context is done; nil if the context is valid.
func endOf(ctx context.Context, err error, repeats bool) error {
	cause := context.Cause(ctx)
	var later *tool.AskError
	switch {
	case cause == nil, err == nil && !errors.As(cause, &later): // the answer came in time
		return nil
	case errors.As(err, new(*UnavailableError)): // nothing was sent
		if errors.Is(cause, errClosed) {
			return err
		}
	case errors.Is(cause, context.DeadlineExceeded) && !repeats:
		return &tool.UnknownOutcomeError{Err: cause}
	}
	return cause
}

// visitsOf returns the URLs that a person has to visit before a call, which the server
// reports by an error.
func visitsOf(err error) (asks sdk.InputRequestMap, visits bool) {
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || refused.Code != sdk.CodeURLElicitationRequired {
		return nil, false
	}
	var needed struct{ Elicitations []*sdk.ElicitParams }
	if json.Unmarshal(refused.Data, &needed) != nil || len(needed.Elicitations) == 0 {
		return nil, false
	}
	asks = sdk.InputRequestMap{}
	for i, p := range needed.Elicitations {
		if p == nil {
			return nil, false
		}
		p.Mode = "url"
		asks[fmt.Sprintf("%03d", i)] = p
	}
	return asks, true
}

// answers asks everything at once that a server asks by a result, in the order of the names.
func (s *Server) answers(c *call, asks sdk.InputRequestMap) (sdk.InputResponseMap, error) {
	if len(asks) > mostQuestions {
		return nil, fmt.Errorf("the server asks %d questions at once, but may ask only %d", len(asks), mostQuestions)
	}
	responses := sdk.InputResponseMap{}
	var names []string
	var questions []ask.Question
	for _, name := range slices.Sorted(maps.Keys(asks)) {
		response, err := s.byHandler(c.ctx, asks[name])
		if err != nil {
			return nil, err
		}
		if response != nil {
			responses[name] = response
			continue
		}
		q, err := s.questionOf(asks[name], c)
		if err != nil {
			return nil, err
		}
		names, questions = append(names, name), append(questions, q)
	}
	if len(questions) == 0 {
		return responses, nil
	}
	answers, err := c.ask(c.ctx, questions)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if responses[name], err = responseTo(asks[name], answers[i]); err != nil {
			return nil, err
		}
	}
	return responses, nil
}

// metaOf returns what a server receives of the Meta of a request: what the protocol has names
// for. The rest, such as a user or a tenant, is the program's own.
func metaOf(texts map[string]string) sdk.Meta {
	meta := sdk.Meta{}
	for name, text := range texts {
		switch {
		case isReserved(name):
		case name == "traceparent", name == "tracestate", name == "baggage", strings.Contains(name, "/"):
			meta[name] = text
		}
	}
	return meta
}
