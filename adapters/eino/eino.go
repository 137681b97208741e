// Package eino gives the tools of a registry the form that eino's agents and tools
// nodes take. It is a module of its own, so that only those depend on eino who
// import it.
//
//	tools, err := eino.Tools(registry)
//	if err != nil { … }
//	agent, err := react.NewAgent(ctx, &react.AgentConfig{
//		ToolCallingModel: model,
//		ToolsConfig:      compose.ToolsNodeConfig{Tools: tools},
//	})
package eino

import (
	"context"
	"encoding/json"
	"fmt"

	einotool "github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools returns the tools of a registry that can be called without a [tool.Scope],
// sorted by name; each is an InvokableTool. The error says which input schema eino
// cannot read. Results are JSON, but for texts, which come as they are. What goes
// wrong is told to the model by the result, as [tool.ModelText] says it, for an
// error would end the run of the agent; there is one only when the context is done.
func Tools(r *tool.Registry) ([]einotool.BaseTool, error) {
	var tools []einotool.BaseTool
	for _, d := range r.Available(nil) {
		var input jsonschema.Schema
		if err := json.Unmarshal(d.Input, &input); err != nil {
			return nil, fmt.Errorf("eino: the input schema of %s: %w", d.Name, err)
		}
		tools = append(tools, &invokable{r, &schema.ToolInfo{
			Name:        d.Name,
			Desc:        d.Description,
			ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&input),
		}})
	}
	return tools, nil
}

// invokable is an InvokableTool.
type invokable struct {
	registry *tool.Registry
	info     *schema.ToolInfo
}

var _ einotool.InvokableTool = (*invokable)(nil)

// Info returns what the model is told.
func (t *invokable) Info(context.Context) (*schema.ToolInfo, error) { return t.info, nil }

// InvokableRun calls the tool.
func (t *invokable) InvokableRun(ctx context.Context, arguments string, _ ...einotool.Option) (string, error) {
	call := t.registry.Call(ctx, tool.Request{
		ID:        compose.GetToolCallID(ctx),
		Name:      t.info.Name,
		Arguments: json.RawMessage(arguments),
	})
	switch {
	case call.Err != nil && ctx.Err() != nil:
		return "", call.Err
	case call.Err != nil:
		return tool.ModelText(call.Err), nil
	}
	var text *string
	if json.Unmarshal(call.Output, &text) == nil && text != nil {
		return *text, nil
	}
	return string(call.Output), nil
}
