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
	body           endpoint.Object
	optional       []string // parameters that can be left out if the endpoint refuses them
	tools          *endpoint.Tools
	endpoint       string
	answer         *schema.Lowered // schema that the text of the answer follows; nil for any text
	allowTextCalls bool            // calls that the model writes as text are read
}

// encodeRequest converts a request, and encodes its body. Its error is an [*llm.Error].
func (m *model) encodeRequest(req llm.Request, stream bool, omit endpoint.Parameters) (r *request, body []byte, err error) {
	if r, err = m.composeRequest(req, stream, omit); err == nil {
		body, err = json.Marshal(&r.body)
	}
	if err != nil {
		return nil, nil, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	return r, body, nil
}

func (m *model) composeRequest(req llm.Request, stream bool, omit endpoint.Parameters) (*request, error) {
	tools, err := endpoint.LowerTools(lowering(m.isStrict()), req.Tools...)
	if err != nil {
		return nil, err
	}
	r := &request{tools: tools, endpoint: m.endpoint(), allowTextCalls: len(req.Tools) > 0 && req.ToolChoice != llm.NoTool && !m.isOpenAI()}
	choice, err := r.toolChoice(req)
	if err != nil {
		return nil, err
	}
	messages, err := m.encodeMessages(r, req)
	if err != nil {
		return nil, err
	}
	limit := m.limitName(omit)
	r.body.Add("model", m.name)
	r.addOptional(req.MaxTokens > 0 && limit != "", limit, req.MaxTokens)
	r.body.Add("stream", stream)
	r.body.AddIf(len(req.Stop) > 0, "stop", req.Stop)
	if req.Schema != nil && !m.noSchema {
		if err := r.setSchema(req.Schema, m.isStrict()); err != nil {
			return nil, err
		}
	}
	r.body.AddIf(req.Seed != nil, "seed", req.Seed)
	r.body.AddIf(len(req.Tools) > 0, "tools", toolDefinitions(tools))
	r.body.AddIf(choice != nil, "tool_choice", choice)
	r.addOptional(stream && !omit.Has(streaming), streaming, openai.StreamOptions{IncludeUsage: true})
	r.body.AddIf(len(req.Tools) > 0 && req.OneCall, "parallel_tool_calls", false)
	r.body.AddIf(req.Effort != "", "reasoning_effort", req.Effort)
	r.body.Add("messages", messages)
	r.addOptional(req.Temperature != nil && !m.reasoning && !omit.Has(temperature), temperature, req.Temperature)
	r.addOptional(req.TopP != nil && !omit.Has(topP), topP, req.TopP)
	return r, r.body.AddExtra(m.extra.With(req.Extra))
}

// addOptional adds an optional parameter if present is true.
func (r *request) addOptional(present bool, name string, value any) {
	if present {
		r.optional = append(r.optional, name)
		r.body.Add(name, value)
	}
}

// toolChoice returns which tools the model may or must call, or nil to let the model choose.
func (r *request) toolChoice(req llm.Request) (any, error) {
	name, err := r.tools.Choose(req.ToolChoice)
	switch {
	case err != nil:
		return nil, err
	case name != "":
		return openai.ToolChoice{Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: name}}, nil
	case req.ToolChoice == llm.AnyTool:
		return "required", nil
	case req.ToolChoice == llm.NoTool && len(req.Tools) > 0: // endpoints reject a tool choice without tools
		return "none", nil
	}
	return nil, nil
}

// setSchema requests an answer that follows a schema.
func (r *request) setSchema(wanted json.RawMessage, strict bool) (err error) {
	if r.answer, err = endpoint.LowerAnswer(lowering(strict), wanted); err != nil {
		return err
	}
	r.body.Add("response_format", openai.ChatCompletionResponseFormat{
		Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
			Name: r.answer.Name, Schema: r.answer.Input, Strict: r.answer.Target.Strict(),
		},
	})
	return nil
}

// maxIDLength is the maximum length of a call ID that OpenAI accepts, in bytes.
const maxIDLength = 40

// encodeMessages returns the messages of the dialogue.
func (m *model) encodeMessages(r *request, req llm.Request) (all []*endpoint.Object, err error) {
	// Other endpoints accept the IDs that they generated, which may be longer.
	accepts := func(id string) bool { return !m.isOpenAI() || len(id) <= maxIDLength }
	for _, message := range llm.UniqueCallIDs(req.Dialogue(), accepts) {
		encoded, err := newMessage(r.tools, message, readProviderData(r.endpoint, message, m.omitted))
		if err != nil {
			return nil, err
		}
		all = append(all, encoded)
	}
	return all, nil
}
