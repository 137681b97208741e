// Package langchaingo converts the tools of a registry to tools for agents of langchaingo:
//
//	agent := agents.NewOneShotAgent(model, langchaingo.Tools(registry))
//
// These agents show the model only a name and a description of each tool, and the input of a tool
// is text. So the schema of the arguments is part of the description. No provider reads the
// schema, so it is not converted for one.
package langchaingo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/tools"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools returns the tools of a registry that can be called without a [tool.Scope], sorted by
// name. They are safe for concurrent use.
func Tools(r *tool.Registry) []tools.Tool {
	definitions := r.Available(nil)
	all := make([]tools.Tool, len(definitions))
	for i, d := range definitions {
		all[i] = newTextTool(r, d)
	}
	return all
}

// textTool implements [tools.Tool]: a tool that takes and returns text.
type textTool struct {
	registry     *tool.Registry
	definition   tool.Definition
	soleArgument string // name of the argument that receives plain text, or ""
	soleIsText   bool
	arguments    int // number of arguments
}

func newTextTool(r *tool.Registry, d tool.Definition) *textTool {
	t := &textTool{registry: r, definition: d}
	var input struct {
		Properties map[string]struct{ Type any }
		Required   []string
	}
	_ = json.Unmarshal(d.Input, &input) // any other schema has no arguments
	t.arguments = len(input.Properties)
	for name, property := range input.Properties {
		if t.arguments == 1 || len(input.Required) == 1 && input.Required[0] == name {
			t.soleArgument, t.soleIsText = name, property.Type == "string"
		}
	}
	return t
}

// Name returns the name of the tool.
func (t *textTool) Name() string { return t.definition.Name }

// Description returns a description of the tool and its input, including the schema of the arguments.
func (t *textTool) Description() string {
	text := t.definition.Description + "\nInput: "
	switch {
	case t.arguments == 0:
		return text + "none."
	case t.soleIsText:
		text += fmt.Sprintf("the text of %q alone, or ", t.soleArgument)
	}
	text += "a JSON object by this schema: " + string(t.definition.Input)
	if len(t.definition.Example) > 0 {
		text += "\nExample: " + string(t.definition.Example)
	}
	return text
}

// longestAttached limits how much of an attached text a model reads, in bytes.
const longestAttached = 16 << 10

// Call calls the tool. Input that begins with { is the JSON object of the arguments. Other input is the value of the
// tool's only argument, or of its only required argument, as plain text or JSON. Call returns a string result as plain
// text, and any other result as JSON. It describes attachments in text.
//
// If the call fails, Call returns the error's [tool.ModelText] as a result, because an error would end the agent's run.
// It only returns an error when ctx is done.
func (t *textTool) Call(ctx context.Context, input string) (string, error) {
	// CallAll runs the function in another goroutine, so that a function that calls runtime.Goexit does not end the
	// agent's goroutine.
	call := t.registry.CallAll(ctx, []tool.Request{{Name: t.definition.Name, Arguments: t.parseInput(input)}}, tool.Batch{})[0]
	switch {
	case call.Err == nil:
		if attached := call.QuoteAttached(longestAttached); attached != "" {
			return outputText(call.Output) + "\n" + attached, nil
		}
		return outputText(call.Output), nil
	case ctx.Err() != nil:
		return "", call.Err
	}
	return tool.ModelText(call.Err), nil
}

// parseInput converts the input of Call to the arguments of the tool.
func (t *textTool) parseInput(input string) json.RawMessage {
	trimmed := strings.TrimSpace(input)
	switch {
	case strings.HasPrefix(trimmed, "{"):
		return json.RawMessage(trimmed)
	case t.arguments == 0: // ignore the input: some models write "none"
		return nil
	case t.soleArgument == "":
		return json.RawMessage(trimmed) // the tool rejects it unless it is empty
	}
	value := json.RawMessage(trimmed)
	if !json.Valid(value) || t.soleIsText && trimmed[0] != '"' {
		value = json.RawMessage(jsontext.Quote(input))
	}
	return fmt.Appendf(nil, "{%s:%s}", jsontext.Quote(t.soleArgument), value)
}

// outputText returns a JSON string as plain text, and other JSON unchanged.
func outputText(output json.RawMessage) string {
	var s *string
	if json.Unmarshal(output, &s) == nil && s != nil {
		return *s
	}
	return string(output)
}
