package openai

import (
	"encoding/json"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools converts tools and calls for programs that use the client github.com/sashabaranov/go-openai
// directly. Models created by [New] do not need it. It is safe for concurrent use.
type Tools struct{ lowered *endpoint.Tools }

// NewTools lowers definitions for a request. If strict is true, it uses the strict mode, in which
// the endpoint enforces the schema, for each tool whose schema loses nothing in that mode; see
// [schema.LowerStrict]. [schema.Check] and the flag -lint of the generator report why a tool does
// not qualify.
//
// NewTools returns an error if a schema cannot be used, or if two tools would have the same name.
func NewTools(strict bool, definitions ...tool.Definition) (*Tools, error) {
	lowered, err := endpoint.LowerTools(lowering(strict), definitions...)
	if err != nil {
		return nil, err
	}
	return &Tools{lowered}, nil
}

// lowering returns the function that lowers definitions for OpenAI, in strict mode where possible
// if strict is true.
func lowering(strict bool) func(tool.Definition) (*schema.Lowered, error) {
	if strict {
		return endpoint.Lowering(schema.OpenAI, schema.OpenAIStrict)
	}
	return endpoint.Lowering(schema.OpenAI, "")
}

// Definitions returns the tools for a request, in the order in which NewTools received them.
func (t *Tools) Definitions() []openai.Tool { return toolDefinitions(t.lowered) }

func toolDefinitions(tools *endpoint.Tools) (all []openai.Tool) {
	for _, l := range tools.All {
		all = append(all, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: l.Name, Description: l.Description, Parameters: l.Input, Strict: l.Target.Strict(),
			},
		})
	}
	return all
}

// Request converts a call that the model made to a request for a registry. It does not change
// unknown names and arguments that are not valid JSON.
func (t *Tools) Request(call openai.ToolCall) tool.Request {
	return t.lowered.Request(call.ID, call.Function.Name, json.RawMessage(call.Function.Arguments))
}

// ToolCall is the inverse of Request: it converts a call in a dialogue for the endpoint. Endpoints
// reject a whole dialogue because of one invalid call, so an invalid name becomes "unknown", and
// arguments that are not a JSON object become {}. The result of the call says what was wrong.
func (t *Tools) ToolCall(r tool.Request) openai.ToolCall {
	name, arguments := t.lowered.WireCall(r)
	return openai.ToolCall{ID: r.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: name, Arguments: string(arguments)}}
}
