package supervisor

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// JSON is the repair of the JSON that a text was meant to be. It follows the schema,
// if there is one, and says nothing that the text does not say.
func (s *Supervisor) JSON(text string, schema json.RawMessage) *Repair[json.RawMessage] {
	return &Repair[json.RawMessage]{
		s: s, kind: JSON, original: text, schema: schema,
		prompt: "json.txt", data: question{Original: text, Schema: compact(schema)},
		local: func() finding { return found(readJSON(text, schema)) },
		check: func(reply string) finding {
			value, err := readJSON(reply, schema)
			if err == nil {
				err = lost(text, value, schema)
			}
			return found(value, err)
		},
		made: func(value json.RawMessage) (json.RawMessage, error) { return value, nil },
	}
}

func found(value json.RawMessage, err error) finding { return finding{repaired: value, err: err} }

func readJSON(text string, s json.RawMessage) (json.RawMessage, error) {
	read, err := repair.JSON(text, s)
	if err == nil && read.Truncated {
		err = errCutOff
	}
	if err == nil {
		err = schema.Validate(s, read.Value)
	}
	return read.Value, err
}

// ToolCall is the repair of the arguments of a request, so that they follow the
// input schema of the tool. Faults are what the tool itself found wrong where the
// schema allows it, if it did; then those values change, too.
func (s *Supervisor) ToolCall(request tool.Request, d tool.Definition, faults ...tool.Fault) *Repair[tool.Request] {
	original := string(request.Arguments)
	return &Repair[tool.Request]{
		s: s, kind: ToolCall, original: original, schema: d.Input,
		prompt: "tool_call.txt", data: question{Original: original, Schema: compact(d.Input), Tool: d.Name},
		local: func() finding {
			if len(faults) > 0 {
				return finding{err: &tool.ArgumentError{Tool: d.Name, Faults: faults, Count: len(faults)}}
			}
			return found(readArguments(original, d, request.Truncated))
		},
		check: func(reply string) finding {
			value, err := readArguments(reply, d, false)
			if err == nil {
				err = lost(original, value, d.Input, faults...)
			}
			if err == nil && len(faults) > 0 && same(request.Arguments, value) {
				err = errors.New("the arguments are the same as before")
			}
			return found(value, err)
		},
		made: func(arguments json.RawMessage) (tool.Request, error) {
			repaired := request
			repaired.Name, repaired.Arguments, repaired.Truncated = d.Name, arguments, false
			return repaired, nil
		},
	}
}

func readArguments(text string, d tool.Definition, cutOff bool) (json.RawMessage, error) {
	r, err := repair.Arguments(text, d.Input)
	if err == nil && (r.Truncated || cutOff) {
		err = errCutOff
	}
	if err == nil {
		err = schema.Validate(nil, r.Value)
	}
	return r.Value, err
}

// Plan is the repair of the plan that a text was meant to be: one that
// [plan.Compile] finds nothing wrong with, in at most so many steps. The request is
// what the plan was asked for with; it may be "".
func (s *Supervisor) Plan(raw, request string, definitions []tool.Definition, most int) *Repair[plan.Plan] {
	return s.plan(raw, request, definitions, func(p plan.Plan) (plan.Plan, error) {
		p, _, err := plan.Compile(p, definitions, most)
		return p, err
	})
}

// plan is the repair of a plan that is right if compile says so.
func (s *Supervisor) plan(raw, request string, definitions []tool.Definition, compile func(plan.Plan) (plan.Plan, error)) *Repair[plan.Plan] {
	offered := plan.Schema(definitions...)
	read := func(text string) finding {
		p, err := plan.Read(text, request, definitions)
		if err == nil {
			p, err = compile(p)
		}
		if err != nil {
			return finding{err: err}
		}
		return found(jsontext.Marshal(p, ""))
	}
	return &Repair[plan.Plan]{
		s: s, kind: Plan, original: raw, schema: offered,
		prompt: "plan.txt", data: question{Original: raw, Schema: compact(offered), Tools: describe(definitions)},
		local: func() finding { return read(raw) },
		check: func(reply string) finding {
			f := read(reply)
			if f.err == nil {
				f.err = lost(raw, f.repaired, offered)
			}
			return f
		},
		made: unmarshal[plan.Plan],
	}
}

