package openai

import (
	"encoding/json"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
)

// request is a request of the protocol, with the data needed to read its answer.
type request struct {
	openai.ChatCompletionRequest
	body           []byte
	optional       []string // parameters that can be left out if the endpoint refuses them
	tools          *Tools
	endpoint       string
	answer         *schema.Lowered // schema that the text of the answer follows; nil for any text
	allowTextCalls bool            // calls that the model writes as text are read
}

// requestBody is the body of a request. Its fields hide those of the client's type, which omits
// zero values and cannot express all messages.
type requestBody struct {
	openai.ChatCompletionRequest
	Messages    []message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	TopP        *float64  `json:"top_p,omitempty"`
}

// encodeRequest converts and encodes a request. Its error is an [*llm.Error].
func (m *model) encodeRequest(req llm.Request, stream bool, omit endpoint.Parameters) (*request, error) {
	r, err := m.composeRequest(req, stream, omit)
	if err != nil {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	return r, nil
}

func (m *model) composeRequest(req llm.Request, stream bool, omit endpoint.Parameters) (*request, error) {
	tools, err := NewTools(m.isStrict(), req.Tools...)
	if err != nil {
		return nil, err
	}
	r := &request{ChatCompletionRequest: openai.ChatCompletionRequest{
		Model: m.name, Tools: tools.Definitions(), ReasoningEffort: req.Effort, Seed: req.Seed, Stop: req.Stop, Stream: stream,
	}, tools: tools, endpoint: m.endpoint(), allowTextCalls: len(req.Tools) > 0 && req.ToolChoice != llm.NoTool && !m.isOpenAI()}
	req = m.setOptional(r, req, omit)
	if err := r.setToolChoice(req); err != nil {
		return nil, err
	}
	if req.Schema != nil && !m.noSchema {
		if err := r.setSchema(req.Schema, m.isStrict()); err != nil {
			return nil, err
		}
	}
	if r.body, err = m.writeBody(r, req); err != nil {
		return nil, err
	}
	if r.body, err = appendMembers(r.body, m.extra.With(req.Extra)); err != nil {
		return nil, err
	}
	return r, nil
}

// setOptional sets the optional parameters, except those in omit, which the endpoint rejected. It
// returns req without the parameters that are not sent.
func (m *model) setOptional(r *request, req llm.Request, omit endpoint.Parameters) llm.Request {
	if m.reasoning || omit.Has(temperature) {
		req.Temperature = nil
	}
	if req.Temperature != nil {
		r.optional = append(r.optional, temperature)
	}
	if omit.Has(topP) {
		req.TopP = nil
	}
	if req.TopP != nil {
		r.optional = append(r.optional, topP)
	}
	if r.Stream && !omit.Has(streaming) {
		r.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
		r.optional = append(r.optional, streaming)
	}
	if name := m.limitName(omit); req.MaxTokens > 0 && name != "" {
		r.optional = append(r.optional, name)
		if name == newLimit {
			r.MaxCompletionTokens = req.MaxTokens
		} else {
			//nolint:staticcheck // SA1019: most endpoints know no other name
			r.MaxTokens = req.MaxTokens
		}
	}
	return req
}

// setToolChoice sets which tools the model may or must call.
func (r *request) setToolChoice(req llm.Request) error {
	if len(req.Tools) > 0 && req.OneCall {
		r.ParallelToolCalls = false
	}
	name, err := r.tools.lowered.Choose(req.ToolChoice)
	switch {
	case err != nil:
		return err
	case name != "":
		r.ToolChoice = openai.ToolChoice{Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: name}}
	case req.ToolChoice == llm.AnyTool:
		r.ToolChoice = "required"
	case req.ToolChoice == llm.NoTool && len(req.Tools) > 0: // endpoints reject a tool choice without tools
		r.ToolChoice = "none"
	}
	return nil
}

// setSchema requests an answer that follows a schema.
func (r *request) setSchema(wanted json.RawMessage, strict bool) (err error) {
	if r.answer, err = endpoint.LowerAnswer(lowering(strict), wanted); err != nil {
		return err
	}
	r.ResponseFormat = &openai.ChatCompletionResponseFormat{
		Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
			Name: r.answer.Name, Schema: r.answer.Input, Strict: r.answer.Target.Strict(),
		},
	}
	return nil
}

// maxIDLength is the maximum length of a call ID that OpenAI accepts, in bytes.
const maxIDLength = 40

// writeBody returns the encoded body of the request.
func (m *model) writeBody(r *request, req llm.Request) ([]byte, error) {
	b := requestBody{ChatCompletionRequest: r.ChatCompletionRequest, Temperature: req.Temperature, TopP: req.TopP}
	// Other endpoints accept the IDs that they generated, which may be longer.
	accepts := func(id string) bool { return !m.isOpenAI() || len(id) <= maxIDLength }
	for _, message := range llm.UniqueCallIDs(req.Dialogue(), accepts) {
		encoded, err := r.tools.newMessage(message, readProviderData(r.endpoint, message, m.omitted))
		if err != nil {
			return nil, err
		}
		b.Messages = append(b.Messages, encoded)
	}
	return json.Marshal(b)
}
