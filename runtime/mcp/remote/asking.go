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
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/tool"
)

// answerQuestion passes a question of the server on to the driver of a call: the program that made
// the call and receives its questions and progress. It returns the answer. If the driver will answer
// by repeating the call, answerQuestion ends this call.
func (s *Server) answerQuestion(ctx context.Context, c *call, r sdk.InputRequest) (sdk.InputResponse, error) {
	q, err := s.newQuestion(r, c)
	if err != nil {
		return nil, err
	}
	asking, end := context.WithCancel(c.ctx)
	defer end()
	defer context.AfterFunc(ctx, end)()
	answers, err := c.askDriver(asking, []tool.Question{q})
	if err != nil {
		var later *tool.AskError
		if errors.As(err, &later) && !later.Nobody {
			c.end(err)
		}
		return nil, err
	}
	return encodeAnswer(r, answers[0])
}

// askDriver asks the driver of the call. If nobody can answer, it answers for the driver: a question
// to a person is canceled, the list of roots is empty, and a question to a model fails. If the server
// asks too many questions, askDriver ends the call.
func (c *call) askDriver(ctx context.Context, questions []tool.Question) ([]tool.Answer, error) {
	if c.questions.Add(int32(len(questions))) > maxQuestionsPerCall { // before locking, so that excess questions fail at once
		err := fmt.Errorf("the server asked more than %d questions in one call, and gets no more answers", maxQuestionsPerCall)
		c.end(&tool.UnknownOutcomeError{Err: err}) // the server may have run the call
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
		case tool.QuestionModel:
			return nil, err
		case tool.QuestionRoots:
			answers = append(answers, q.Accept(json.RawMessage("[]")))
		default:
			answers = append(answers, q.Cancel())
		}
	}
	return answers, nil
}

// callHandler answers a question with the handler that the program set with [Client]. It returns nil if
// there is no handler for this kind of question.
func (s *Server) callHandler(ctx context.Context, r sdk.InputRequest) (sdk.InputResponse, error) {
	options, session := s.config.client, s.Session()
	switch p := r.(type) {
	case *sdk.ElicitParams:
		if h := options.ElicitationHandler; h != nil {
			return h(ctx, &sdk.ElicitRequest{Session: session, Params: p})
		}
	case *sdk.CreateMessageWithToolsParams: // the SDK decodes all sampling requests to this type
		if h := options.CreateMessageWithToolsHandler; h != nil {
			return h(ctx, &sdk.CreateMessageWithToolsRequest{Session: session, Params: p})
		}
		if h := options.CreateMessageHandler; h != nil {
			plain, err := dropTools(p)
			if err != nil {
				return nil, err
			}
			return h(ctx, &sdk.CreateMessageRequest{Session: session, Params: plain})
		}
	}
	return nil, nil
}

// newQuestion converts a question of the server, and sets From to the tool and the server.
func (s *Server) newQuestion(r sdk.InputRequest, c *call) (tool.Question, error) {
	q, err := s.decodeQuestion(r, c.tool)
	q.From = fmt.Sprintf("tool %q of %s", words.Cut(words.Visible(c.tool, ""), maxNamePartBytes), s.describeServer())
	return q, err
}

// decodeQuestion converts a question that the server asks during a call of the named tool.
func (s *Server) decodeQuestion(r sdk.InputRequest, name string) (tool.Question, error) {
	switch p := r.(type) {
	case *sdk.ElicitParams:
		if p.Mode == "url" {
			return tool.AskVisit(p.Message, p.URL), nil
		}
		if p.RequestedSchema == nil {
			return tool.AskPerson(p.Message, nil), nil
		}
		text, err := json.Marshal(p.RequestedSchema)
		if err != nil {
			return tool.Question{}, err
		}
		schema, err := s.repairSchema(text, name, "question")
		return tool.AskPerson(p.Message, sanitize.Encode(schema)), err
	case *sdk.CreateMessageParams:
		return newModelQuestion(p)
	case *sdk.CreateMessageWithToolsParams:
		plain, err := dropTools(p)
		if err != nil {
			return tool.Question{}, err
		}
		return newModelQuestion(plain)
	case *sdk.ListRootsParams:
		return tool.AskRoots(), nil
	}
	return tool.Question{}, errors.New("the server asks a question of an unknown kind")
}

// dropTools converts a sampling request to the type that has no tools. It returns an error if the
// request has tools.
func dropTools(p *sdk.CreateMessageWithToolsParams) (*sdk.CreateMessageParams, error) {
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

// newModelQuestion converts a sampling request to a question. It joins the system prompt and the
// messages to a single text.
func newModelQuestion(p *sdk.CreateMessageParams) (tool.Question, error) {
	var texts []string
	if p.SystemPrompt != "" {
		texts = append(texts, p.SystemPrompt)
	}
	for _, m := range p.Messages {
		if m == nil {
			return tool.Question{}, errors.New("the server sends a model an empty message")
		}
		text, ok := m.Content.(*sdk.TextContent)
		switch {
		case !ok:
			return tool.Question{}, errors.New("the server sends a model content other than text, which is not supported")
		case len(p.Messages) > 1:
			texts = append(texts, string(m.Role)+": "+text.Text)
		default:
			texts = append(texts, text.Text)
		}
	}
	return tool.AskModel(strings.Join(texts, "\n\n"), int(min(p.MaxTokens, math.MaxInt32))), nil
}

// encodeAnswer converts an answer to the response type of the SDK for the question r.
func encodeAnswer(r sdk.InputRequest, a tool.Answer) (sdk.InputResponse, error) {
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
		var roots []tool.Root
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
