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
	"github.com/aiongen/aiongen/runtime/tool"
)

// caller calls the tools of a session.
type caller struct {
	session *sdk.ClientSession
	own     sdk.ClientOptions // of who connected
	calls   *running
}

// Bounds of how often a server may ask during a call, and how much at once.
const (
	mostRounds    = 10
	mostQuestions = 20
	mostAsked     = mostRounds * mostQuestions
)

// call calls a tool, until it asks no more.
func (c *caller) call(ctx context.Context, name string, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	one, end := c.calls.begin(ctx)
	defer end()
	params := &sdk.CallToolParams{Name: name, Arguments: arguments, Meta: metaOf(one.said.Meta())}
	params.SetProgressToken(one.token)
	for range mostRounds {
		result, err := c.session.CallTool(one.ctx, params)
		var later *tool.AskError
		if cause := context.Cause(one.ctx); errors.As(cause, &later) || cause != nil && err != nil {
			return nil, cause // also if the server went on without an answer that comes with another call
		}
		asks, visits := requestsOf(result, err)
		if err != nil && !visits {
			return nil, inWords(err)
		}
		if asks == nil {
			return result, nil
		}
		responses, err := c.answers(one, asks)
		if err != nil {
			return nil, err
		}
		if again := *params; !visits {
			again.InputResponses, again.RequestState = responses, result.RequestState
			params = &again
		}
	}
	return nil, fmt.Errorf("the server asked something for the %dth time, and is not answered any more", mostRounds)
}

// requestsOf returns what a server asks by a result, or by the error that a person has to
// visit a URL before; nil if it asks nothing.
func requestsOf(result *sdk.CallToolResult, err error) (asks sdk.InputRequestMap, visits bool) {
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || refused.Code != sdk.CodeURLElicitationRequired {
		if err == nil {
			asks = result.InputRequests
		}
		if err == nil && asks == nil && result.NeedsInput() { // it asks for another moment
			asks = sdk.InputRequestMap{}
		}
		return asks, false
	}
	var needed struct{ Elicitations []*sdk.ElicitParams }
	if json.Unmarshal(refused.Data, &needed) != nil || len(needed.Elicitations) == 0 {
		return nil, false
	}
	asks = sdk.InputRequestMap{}
	for i, p := range needed.Elicitations {
		p.Mode = "url"
		asks[fmt.Sprintf("%03d", i)] = p
	}
	return asks, true
}

// answers asks all at once what a server asks by a result, in the order of its names.
func (c *caller) answers(one *call, asks sdk.InputRequestMap) (sdk.InputResponseMap, error) {
	if len(asks) > mostQuestions {
		return nil, fmt.Errorf("the server asks %d questions at once, and may ask %d", len(asks), mostQuestions)
	}
	responses := sdk.InputResponseMap{}
	var names []string
	var questions []ask.Question
	for _, name := range slices.Sorted(maps.Keys(asks)) {
		response, err := c.byHandler(one.ctx, asks[name])
		if err != nil {
			return nil, err
		}
		if response != nil {
			responses[name] = response
			continue
		}
		q, err := questionOf(asks[name])
		if err != nil {
			return nil, err
		}
		names, questions = append(names, name), append(questions, q)
	}
	if len(questions) == 0 {
		return responses, nil
	}
	answers, err := one.ask(one.ctx, questions)
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

// metaOf returns what a server is sent of the Meta of a request: what the protocol has
// names for. All else, a user or tenant for instance, is the program's own.
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
