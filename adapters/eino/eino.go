// Package eino converts the tools of a registry to tools for eino's agents and tools nodes. It is a
// separate module, so that only its users depend on eino.
//
//	tools, err := eino.Tools(registry, schema.OpenAI)
//	if err != nil { … }
//	agent, err := react.NewAgent(ctx, &react.AgentConfig{
//		ToolCallingModel: model,
//		ToolsConfig:      compose.ToolsNodeConfig{Tools: tools},
//	})
package eino

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	einotool "github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	einoschema "github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools returns the tools of a registry that can be called without a [tool.Scope], sorted by name.
// Each is an InvokableTool. Their schemas are converted for target, the provider of the model, and
// the model's arguments are converted back; see [schema.Lower].
//
// Tools returns an error if a schema cannot be converted, or if two tools would have the same name.
//
// A string result is returned as plain text, any other result as JSON. If a call fails, its result
// is the error's [tool.ModelText], because an error would end the agent's run. InvokableRun returns
// an error only if its context is done.
func Tools(r *tool.Registry, target schema.Target) ([]einotool.BaseTool, error) {
	var tools []einotool.BaseTool
	names := map[string]string{}
	for _, d := range r.Available(nil) {
		lowered, err := schema.Lower(target, d)
		if err != nil {
			return nil, fmt.Errorf("eino: %w", err)
		}
		if other, taken := names[lowered.Name]; taken {
			return nil, fmt.Errorf("eino: %q and %q would both be named %s", other, d.Name, lowered.Name)
		}
		names[lowered.Name] = d.Name
		var input jsonschema.Schema
		if err := json.Unmarshal(lowered.Input, &input); err != nil {
			return nil, fmt.Errorf("eino: the input schema of %s: %w", d.Name, err)
		}
		written, err := jsontext.Parse(string(lowered.Input), jsontext.MaxDepth)
		if err == nil {
			err = restoreKeywords(&input, written)
		}
		if err != nil {
			return nil, fmt.Errorf("eino: the input schema of %s: %w", d.Name, err)
		}
		tools = append(tools, &invokableTool{r, d.Name, lowered, &input})
	}
	return tools, nil
}

// restoreKeywords copies keywords that jsonschema.Schema does not support, such as nullable or a
// default of null, from n to the Extras of a schema and of the schemas in it.
func restoreKeywords(s *jsonschema.Schema, n *jsontext.Node) error {
	if s == nil || !n.Is(jsontext.Object) || len(n.Items) == 0 {
		return nil // true, false or {}
	}
	err := errors.Join(restoreKeywords(s.Items, n.Member("items")), restoreKeywords(s.AdditionalProperties, n.Member("additionalProperties")))
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		err = errors.Join(err, restoreKeywords(p.Value, n.Member("properties").Member(p.Key)))
	}
	for name, definition := range s.Definitions {
		err = errors.Join(err, restoreKeywords(definition, n.Member("$defs").Member(name)))
	}
	for keyword, list := range map[string][]*jsonschema.Schema{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf} {
		if written := n.Member(keyword); written.Is(jsontext.Array) && len(written.Items) == len(list) {
			for i, x := range list {
				err = errors.Join(err, restoreKeywords(x, written.Items[i]))
			}
		}
	}
	raw, failed := json.Marshal(s)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	got, err := jsontext.Parse(string(raw), jsontext.MaxDepth) // true for a schema without keywords
	for _, m := range n.Items {
		if got.Member(m.Name()) == nil {
			if s.Extras == nil {
				s.Extras = map[string]any{}
			}
			s.Extras[m.Name()] = json.RawMessage(m.String())
		}
	}
	return err
}

// invokableTool implements InvokableTool.
type invokableTool struct {
	registry *tool.Registry
	name     string // name in the registry
	lowered  *schema.Lowered
	input    *jsonschema.Schema
}

var _ einotool.InvokableTool = (*invokableTool)(nil)

// Info returns the description of the tool for the model.
func (t *invokableTool) Info(context.Context) (*einoschema.ToolInfo, error) {
	return &einoschema.ToolInfo{
		Name:        t.lowered.Name,
		Desc:        t.lowered.Description,
		ParamsOneOf: einoschema.NewParamsOneOfByJSONSchema(t.input),
	}, nil
}

// InvokableRun calls the tool. If the arguments cannot be converted back, the tool receives them
// unchanged, and rejects them with an error for the model.
func (t *invokableTool) InvokableRun(ctx context.Context, arguments string, _ ...einotool.Option) (string, error) {
	request := tool.Request{ID: compose.GetToolCallID(ctx), Name: t.name, Arguments: json.RawMessage(arguments)}
	if raised, err := t.lowered.Raise(request.Arguments); err == nil {
		request.Arguments = raised
	}
	// CallAll runs the function in another goroutine, so that a function that calls
	// runtime.Goexit does not end the agent's goroutine.
	call := t.registry.CallAll(ctx, []tool.Request{request}, tool.Batch{})[0]
	switch {
	case call.Err != nil && ctx.Err() != nil:
		return "", call.Err
	case call.Err != nil:
		return tool.ModelText(call.Err), nil
	}
	result := jsontext.PlainText(call.Output)
	if call.Note != "" {
		result += "\n" + call.Note
	}
	for _, part := range call.Content {
		result += "\nAttached: " + part.String()
	}
	return result, nil
}
