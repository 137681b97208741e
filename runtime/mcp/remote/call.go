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
// answers until there is a result. If repeatable is true, repeating the call is harmless. Then its
// outcome is not reported as unknown when the context expires.
func (s *Server) callTool(ctx context.Context, name string, arguments json.RawMessage, repeatable bool) (*answer, error) {
	c, end := s.calls.beginCall(ctx, name)
	defer end()
	params := sdk.CallToolParams{Name: name, Arguments: arguments}
	if len(arguments) == 0 {
		params.Arguments = json.RawMessage("{}")
	}
	for range maxRounds {
		text, err := s.sendCall(c, params)
		if err := callEndError(c.ctx, err, repeatable); err != nil {
			return nil, err
		}
		questions, mustVisit := requiredVisits(err)
		var a *answer
		switch {
		case err == nil:
			if a, err = s.readAnswer(text); err != nil {
				return nil, err
			}
			questions = a.questions
		case !mustVisit:
			return nil, toCallError(err)
		}
		if questions == nil {
			return a, nil
		}
		responses, err := s.answerAll(c, questions)
		if err != nil {
			return nil, err
		}
		if !mustVisit {
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

// callEndError returns the error of a call whose context is done. It returns nil if the context is
// not done or the answer arrived before that.
func callEndError(ctx context.Context, err error, repeatable bool) error {
	cause := context.Cause(ctx)
	var later *tool.AskError
	switch {
	case cause == nil, err == nil && !errors.As(cause, &later): // the answer arrived in time
		return nil
	case errors.As(err, new(*UnavailableError)): // nothing was sent
		if errors.Is(cause, errClosed) {
			return err
		}
	case errors.Is(cause, context.DeadlineExceeded) && !repeatable:
		return &tool.UnknownOutcomeError{Err: cause}
	}
	return cause
}

// requiredVisits checks whether err requires a person to visit URLs before the call. If so, it returns
// a question for each URL, and true.
func requiredVisits(err error) (questions sdk.InputRequestMap, mustVisit bool) {
	var protocolErr *jsonrpc.Error
	if !errors.As(err, &protocolErr) || protocolErr.Code != sdk.CodeURLElicitationRequired {
		return nil, false
	}
	var data struct{ Elicitations []*sdk.ElicitParams }
	if json.Unmarshal(protocolErr.Data, &data) != nil || len(data.Elicitations) == 0 {
		return nil, false
	}
	questions = sdk.InputRequestMap{}
	for i, p := range data.Elicitations {
		if p == nil {
			return nil, false
		}
		p.Mode = "url"
		questions[fmt.Sprintf("%03d", i)] = p
	}
	return questions, true
}

// answerAll answers the questions in a result. It asks the driver all of them at once, sorted by name.
func (s *Server) answerAll(c *call, requests sdk.InputRequestMap) (sdk.InputResponseMap, error) {
	if len(requests) > maxQuestions {
		return nil, fmt.Errorf("the server asks %d questions at once, but may ask only %d", len(requests), maxQuestions)
	}
	responses := sdk.InputResponseMap{}
	var names []string
	var questions []tool.Question
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		response, err := s.callHandler(c.ctx, requests[name])
		if err != nil {
			return nil, err
		}
		if response != nil {
			responses[name] = response
			continue
		}
		q, err := s.newQuestion(requests[name], c)
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
		if responses[name], err = encodeAnswer(requests[name], answers[i]); err != nil {
			return nil, err
		}
	}
	return responses, nil
}

// selectMeta returns the members of a request's Meta that are sent to the server: the trace context, and
// members whose names have a prefix, such as example.com/tenant. Other members, such as the name of a
// user, are only for the program.
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
