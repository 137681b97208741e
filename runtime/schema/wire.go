package schema

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Shape is the JSON form of a definition in a request.
type Shape string

// The shapes. A definition in one of these shapes is an element of the list of tools in a request, or for Gemini
// an element of functionDeclarations.
const (
	ChatCompletions     Shape = "chat-completions"     // OpenAI, Ollama: {"type": "function", "function": {…}}
	Responses           Shape = "responses"            // OpenAI: {"type": "function", "name": …, "strict": …}
	Messages            Shape = "messages"             // Anthropic: {"name": …, "input_schema": …}
	FunctionDeclaration Shape = "function-declaration" // Gemini: {"name": …, "parameters": …}; for other targets "parametersJsonSchema"
	MCPTool             Shape = "mcp-tool"             // MCP: {"name": …, "inputSchema": …, "annotations": …}
)

// Shape returns the usual shape for a target.
func (t Target) Shape() Shape {
	switch t {
	case Anthropic, AnthropicStrict:
		return Messages
	case Gemini:
		return FunctionDeclaration
	case MCP:
		return MCPTool
	}
	return ChatCompletions
}

// JSON returns the JSON of the definition in a shape.
func (l *Lowered) JSON(shape Shape) json.RawMessage {
	var v any
	switch shape {
	case MCPTool:
		v = mcpTool{
			Name: l.Name, Title: l.Title, Description: l.Description, InputSchema: l.Input, OutputSchema: l.Output,
			Annotations: mcpHints(l.Annotations),
		}
	case Messages:
		v = messages{Name: l.Name, Description: l.Description, InputSchema: l.Input, Strict: l.Target.Strict()}
	case FunctionDeclaration:
		v = l.geminiDeclaration()
	case Responses:
		v = response{Type: "function", Name: l.Name, Description: l.Description, Parameters: l.Input, Strict: l.Target.Strict()}
	default:
		v = completion{Type: "function", Function: function{l.Name, l.Description, l.Input, l.Target.Strict()}}
	}
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		panic(err) // cannot fail: v consists of strings and valid JSON
	}
	return text
}

// geminiDeclaration returns the definition as a function declaration. It omits empty parameters, because Gemini
// refuses them.
func (l *Lowered) geminiDeclaration() declaration {
	d := declaration{Name: l.Name, Description: l.Description}
	switch {
	case !l.takesArguments():
	case l.Target == Gemini:
		d.Parameters = l.Input
	default:
		d.Schema = l.Input
	}
	return d
}

// takesArguments reports whether the tool has arguments.
func (l *Lowered) takesArguments() bool {
	var schema struct{ Properties map[string]json.RawMessage }
	return json.Unmarshal(l.Input, &schema) != nil || len(schema.Properties) > 0
}

type completion struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict,omitempty"`
}

type response struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"` // if it is absent, OpenAI makes the schema strict where possible
}

type messages struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	Strict      bool            `json:"strict,omitempty"`
}

type declaration struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Schema      json.RawMessage `json:"parametersJsonSchema,omitempty"`
}

type mcpTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  mcpAnnotations  `json:"annotations"`
}

// mcpAnnotations are the annotations of an MCP tool. In MCP, an absent destructiveHint or openWorldHint means true,
// so false is written, too. A read-only tool has neither destructiveHint nor idempotentHint.
type mcpAnnotations struct {
	ReadOnly    bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  bool  `json:"idempotentHint,omitempty"`
	OpenWorld   bool  `json:"openWorldHint"`
}

func mcpHints(a tool.Annotations) mcpAnnotations {
	if a.Is(tool.ReadOnly) {
		return mcpAnnotations{ReadOnly: true, OpenWorld: !a.Is(tool.ClosedWorld)}
	}
	return mcpAnnotations{Destructive: new(!a.Is(tool.Additive)), Idempotent: a.Is(tool.Idempotent), OpenWorld: !a.Is(tool.ClosedWorld)}
}

// bytesPerToken is the usual length of a token in a definition.
const bytesPerToken = 4

// EstimateTokens estimates the number of tokens of a definition from [Lowered.JSON]. The tokenizers of models
// differ by about a third.
func EstimateTokens(definition json.RawMessage) int {
	return (len(definition) + bytesPerToken - 1) / bytesPerToken
}
