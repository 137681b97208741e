// Package langchain gives the tools of a registry the form that agents in the
// manner of LangChain expect: a name, a description, and a call that takes and
// returns text. It is that of tools.Tool in langchaingo, which it need not import:
//
//	agent := agents.NewOneShotAgent(model, langchain.Tools[tools.Tool](registry))
//
// No schema reaches a provider on this way, so that nothing is lowered: the model
// reads it in the description, and writes arguments as the tool takes them.
package langchain

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Interface is the method set of a tool, as langchaingo's tools.Tool has it.
type Interface interface {
	Name() string
	Description() string
	Call(ctx context.Context, input string) (string, error)
}

// Tools returns the tools of a registry that can be called without a [tool.Scope],
// sorted by name. T is the interface that is asked for, such as langchaingo's
// tools.Tool; Tools panics if a [*Tool] does not have all of its methods.
func Tools[T Interface](r *tool.Registry) []T {
	definitions := r.Available(nil)
	tools := make([]T, len(definitions))
	for i, d := range definitions {
		tools[i] = any(newTool(r, d)).(T)
	}
	return tools
}

// Tool is a tool that takes and returns text. It is safe for concurrent use.
type Tool struct {
	registry   *tool.Registry
	definition tool.Definition
	sole       string // the argument that a plain text stands for, if there is one
	soleIsText bool
	arguments  int
}

func newTool(r *tool.Registry, d tool.Definition) *Tool {
	t := &Tool{registry: r, definition: d}
	var input struct {
		Properties map[string]struct{ Type any }
		Required   []string
	}
	_ = json.Unmarshal(d.Input, &input) // no schema, or one that is not ours, has no such argument
	t.arguments = len(input.Properties)
	for name, property := range input.Properties {
		if t.arguments == 1 || len(input.Required) == 1 && input.Required[0] == name {
			t.sole, t.soleIsText = name, property.Type == "string"
		}
	}
	return t
}

// Name returns the name of the tool.
func (t *Tool) Name() string { return t.definition.Name }

// Description returns what the tool does and how its input is to be written: since
// agents of this kind show the model no schema, it is in there.
func (t *Tool) Description() string {
	text := t.definition.Description + "\nInput: "
	switch {
	case t.arguments == 0:
		return text + "none."
	case t.soleIsText:
		text += fmt.Sprintf("the text of %q alone, or ", t.sole)
	}
	text += "a JSON object by this schema: " + string(t.definition.Input)
	if len(t.definition.Example) > 0 {
		text += "\nExample: " + string(t.definition.Example)
	}
	return text
}

// longestAttached bounds what a model reads of a text that is attached to a result, in
// bytes.
const longestAttached = 16 << 10

// Call calls the tool. Input that begins with { is JSON; other input is the one
// argument that the tool has or cannot do without, if there is such a one, as
// plain text or as JSON. A result that is a text comes as it is, others as JSON; what is
// attached to it in words.
//
// What goes wrong is told to the model by the result, as [tool.ModelText] says it,
// for an error would end the run of the agent. There is one only when ctx is done.
func (t *Tool) Call(ctx context.Context, input string) (string, error) {
	// A batch runs apart, so that a function which ends its goroutine does not end
	// that of the agent.
	call := t.registry.CallAll(ctx, []tool.Request{{Name: t.definition.Name, Arguments: t.read(input)}}, tool.Batch{})[0]
	switch {
	case call.Err == nil:
		if beside := quote.Beside(call, longestAttached); beside != "" {
			return text(call.Output) + "\n" + beside, nil
		}
		return text(call.Output), nil
	case ctx.Err() != nil:
		return "", call.Err
	}
	return tool.ModelText(call.Err), nil
}

// read returns the arguments that an input stands for.
func (t *Tool) read(input string) json.RawMessage {
	trimmed := strings.TrimSpace(input)
	switch {
	case strings.HasPrefix(trimmed, "{"):
		return json.RawMessage(trimmed)
	case t.arguments == 0: // some models write that there is nothing to write
		return nil
	case t.sole == "":
		return json.RawMessage(trimmed) // an error, or nothing
	}
	value := json.RawMessage(trimmed)
	if !json.Valid(value) || t.soleIsText && trimmed[0] != '"' {
		value = json.RawMessage(jsontext.Quote(input))
	}
	return fmt.Appendf(nil, "{%s:%s}", jsontext.Quote(t.sole), value)
}

// text returns a JSON string as its text, and other JSON as it is.
func text(output json.RawMessage) string {
	var s *string
	if json.Unmarshal(output, &s) == nil && s != nil {
		return *s
	}
	return string(output)
}
