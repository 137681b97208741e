package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/tool"
)

// answer answers what a server asks during a call. If the answer comes with another call,
// this one ends.
func (s *Server) answer(ctx context.Context, c *call, r sdk.InputRequest) (sdk.InputResponse, error) {
	q, err := s.questionOf(r, c)
	if err != nil {
		return nil, err
	}
	asking, end := context.WithCancel(c.ctx)
	defer end()
	defer context.AfterFunc(ctx, end)()
	answers, err := c.ask(asking, []ask.Question{q})
	if err != nil {
		var later *tool.AskError
		if errors.As(err, &later) && !later.Nobody {
			c.end(err)
		}
		return nil, err
	}
	return responseTo(r, answers[0])
}

// ask asks whoever drives the call. If nobody answers, a question to a person is canceled, and
// there are no roots. A call in which too much is asked ends.
func (c *call) ask(ctx context.Context, questions []ask.Question) ([]ask.Answer, error) {
	if c.questions.Add(int32(len(questions))) > mostAsked { // before the lock, so that a flood does not wait there
		err := fmt.Errorf("the server asked more than %d questions in one call, and gets no more answers", mostAsked)
		c.end(err)
		return nil, err
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	answers, err := c.exchange.Ask(ctx, questions...)
	var nobody *tool.AskError
	if !errors.As(err, &nobody) || !nobody.Nobody {
		return answers, err
	}
	answers = nil
	for _, q := range questions {
		switch q.Kind {
		case ask.KindModel:
			return nil, err
		case ask.KindRoots:
			answers = append(answers, q.Accept(json.RawMessage("[]")))
		default:
			answers = append(answers, q.Cancel())
		}
	}
	return answers, nil
}

// byHandler returns the answer of a handler of the client options; nil if there is no such
// handler.
func (s *Server) byHandler(ctx context.Context, r sdk.InputRequest) (sdk.InputResponse, error) {
	own, session := s.config.client, s.Session()
	switch p := r.(type) {
	case *sdk.ElicitParams:
		if h := own.ElicitationHandler; h != nil {
			return h(ctx, &sdk.ElicitRequest{Session: session, Params: p})
		}
	case *sdk.CreateMessageWithToolsParams: // as the SDK reads all
		if h := own.CreateMessageWithToolsHandler; h != nil {
			return h(ctx, &sdk.CreateMessageWithToolsRequest{Session: session, Params: p})
		}
		if h := own.CreateMessageHandler; h != nil {
			plain, err := withoutTools(p)
			if err != nil {
				return nil, err
			}
			return h(ctx, &sdk.CreateMessageRequest{Session: session, Params: plain})
		}
	}
	return nil, nil
}

// questionOf returns what a server asks during a call, and says who asks.
func (s *Server) questionOf(r sdk.InputRequest, c *call) (ask.Question, error) {
	q, err := question(r)
	q.From = fmt.Sprintf("tool %q of %s", words.Cut(words.Visible(c.tool, ""), longestPart), s.source())
	return q, err
}

// question returns what a server asks.
func question(r sdk.InputRequest) (ask.Question, error) {
	switch p := r.(type) {
	case *sdk.ElicitParams:
		if p.Mode == "url" {
			return ask.Visit(p.Message, p.URL), nil
		}
		schema, err := json.Marshal(p.RequestedSchema)
		if p.RequestedSchema == nil {
			schema = nil
		}
		return ask.Person(p.Message, schema), err
	case *sdk.CreateMessageParams:
		return model(p)
	case *sdk.CreateMessageWithToolsParams:
		plain, err := withoutTools(p)
		if err != nil {
			return ask.Question{}, err
		}
		return model(plain)
	case *sdk.ListRootsParams:
		return ask.Roots(), nil
	}
	return ask.Question{}, errors.New("the server asks a question of an unknown kind")
}

// withoutTools returns a question to a model that has no tools.
func withoutTools(p *sdk.CreateMessageWithToolsParams) (*sdk.CreateMessageParams, error) {
	if len(p.Tools) > 0 {
		return nil, errors.New("the server asks for a model that calls its tools, which is not supported")
	}
	plain := &sdk.CreateMessageParams{
		Meta: p.Meta, IncludeContext: p.IncludeContext, MaxTokens: p.MaxTokens, Metadata: p.Metadata,
		ModelPreferences: p.ModelPreferences, StopSequences: p.StopSequences, SystemPrompt: p.SystemPrompt, Temperature: p.Temperature,
	}
	for _, m := range p.Messages {
		for _, content := range m.Content {
			plain.Messages = append(plain.Messages, &sdk.SamplingMessage{Role: m.Role, Content: content})
		}
	}
	return plain, nil
}

// model returns a question to a model as one text.
func model(p *sdk.CreateMessageParams) (ask.Question, error) {
	var texts []string
	if p.SystemPrompt != "" {
		texts = append(texts, p.SystemPrompt)
	}
	for _, m := range p.Messages {
		if m == nil {
			return ask.Question{}, errors.New("the server sends a model an empty message")
		}
		text, ok := m.Content.(*sdk.TextContent)
		switch {
		case !ok:
			return ask.Question{}, errors.New("the server sends a model content other than text, which is not supported")
		case len(p.Messages) > 1:
			texts = append(texts, string(m.Role)+": "+text.Text)
		default:
			texts = append(texts, text.Text)
		}
	}
	return ask.Model(strings.Join(texts, "\n\n"), int(min(p.MaxTokens, math.MaxInt32))), nil
}

// responseTo returns an answer in the form of the protocol.
func responseTo(r sdk.InputRequest, a ask.Answer) (sdk.InputResponse, error) {
	switch r.(type) {
	case *sdk.ElicitParams:
		response := &sdk.ElicitResult{Action: string(a.Action)}
		if a.Accepted() && len(a.Value) > 0 {
			return response, a.Into(&response.Content)
		}
		return response, nil
	case *sdk.ListRootsParams:
		response := &sdk.ListRootsResult{Roots: []*sdk.Root{}}
		if !a.Accepted() {
			return response, nil
		}
		var roots []ask.Root
		err := a.Into(&roots)
		for _, root := range roots {
			response.Roots = append(response.Roots, &sdk.Root{URI: root.URI, Name: root.Name})
		}
		return response, err
	}
	var text string
	err := a.Into(&text)
	return &sdk.CreateMessageResult{Role: "assistant", Model: "unknown", Content: &sdk.TextContent{Text: text}}, err
}
