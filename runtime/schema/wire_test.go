package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestJSON checks each form of a definition, also with a schema for another target.
func TestJSON(t *testing.T) {
	find := tool.Definition{
		Name: "find", Title: "Find", Description: "Finds <users>.", Annotations: tool.Annotations{ReadOnly: true},
		Input:  json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"string"}`),
	}
	for _, test := range []struct {
		target schema.Target
		shape  schema.Shape
		want   string
	}{
		{schema.OpenAI, schema.ChatCompletions, `{"type":"function","function":{"name":"find","description":"Finds <users>.","parameters":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}}}`},
		{schema.OpenAIStrict, schema.ChatCompletions, `{"type":"function","function":{"name":"find","description":"Finds <users>.","parameters":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},"strict":true}}`},
		{schema.OpenAI, schema.Responses, `{"type":"function","name":"find","description":"Finds <users>.","parameters":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},"strict":false}`},
		{schema.OpenAIStrict, schema.Responses, `{"type":"function","name":"find","description":"Finds <users>.","parameters":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},"strict":true}`},
		{schema.Anthropic, schema.Messages, `{"name":"find","description":"Finds <users>.","input_schema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}}`},
		{schema.AnthropicStrict, schema.Messages, `{"name":"find","description":"Finds <users>.","input_schema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},"strict":true}`},
		{schema.Gemini, schema.FunctionDeclaration, `{"name":"find","description":"Finds <users>.","parameters":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}`},
		{schema.MCP, schema.FunctionDeclaration, `{"name":"find","description":"Finds <users>.","parametersJsonSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}}`},
		{schema.MCP, schema.MCPTool, `{"name":"find","title":"Find","description":"Finds <users>.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"x-fastmcp-wrap-result":true},"annotations":{"readOnlyHint":true,"openWorldHint":true}}`},
		{schema.Ollama, schema.ChatCompletions, `{"type":"function","function":{"name":"find","description":"Finds <users>.","parameters":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}}`},
	} {
		if got := string(lower(t, test.target, find).JSON(test.shape)); got != test.want {
			t.Errorf("%s as %s:\n got %s\nwant %s", test.target, test.shape, got, test.want)
		}
	}
}

// ollamaKeywords are the keywords of a property that Ollama reads: ToolProperty of its package api. It
// silently drops the others.
var ollamaKeywords = []string{"anyOf", "type", "items", "description", "enum", "properties", "required"}

// TestOllama checks that Ollama receives only keywords that it reads, at the root and in properties.
func TestOllama(t *testing.T) {
	definitions := corpusDefinitions(t)
	for _, d := range definitionsByHand(t) {
		definitions = append(definitions, d.Definition)
	}
	for _, d := range definitions {
		input := value(t, lower(t, schema.Ollama, d).Input).(map[string]any)
		for keyword := range input {
			if !slices.Contains([]string{"type", "properties", "required"}, keyword) {
				t.Errorf("%s: %s at the root", d.Name, keyword)
			}
		}
		for name, p := range input["properties"].(map[string]any) {
			checkOllama(t, d.Name+"/"+name, p)
		}
	}
}

func checkOllama(t *testing.T, place string, property any) {
	t.Helper()
	s, ok := property.(map[string]any)
	if !ok {
		t.Fatalf("%s: %v is no object", place, property)
	}
	for keyword, v := range s {
		if !slices.Contains(ollamaKeywords, keyword) {
			t.Errorf("%s: %s", place, keyword)
		}
		switch keyword {
		case "items":
			checkOllama(t, place, v)
		case "anyOf":
			for _, b := range v.([]any) {
				checkOllama(t, place, b)
			}
		case "properties":
			for name, p := range v.(map[string]any) {
				checkOllama(t, place+"/"+name, p)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	optional := tool.Definition{Name: "a", Input: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"},"y":{"type":["string","integer"]}},"required":["x"]}`)}
	many := func(n int) (all []tool.Definition) {
		for i := range n {
			d := optional
			d.Name = fmt.Sprintf("tool_%d", i)
			all = append(all, d)
		}
		return all
	}
	long := func(values, length int) tool.Definition {
		var enum []string
		for i := range values {
			text := make([]byte, length)
			for j := range text {
				text[j] = byte('a' + i>>(3*j)&7)
			}
			enum = append(enum, string(text))
		}
		text, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"v": map[string]any{"enum": enum}}, "required": []string{"v"}})
		if err != nil {
			t.Fatal(err)
		}
		return tool.Definition{Name: "long", Input: text}
	}
	for _, test := range []struct {
		target      schema.Target
		definitions []tool.Definition
		want        []string
	}{
		{schema.OpenAI, many(128), nil},
		{schema.OpenAI, many(129), []string{": there are 129 tools, the limit is 128 (refused)"}},
		{schema.Gemini, many(512), nil},
		{schema.Gemini, many(513), []string{": there are 513 tools, the limit is 512 (refused)"}},
		{schema.MCP, many(600), nil},
		{schema.AnthropicStrict, many(16), nil},
		{schema.AnthropicStrict, many(17), []string{": there are 17 parameters of a union in all tools, the limit is 16 (refused)"}},
		{schema.AnthropicStrict, many(25), []string{
			": there are 25 tools, the limit is 20 (refused)",
			": there are 25 optional parameters in all tools, the limit is 24 (refused)",
			": there are 25 parameters of a union in all tools, the limit is 16 (refused)",
		}},
		{schema.OpenAIStrict, []tool.Definition{long(1000, 4)}, nil},
		{schema.OpenAIStrict, []tool.Definition{long(1001, 4)}, []string{"long/input: there are 1001 values in enumerations, the limit is 1000 (refused)"}},
		{schema.OpenAIStrict, []tool.Definition{long(251, 60)}, []string{"long/input: there are 15060 characters in one enumeration, the limit is 15000 (refused)"}},
		{schema.OpenAIStrict, []tool.Definition{long(250, 500)}, []string{"long/input: there are 125001 characters in names and values of enumerations, the limit is 120000 (refused)"}},
		{schema.MCP, []tool.Definition{{Name: "a"}, {Name: "a"}}, []string{`a/name: the name becomes "a", and so does "a" (refused)`}},
	} {
		losses, err := schema.Check(test.target, test.definitions...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range losses {
			if l.Severity == schema.Refused {
				got = append(got, l.String())
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d for %s: %q, want %q", len(test.definitions), test.target, got, test.want)
		}
	}
}

func TestLowerErrors(t *testing.T) {
	for input, want := range map[string]string{
		`7`:    "the input schema of a cannot be used: it is 7, not a JSON object",
		`[]`:   "the input schema of a cannot be used: it is an array, not a JSON object",
		`true`: "the input schema of a cannot be used: it is true, not a JSON object",
		`{`:    "the input schema of a cannot be used: expected a key in double quotes at byte 1, found the end of the text",
	} {
		if _, err := schema.Lower(schema.OpenAI, tool.Definition{Name: "a", Input: json.RawMessage(input)}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", input, err)
		}
	}
	if _, err := schema.Lower("claude", tool.Definition{Name: "a"}); err == nil || err.Error() != `unknown target "claude", expected one of anthropic, anthropic-strict, gemini, mcp, ollama, openai, openai-strict` {
		t.Error(err)
	}
}
