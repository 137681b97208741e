// Package langchaingo converts the tools of a registry to tools for agents of langchaingo:
//
//	agent := agents.NewOneShotAgent(model, langchaingo.Tools(registry))
//
// These agents describe tools to the model as text, with a name and a description, and read calls from
// its text. The description therefore contains the schema of the arguments. The schema is not adapted to
// a provider, because the model reads it as text.
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

// textTool implements [tools.Tool]: a tool whose input and output are text.
type textTool struct {
	registry      *tool.Registry
	definition    tool.Definition
	mainArgument  string // the only argument, or the only required one, whose value can be given as plain text; "" if there is none
	mainIsText    bool   // the type of mainArgument is string
	argumentCount int    // number of arguments
}

func newTextTool(r *tool.Registry, d tool.Definition) *textTool {
	t := &textTool{registry: r, definition: d}
	var input struct {
		Properties map[string]struct{ Type any }
		Required   []string
	}
	_ = json.Unmarshal(d.Input, &input) // if this fails, no argument is known
	t.argumentCount = len(input.Properties)
	for name, property := range input.Properties {
		if t.argumentCount == 1 || len(input.Required) == 1 && input.Required[0] == name {
			t.mainArgument, t.mainIsText = name, property.Type == "string"
		}
	}
	return t
}

// Name returns the name of the tool.
func (t *textTool) Name() string { return t.definition.Name }

// Description returns the description of the tool and its input, including the schema, for the prompt of an agent.
func (t *textTool) Description() string {
	text := t.definition.Description + "\nInput: "
	switch {
	case t.argumentCount == 0:
		return text + "none."
	case t.mainIsText:
		text += fmt.Sprintf("the text of %q alone, or ", t.mainArgument)
	}
	text += "a JSON object by this schema: " + string(t.definition.Input)
	if len(t.definition.Example) > 0 {
		text += "\nExample: " + string(t.definition.Example)
	}
	return text
}

// longestAttached limits the text about attachments that a model reads, in bytes.
const longestAttached = 16 << 10

// Call calls the tool. Input that begins with { is a JSON object with the arguments. Other input is the value of the
// only argument or of the only required argument, as plain text or JSON. The result is plain text if it is a string,
// and JSON otherwise, followed by a description of attachments.
//
// If the call fails, Call returns [tool.ModelText] of the error as the result, because an error would end the agent's
// run. It returns an error only if ctx is done.
func (t *textTool) Call(ctx context.Context, input string) (string, error) {
	// CallAll runs the function in another goroutine, so that a function that calls runtime.Goexit does not end the
	// agent's goroutine.
	call := t.registry.CallAll(ctx, []tool.Request{{Name: t.definition.Name, Arguments: t.parseInput(input)}}, tool.Batch{})[0]
	switch {
	case call.Err == nil:
		if attached := call.QuoteAttached(longestAttached); attached != "" {
			return jsontext.PlainText(call.Output) + "\n" + attached, nil
		}
		return jsontext.PlainText(call.Output), nil
	case ctx.Err() != nil:
		return "", call.Err
	}
	return tool.ModelText(call.Err), nil
}

// parseInput returns the arguments for an input.
func (t *textTool) parseInput(input string) json.RawMessage {
	trimmed := strings.TrimSpace(input)
	switch {
	case strings.HasPrefix(trimmed, "{"):
		return json.RawMessage(trimmed)
	case t.argumentCount == 0: // ignore texts such as "none"
		return nil
	case t.mainArgument == "":
		return json.RawMessage(trimmed) // empty, or invalid arguments that the tool rejects
	}
	value := json.RawMessage(trimmed)
	if !json.Valid(value) || t.mainIsText && trimmed[0] != '"' {
		value = json.RawMessage(jsontext.Quote(input))
	}
	return fmt.Appendf(nil, "{%s:%s}", jsontext.Quote(t.mainArgument), value)
}