func unmarshal[T any](text json.RawMessage) (value T, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}

// Step is the repair of a step that names no tool, or one that is not offered. Its
// ID, description and status stay; its errors are gone. If no tool does it, the step
// that comes back has none, and the agent [plan.AgentLLM]. Arguments stay as far as
// the tool takes them.
func (s *Supervisor) Step(step plan.Step, definitions []tool.Definition, goal string) *Repair[plan.Step] {
	shown := step
	shown.Errors = nil
	original, err := jsontext.Marshal(shown, "")
	wrong := strings.Join(step.Errors, "; ")
	if wrong == "" {
		wrong = "it names no tool"
	}
	return &Repair[plan.Step]{
		s: s, kind: Step, original: string(original), schema: stepSchema(step, definitions),
		prompt: "step.txt", data: question{Original: string(original), Tools: describe(definitions), Goal: goal},
		local: func() finding {
			if err != nil {
				return finding{err: err, final: true}
			}
			if len(definitions) == 0 {
				return withTool(step, "", step.Arguments)
			}
			d, one := spelt(step.Tool, definitions)
			if !one {
				return finding{err: errors.New(wrong)}
			}
			return withTool(step, d.Name, step.Arguments)
		},
		check: func(reply string) finding { return readStep(reply, step, definitions) },
		made:  unmarshal[plan.Step],
	}
}

func readStep(reply string, step plan.Step, definitions []tool.Definition) finding {
	value, err := readJSON(reply, stepSchema(step, definitions))
	if err != nil {
		return finding{err: err}
	}
	var chosen struct {
		Tool      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal(value, &chosen); err != nil {
		return finding{err: err}
	}
	if chosen.Tool == "" {
		return withTool(step, "", step.Arguments)
	}
	d, _ := named(chosen.Tool, definitions)
	switch {
	case len(chosen.Arguments) == 0:
		chosen.Arguments = step.Arguments
	case len(step.Arguments) > 0:
		if err := lost(string(step.Arguments), chosen.Arguments, d.Input); err != nil {
			return finding{err: err}
		}
	}
	return withTool(step, chosen.Tool, chosen.Arguments)
}

// withTool returns a step that is repaired. Without a tool, a model does it.
func withTool(step plan.Step, name string, arguments json.RawMessage) finding {
	step.Tool, step.Arguments, step.Errors = name, arguments, nil
	if name == "" {
		step.Agent = plan.AgentLLM
	}
	return found(jsontext.Marshal(step, ""))
}

// stepSchema is what a repaired step must be: the same step with a tool, or none.
func stepSchema(step plan.Step, definitions []tool.Definition) json.RawMessage {
	names := make([]any, len(definitions)+1) // the last is null
	for i, d := range definitions {
		names[i] = d.Name
	}
	schema, err := jsontext.Marshal(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"step_id":     map[string]any{"const": step.ID},
			"description": map[string]any{"const": step.Description},
			"status":      map[string]any{"const": step.Status},
			"tool":        map[string]any{"enum": names},
			"arguments":   map[string]any{"type": "object"},
			"agent":       map[string]any{"type": "string"},
		},
	}, "")
	if err != nil {
		panic(err) // it is made of strings
	}
	return schema
}

func named(name string, definitions []tool.Definition) (tool.Definition, bool) {
	for _, d := range definitions {
		if d.Name == name {
			return d, true
		}
	}
	return tool.Definition{}, false
}

// spelt returns the only tool whose name differs just in case and in signs.
func spelt(name string, definitions []tool.Definition) (found tool.Definition, ok bool) {
	count := 0
	for _, d := range definitions {
		if fold(name) != "" && fold(name) == fold(d.Name) {
			found = d
			count++
		}
	}
	return found, count == 1
}

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
