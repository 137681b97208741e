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
		if err := restoreKeywords(&input, lowered.Input); err != nil {
			return nil, fmt.Errorf("eino: the input schema of %s: %w", d.Name, err)
		}
		tools = append(tools, &invokableTool{r, d.Name, lowered, &input})
	}
	return tools, nil
}

// restoreKeywords copies keywords that jsonschema.Schema does not support, such as nullable or a
// default of null, from text to the Extras of a schema and of the schemas in it.
func restoreKeywords(s *jsonschema.Schema, text json.RawMessage) error {
	var want, got map[string]json.RawMessage
	if s == nil || json.Unmarshal(text, &want) != nil || len(want) == 0 {
		return nil // true, false or {}
	}
	var lists struct{ AllOf, AnyOf, OneOf []json.RawMessage }
	var maps struct {
		Defs       map[string]json.RawMessage `json:"$defs"`
		Properties map[string]json.RawMessage
	}
	if err := errors.Join(json.Unmarshal(text, &lists), json.Unmarshal(text, &maps)); err != nil {
		return err
	}
	err := errors.Join(restoreKeywords(s.Items, want["items"]), restoreKeywords(s.AdditionalProperties, want["additionalProperties"]))
	for name, text := range maps.Properties {
		property, _ := s.Properties.Get(name)
		err = errors.Join(err, restoreKeywords(property, text))
	}
	for name, text := range maps.Defs {
		err = errors.Join(err, restoreKeywords(s.Definitions[name], text))
	}
	for _, x := range []struct {
		schemas []*jsonschema.Schema
		texts   []json.RawMessage
	}{{s.AllOf, lists.AllOf}, {s.AnyOf, lists.AnyOf}, {s.OneOf, lists.OneOf}} {
		for i, text := range x.texts {
			err = errors.Join(err, restoreKeywords(x.schemas[i], text))
		}
	}
	raw, failed := json.Marshal(s)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if json.Unmarshal(raw, &got) != nil {
		got = nil // a schema without keywords is marshaled as true
	}
	for keyword, value := range want {
		if _, has := got[keyword]; !has {
			if s.Extras == nil {
				s.Extras = map[string]any{}
			}
			s.Extras[keyword] = value
		}
	}
	return nil
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
