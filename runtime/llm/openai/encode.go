package openai

import (
	"encoding/json"
	"math"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// encode returns the request in the terms of the protocol.
func (m *model) encode(req llm.Request) openai.ChatCompletionRequest {
	req = req.WithDefaults()
	request := openai.ChatCompletionRequest{Model: m.name}
	if m.reasoning || m.baseURL == openAI {
		request.MaxCompletionTokens = req.MaxTokens
	} else {
		//lint:ignore SA1019 other endpoints know no other name
		request.MaxTokens = req.MaxTokens
	}
	if req.Temperature != nil && !m.reasoning {
		// The client leaves out a zero, which would stand for 1.
		request.Temperature = max(float32(*req.Temperature), math.SmallestNonzeroFloat32)
	}
	for _, message := range req.Dialogue() {
		request.Messages = append(request.Messages, encodeMessage(message))
	}
	for _, d := range req.Tools {
		request.Tools = append(request.Tools, encodeTool(d))
	}
	if req.Schema != nil && !m.noSchema {
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", Schema: req.Schema},
		}
	}
	return request
}

func encodeMessage(m llm.Message) openai.ChatCompletionMessage {
	message := openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Content()}
	for _, call := range m.Calls {
		message.ToolCalls = append(message.ToolCalls, openai.ToolCall{
			ID: call.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: call.Name, Arguments: encodeArguments(call.Arguments)},
		})
	}
	if m.Result != nil {
		message.ToolCallID = m.Result.ID
	}
	if m.Role == llm.RoleTool && message.Content == "" {
		message.Content = "null" // the client leaves out what is empty, and then the endpoint refuses it
	}
	return message
}

// encodeArguments returns arguments as the model wrote them. Those that are no
// JSON become none, for there are endpoints that refuse the whole dialogue
// otherwise; what was wrong with them is in the result of the call.
func encodeArguments(arguments json.RawMessage) string {
	if !json.Valid(arguments) {
		return "{}"
	}
	return string(arguments)
}

func encodeTool(d tool.Definition) openai.Tool {
	input := d.Input
	if input == nil {
		input = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return openai.Tool{
		Type:     openai.ToolTypeFunction,
		Function: &openai.FunctionDefinition{Name: d.Name, Description: d.Description, Parameters: input},
	}
}
