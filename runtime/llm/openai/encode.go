package openai

import (
	"errors"
	"fmt"
	"math"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// request is what a model is asked, in the terms of the protocol, with what it
// takes to read the answer.
type request struct {
	openai.ChatCompletionRequest
	tools  *Tools
	answer *schema.Lowered // by which the text of the answer is written; nil for any
}

// encode returns the request in the terms of the protocol.
func (m *model) encode(req llm.Request) (*request, error) {
	req = req.WithDefaults()
	tools, err := NewTools(m.isStrict(), req.Tools...)
	if err != nil {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	r := &request{ChatCompletionRequest: openai.ChatCompletionRequest{Model: m.name, Tools: tools.Definitions()}, tools: tools}
	if m.reasoning || m.isOpenAI() {
		r.MaxCompletionTokens = req.MaxTokens
	} else {
		//lint:ignore SA1019 other endpoints know no other name
		r.MaxTokens = req.MaxTokens
	}
	if req.Temperature != nil && !m.reasoning {
		// The client leaves out a zero, which would stand for 1.
		r.Temperature = max(float32(*req.Temperature), math.SmallestNonzeroFloat32)
	}
	for _, message := range req.Dialogue() {
		r.Messages = append(r.Messages, tools.message(message))
	}
	if req.Schema != nil && !m.noSchema {
		if r.answer, err = lower(tool.Definition{Name: "answer", Input: req.Schema}, m.isStrict()); err != nil {
			return nil, &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the schema of the answer cannot be used: %w", errors.Unwrap(err))}
		}
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: r.answer.Name, Schema: r.answer.Input, Strict: r.answer.Target.Strict(),
			},
		}
	}
	return r, nil
}

// message returns a message with the calls in it as the model wrote them.
func (t *Tools) message(m llm.Message) openai.ChatCompletionMessage {
	message := openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Content()}
	for _, call := range m.Calls {
		message.ToolCalls = append(message.ToolCalls, t.ToolCall(call))
	}
	if m.Result != nil {
		message.ToolCallID = m.Result.ID
	}
	if m.Role == llm.RoleTool && message.Content == "" {
		message.Content = "null" // the client leaves out what is empty, and then the endpoint refuses it
	}
	return message
}
