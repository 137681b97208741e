package responses

import (
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// request is an encoded request, with the data needed to read its answer.
type request struct {
	body      []byte
	optional  []string // optional parameters in the request
	tools     *endpoint.Tools
	schema    *schema.Lowered // schema of the answer; nil for any text
	itemsOf   string          // endpoint whose items the request contains; "" if it contains none
	toolNames []string        // names of the tools, for the provider data of the answer; nil if that of an earlier answer has the same names
	answer    endpoint.Answer
}

// newRequest encodes a request. It includes items of earlier answers only if they came from host, and omits the
// parameters in omit.
func (m *model) newRequest(req llm.Request, stream bool, host string, omit endpoint.Parameters) (r *request, err error) {
	switch {
	case len(req.Stop) > 0:
		return nil, errors.New("the Responses API does not support stop texts: leave out Stop")
	case req.Seed != nil:
		return nil, errors.New("the Responses API does not support seeds: leave out Seed")
	case m.configErr != nil:
		return nil, m.configErr
	}
	r = &request{}
	lower := endpoint.Lowering(schema.OpenAI, m.strict)
	if r.tools, err = endpoint.LowerTools(lower, req.Tools...); err != nil {
		return nil, err
	}
	if req.Schema != nil {
		if r.schema, err = endpoint.LowerAnswer(lower, req.Schema); err != nil {
			return nil, err
		}
	}
	input, definitions, err := r.encodeInput(req, host, omit)
	if err != nil {
		return nil, err
	}
	choice, err := r.toolChoice(req.ToolChoice)
	if err != nil {
		return nil, err
	}
	// Members that do not change in later requests of a run come first.
	var body endpoint.Object
	body.Add("model", m.name)
	body.AddIf(req.System != "", "instructions", req.System)
	body.AddIf(len(definitions) > 0, "tools", definitions)
	body.Add("input", input)
	body.AddIf(choice != nil, "tool_choice", choice)
	body.AddIf(req.OneCall && len(req.Tools) > 0, "parallel_tool_calls", false)
	body.AddIf(req.MaxTokens > 0, "max_output_tokens", req.MaxTokens)
	body.AddIf(req.Temperature != nil && r.useOptional(temperature, omit), temperature, req.Temperature)
	body.AddIf(req.TopP != nil && r.useOptional(topP, omit), topP, req.TopP)
	m.addObjects(&body, r, req, omit)
	body.Add("store", false)
	body.AddIf(r.useOptional(encrypted, omit), "include", []string{"reasoning.encrypted_content"})
	body.AddIf(stream, "stream", true)
	if err := body.AddExtra(m.extra.With(req.Extra)); err != nil {
		return nil, err
	}
	r.body, err = body.MarshalJSON()
	return r, err
}

// addObjects adds the objects text and reasoning, to which [llm.Request.Extra] may add members.
func (m *model) addObjects(body *endpoint.Object, r *request, req llm.Request, omit endpoint.Parameters) {
	text, reasoning := &endpoint.Object{}, &endpoint.Object{}
	if r.schema != nil {
		text.Add("format", map[string]any{"type": "json_schema", "name": r.schema.Name, "schema": r.schema.Input, "strict": r.schema.Target.Strict()})
	}
	reasoning.AddIf(req.Effort != "", "effort", req.Effort)
	reasoning.AddIf(m.summary != "" && r.useOptional(reasoningSummary, omit), "summary", m.summary)
	body.AddIf(text.Has("format"), "text", text)
	body.AddIf(reasoning.Has("effort") || reasoning.Has("summary"), "reasoning", reasoning)
}

// useOptional reports whether to send an optional parameter. If so, it records the parameter.
func (r *request) useOptional(name string, omit endpoint.Parameters) bool {
	if omit.Has(name) {
		return false
	}
	r.optional = append(r.optional, name)
	return true
}

// toolChoice returns which tools the model may or must call, or nil to let the model choose.
func (r *request) toolChoice(choice llm.ToolChoice) (any, error) {
	name, err := r.tools.Choose(choice)
	switch {
	case err != nil:
		return nil, err
	case name != "":
		return map[string]string{"type": "function", "name": name}, nil
	case choice == llm.AnyTool:
		return "required", nil
	case choice == llm.NoTool && len(r.tools.All) > 0:
		return "none", nil
	}
	return nil, nil
}

// function is a tool in a request.
type function struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
	Output      json.RawMessage `json:"output_schema,omitempty"`
}

// functions returns the tools of a request.
func (r *request) functions(definitions []tool.Definition, omit endpoint.Parameters) (all []function) {
	for i, t := range r.tools.All {
		f := function{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.Input, Strict: t.Target.Strict()}
		// A schema may be a boolean, which the API does not accept.
		if output := definitions[i].Output; len(endpoint.ParseMembers(output)) > 0 && r.useOptional(outputSchemas, omit) {
			f.Output = output
		}
		all = append(all, f)
	}
	return all
}
