package openai

import (
	"encoding/json"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools converts tools and calls for the client github.com/sashabaranov/go-openai, for programs
// that use that client themselves. A model of [New] does not need it. It is safe for concurrent
// use.
type Tools struct{ lowered *endpoint.Tools }

// NewTools lowers definitions for a request. If strict is true, the endpoint enforces the schema
// of each tool for which the strict mode loses nothing; see [schema.LowerStrict]. [schema.Check]
// and the flag -lint of the generator report why a tool does not qualify.
//
// The error names a schema that cannot be used, or tools that would have the same name.
func NewTools(strict bool, definitions ...tool.Definition) (*Tools, error) {
	lowered, err := endpoint.LowerTools(lowering(strict), definitions...)
	if err != nil {
		return nil, err
	}
	return &Tools{lowered}, nil
}

// lowering returns the function that lowers definitions.
func lowering(strict bool) func(tool.Definition) (*schema.Lowered, error) {
	if strict {
		return endpoint.Lowering(schema.OpenAI, schema.OpenAIStrict)
	}
	return endpoint.Lowering(schema.OpenAI, "")
}

// Definitions returns the tools for a request in order.
func (t *Tools) Definitions() (all []openai.Tool) {
	for _, l := range t.lowered.All {
		all = append(all, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: l.Name, Description: l.Description, Parameters: l.Input, Strict: l.Target.Strict(),
			},
		})
	}
	return all
}

// hasTool reports whether the endpoint knows a tool by this name.
func (t *Tools) hasTool(name string) bool { return t.lowered.FindLowered(name) != nil }

// Request converts a call of the model for a registry. Invalid names, and arguments that are not
// valid JSON, are unchanged.
func (t *Tools) Request(call openai.ToolCall) tool.Request {
	return t.lowered.Request(call.ID, call.Function.Name, json.RawMessage(call.Function.Arguments))
}

// ToolCall converts a call of the dialogue to the model's form. An invalid name becomes
// "unknown", and arguments that are not a JSON object become {}, because endpoints reject the
// whole dialogue otherwise. The result of the call says what was wrong.
func (t *Tools) ToolCall(r tool.Request) openai.ToolCall {
	name, arguments := t.lowered.WireCall(r)
	return openai.ToolCall{ID: r.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: name, Arguments: string(arguments)}}
}
