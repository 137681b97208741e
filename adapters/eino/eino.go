// Package eino gives the tools of a registry the form that eino's agents and tools
// nodes take. It is a module of its own, so that only those depend on eino who
// import it.
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

// Tools returns the tools of a registry that can be called without a [tool.Scope],
// sorted by name; each is an InvokableTool. Their schemas are lowered for a target,
// the provider that the model is of, and what the model writes is raised again; see
// [schema.Lower].
//
// The error says which schema cannot be used, or which tools would have the same
// name. Results are JSON, but for texts, which come as they are. What goes wrong is
// told to the model by the result, as [tool.ModelText] says it, for an error would
// end the run of the agent; there is one only when the context is done.
func Tools(r *tool.Registry, target schema.Target) ([]einotool.BaseTool, error) {
	var tools []einotool.BaseTool
	names := map[string]string{}
	for _, d := range r.Available(nil) {
		lowered, err := schema.Lower(target, d)
		if err != nil {
			return nil, fmt.Errorf("eino: %w", err)
		}
		if other, taken := names[lowered.Name]; taken {
			return nil, fmt.Errorf("eino: %q and %q would both be called %s", other, d.Name, lowered.Name)
		}
		names[lowered.Name] = d.Name
		var input jsonschema.Schema
		if err := json.Unmarshal(lowered.Input, &input); err != nil {
			return nil, fmt.Errorf("eino: the input schema of %s: %w", d.Name, err)
		}
		if err := restore(&input, lowered.Input); err != nil {
			return nil, fmt.Errorf("eino: the input schema of %s: %w", d.Name, err)
		}
		tools = append(tools, &invokable{r, d.Name, lowered, &input})
	}
	return tools, nil
}

// restore gives a schema, and those within, the keywords of its text that it has no
// field for, or that it takes for none: nullable, a default of null.
func restore(s *jsonschema.Schema, text json.RawMessage) error {
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
	err := errors.Join(restore(s.Items, want["items"]), restore(s.AdditionalProperties, want["additionalProperties"]))
	for name, text := range maps.Properties {
		property, _ := s.Properties.Get(name)
		err = errors.Join(err, restore(property, text))
	}
	for name, text := range maps.Defs {
		err = errors.Join(err, restore(s.Definitions[name], text))
	}
	for _, x := range []struct {
		schemas []*jsonschema.Schema
		texts   []json.RawMessage
	}{{s.AllOf, lists.AllOf}, {s.AnyOf, lists.AnyOf}, {s.OneOf, lists.OneOf}} {
		for i, text := range x.texts {
			err = errors.Join(err, restore(x.schemas[i], text))
		}
	}
	raw, failed := json.Marshal(s)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if json.Unmarshal(raw, &got) != nil {
		got = nil // it has no keyword, and is written as true
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

// invokable is an InvokableTool.
type invokable struct {
	registry *tool.Registry
	name     string // in the registry
	lowered  *schema.Lowered
	input    *jsonschema.Schema
}

var _ einotool.InvokableTool = (*invokable)(nil)

// Info returns what the model is told.
func (t *invokable) Info(context.Context) (*einoschema.ToolInfo, error) {
	return &einoschema.ToolInfo{
		Name:        t.lowered.Name,
		Desc:        t.lowered.Description,
		ParamsOneOf: einoschema.NewParamsOneOfByJSONSchema(t.input),
	}, nil
}

// InvokableRun calls the tool. Arguments that cannot be raised are for the tool to
// judge.
func (t *invokable) InvokableRun(ctx context.Context, arguments string, _ ...einotool.Option) (string, error) {
	request := tool.Request{ID: compose.GetToolCallID(ctx), Name: t.name, Arguments: json.RawMessage(arguments)}
	if raised, err := t.lowered.Raise(request.Arguments); err == nil {
		request.Arguments = raised
	}
	// A batch runs apart, so that a function which ends its goroutine does not end
	// that of the agent.
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
