// Package eino converts the tools of a registry to tools for the agents and ToolsNodes of eino:
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

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools returns the tools of a registry that can be called without a [tool.Scope], sorted by name.
// Each is an InvokableTool. The tools lower their schemas for target, the provider of the model, and
// raise the arguments of calls; see [schema.Lower]. Tools returns an error if a schema cannot be
// lowered, or if two tools would have the same name.
//
// The result of a call is JSON, except that a string is returned as plain text. If a call fails, its
// result is [tool.ModelText] of the error, because an error would end the agent's run. Calls return an
// error only if their context is done.
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

// restoreKeywords copies keywords that jsonschema.Schema has lost, such as nullable or a default of
// null, from text to the Extras of a schema and its subschemas.
func restoreKeywords(s *jsonschema.Schema, text json.RawMessage) error {
	var want, got map[string]json.RawMessage
	if s == nil || json.Unmarshal(text, &want) != nil || len(want) == 0 {
		return nil // text is true, false or {}
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
	raw, marshalErr := json.Marshal(s)
	if err = errors.Join(err, marshalErr); err != nil {
		return err
	}
	if json.Unmarshal(raw, &got) != nil {
		got = nil // a schema without keywords is marshaled as true
	}
	for keyword, value := range want {
		if _, ok := got[keyword]; !ok {
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
	name     string // in the registry
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

// InvokableRun calls the tool. If the arguments cannot be raised, it passes them to the tool unchanged,
// which rejects them.
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
	result := string(call.Output)
	var text *string
	if json.Unmarshal(call.Output, &text) == nil && text != nil {
		result = *text
	}
	if call.Note != "" {
		result += "\n" + call.Note
	}
	for _, part := range call.Content {
		result += "\nAttached: " + part.String()
	}
	return result, nil
}
