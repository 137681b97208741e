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

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Limits of the questions that a server may ask during a call.
const (
	maxRounds           = 10
	maxQuestions        = 20
	maxQuestionsPerCall = maxRounds * maxQuestions
)

// callTool calls a tool, answers the questions of the server, and repeats the call with the
// answers until there is a result. If repeats is set, the call can be repeated without harm, so
// its outcome is not reported as unknown when the context expires.
func (s *Server) callTool(ctx context.Context, name string, arguments json.RawMessage, repeats bool) (*answer, error) {
	c, end := s.calls.beginCall(ctx, name)
	defer end()
	params := sdk.CallToolParams{Name: name, Arguments: arguments}
	if len(arguments) == 0 {
		params.Arguments = json.RawMessage("{}")
	}
	for range maxRounds {
		text, err := s.sendCall(c, params)
		if err := callEndError(c.ctx, err, repeats); err != nil {
			return nil, err
		}
		asks, visits := requiredVisits(err)
		var a *answer
		switch {
		case err == nil:
			if a, err = s.readAnswer(text); err != nil {
				return nil, err
			}
			asks = a.asks
		case !visits:
			return nil, toCallError(err)
		}
		if asks == nil {
			return a, nil
		}
		responses, err := s.answerAll(c, asks)
		if err != nil {
			return nil, err
		}
		if !visits {
			params.InputResponses, params.RequestState = responses, a.state
		}
	}
	return nil, fmt.Errorf("the server asked more than %d times in one call, and gets no more answers", maxRounds)
}

// sendCall sends the request of a call and returns the result.
func (s *Server) sendCall(c *call, params sdk.CallToolParams) (json.RawMessage, error) {
	r := &observe.Request{Method: "tools/call", Tool: params.Name, Meta: selectMeta(c.exchange.Meta())}
	ctx, end := s.observeRequest(c.ctx, r)
	text, err := s.sendRequest(ctx, r, func(l *transport.Link) any {
		params := params
		params.Meta = l.WithMeta(metaOf(r.Meta))
		params.Meta["progressToken"] = c.token
		return &params
	})
	end(text, err)
	return text, err
}

// callEndError returns the error of a call whose context is done, or nil if the context is
// valid or the answer arrived in time.
func callEndError(ctx context.Context, err error, repeats bool) error {
	cause := context.Cause(ctx)
	var later *tool.AskError
	switch {
	case cause == nil, err == nil && !errors.As(cause, &later): // the answer arrived in time
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

// requiredVisits returns the URLs that a person must visit before the call, if err is the error
// with which the server requires this.
func requiredVisits(err error) (asks sdk.InputRequestMap, visits bool) {
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

// answerAll answers the questions in a result. It asks them at once, in the order of their
// names.
func (s *Server) answerAll(c *call, asks sdk.InputRequestMap) (sdk.InputResponseMap, error) {
	if len(asks) > maxQuestions {
		return nil, fmt.Errorf("the server asks %d questions at once, but may ask only %d", len(asks), maxQuestions)
	}
	responses := sdk.InputResponseMap{}
	var names []string
	var questions []tool.Question
	for _, name := range slices.Sorted(maps.Keys(asks)) {
		response, err := s.callHandler(c.ctx, asks[name])
		if err != nil {
			return nil, err
		}
		if response != nil {
			responses[name] = response
			continue
		}
		q, err := s.newQuestion(asks[name], c)
		if err != nil {
			return nil, err
		}
		names, questions = append(names, name), append(questions, q)
	}
	if len(questions) == 0 {
		return responses, nil
	}
	answers, err := c.askDriver(c.ctx, questions)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if responses[name], err = encodeAnswer(asks[name], answers[i]); err != nil {
			return nil, err
		}
	}
	return responses, nil
}

// selectMeta returns the members of a request's Meta that are sent to the server: those that the
// protocol names. Others, such as a user or a tenant, belong to the program.
func selectMeta(texts map[string]string) map[string]string {
	meta := map[string]string{}
	for name, text := range texts {
		switch {
		case isReserved(name):
		case name == "traceparent", name == "tracestate", name == "baggage", strings.Contains(name, "/"):
			meta[name] = text
		}
	}
	return meta
}
