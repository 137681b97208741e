package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/tool"
)

// answer answers what a server asks during a call. If the answer comes with another call,
// this one ends.
func (c *call) answer(ctx context.Context, r sdk.InputRequest) (sdk.InputResponse, error) {
	q, err := questionOf(r)
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

// ask asks whoever drives the call. Where nobody answers, a person's answer is that
// there is none, and there are no roots. A call in which too much is asked ends.
func (c *call) ask(ctx context.Context, questions []ask.Question) ([]ask.Answer, error) {
	if c.asked.Add(int32(len(questions))) > mostAsked { // before the lock, where all would wait that a server asks
		err := fmt.Errorf("the server asked more than %d questions in one call, and is not answered any more", mostAsked)
		c.end(err)
		return nil, err
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	answers, err := c.said.Ask(ctx, questions...)
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

// byHandler answers what a server asks by a handler of who connected; nil if there is
// none.
func (c *caller) byHandler(ctx context.Context, r sdk.InputRequest) (sdk.InputResponse, error) {
	switch p := r.(type) {
	case *sdk.ElicitParams:
		if h := c.own.ElicitationHandler; h != nil {
			return h(ctx, &sdk.ElicitRequest{Session: c.session, Params: p})
		}
	case *sdk.CreateMessageWithToolsParams: // as the SDK reads all
		if h := c.own.CreateMessageWithToolsHandler; h != nil {
			return h(ctx, &sdk.CreateMessageWithToolsRequest{Session: c.session, Params: p})
		}
		if h := c.own.CreateMessageHandler; h != nil {
			plain, err := withoutTools(p)
			if err != nil {
				return nil, err
			}
			return h(ctx, &sdk.CreateMessageRequest{Session: c.session, Params: plain})
		}
	}
	return nil, nil
}

// questionOf returns what a server asks.
func questionOf(r sdk.InputRequest) (ask.Question, error) {
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
	return ask.Question{}, fmt.Errorf("the server asks what is not known here (%T)", r)
}

// withoutTools returns what is asked of a model that has no tools.
func withoutTools(p *sdk.CreateMessageWithToolsParams) (*sdk.CreateMessageParams, error) {
	if len(p.Tools) > 0 {
		return nil, errors.New("the server wants a model to call tools of its own, which is not done here")
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

// model asks a model, in one text.
func model(p *sdk.CreateMessageParams) (ask.Question, error) {
	var texts []string
	if p.SystemPrompt != "" {
		texts = append(texts, p.SystemPrompt)
	}
	for _, m := range p.Messages {
		text, ok := m.Content.(*sdk.TextContent)
		switch {
		case !ok:
			return ask.Question{}, fmt.Errorf("the server shows a model what is no text (%T), which is not done here", m.Content)
		case len(p.Messages) > 1:
			texts = append(texts, string(m.Role)+": "+text.Text)
		default:
			texts = append(texts, text.Text)
		}
	}
	return ask.Model(strings.Join(texts, "\n\n"), int(min(p.MaxTokens, math.MaxInt32))), nil
}

// responseTo returns an answer as the protocol has it.
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
