package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var errCutOff = errors.New("it was cut off")

// RepairJSON returns the JSON that a text was meant to be. It follows the schema,
// if there is one, and keeps every value of the text that the schema allows. The
// actions are all attempts; the error is an [*Error].
func (s *Supervisor) RepairJSON(ctx context.Context, text string, schema json.RawMessage) (json.RawMessage, []Action, error) {
	return run(ctx, s, repairing[json.RawMessage]{
		kind: JSON, original: text, schema: schema,
		prompt: "json.txt", data: question{Original: text, Schema: compact(schema)},
		local: func() (value, repaired json.RawMessage, err error) {
			value, err = readJSON(text, schema)
			return value, value, err
		},
		check: func(reply string) (value, repaired json.RawMessage, err error) {
			if value, err = readJSON(reply, schema); err == nil {
				err = lost(text, value, schema)
			}
			return value, value, err
		},
	})
}

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

// RepairToolCall returns a request whose arguments follow the input schema of the
// tool, and keep every value that it allows. Faults are what the tool itself found
// wrong where the schema allows it, if it did; then those values change, too. Else
// it is as RepairJSON.
func (s *Supervisor) RepairToolCall(ctx context.Context, request tool.Request, d tool.Definition, faults ...tool.Fault) (tool.Request, []Action, error) {
	original := string(request.Arguments)
	read := func(text string, cutOff bool) (tool.Request, json.RawMessage, error) {
		r, err := repair.Arguments(text, d.Input)
		if err == nil && (r.Truncated || cutOff) {
			err = errCutOff
		}
		if err == nil {
			err = schema.Validate(nil, r.Value)
		}
		repaired := request
		repaired.Name, repaired.Arguments, repaired.Truncated = d.Name, r.Value, false
		return repaired, r.Value, err
	}
	return run(ctx, s, repairing[tool.Request]{
		kind: ToolCall, original: original, schema: d.Input,
		prompt: "tool_call.txt", data: question{Original: original, Schema: compact(d.Input), Tool: d.Name},
		local: func() (tool.Request, json.RawMessage, error) {
			if len(faults) > 0 {
				return request, nil, &tool.ArgumentError{Tool: d.Name, Faults: faults, Count: len(faults)}
			}
			return read(original, request.Truncated)
		},
		check: func(reply string) (tool.Request, json.RawMessage, error) {
			repaired, value, err := read(reply, false)
			if err == nil {
				err = lost(original, value, d.Input, faults...)
			}
			if err == nil && len(faults) > 0 && same(request.Arguments, value) {
				err = errors.New("the arguments are the same as before")
			}
			return repaired, value, err
		},
	})
}

// RepairPlan returns the plan that a text was meant to be. What the model makes
// of it names only tools of the definitions. Else it is as RepairJSON.
func (s *Supervisor) RepairPlan(ctx context.Context, raw string, definitions []tool.Definition) (plan.Plan, []Action, error) {
	offered := plan.Schema(definitions...)
	return run(ctx, s, repairing[plan.Plan]{
		kind: Plan, original: raw, schema: offered,
		prompt: "plan.txt", data: question{Original: raw, Schema: compact(offered), Tools: describe(definitions)},
		local: func() (plan.Plan, json.RawMessage, error) { return readPlan(raw) },
		check: func(reply string) (plan.Plan, json.RawMessage, error) {
			p, value, err := readPlan(reply)
			if err != nil {
				return p, nil, err
			}
			for _, step := range p.Steps {
				if !plan.ValidateStep(&step, definitions) {
					return p, nil, fmt.Errorf("step %s: %s", step.ID, strings.Join(step.Errors, "; "))
				}
			}
			return p, value, lost(raw, value, offered)
		},
	})
}

func readPlan(text string) (plan.Plan, json.RawMessage, error) {
	p, err := plan.Parse(text)
	if err != nil {
		return p, nil, err
	}
	value, err := jsontext.Marshal(p, "")
	return p, value, err
}

// RepairStep returns the step with a tool of the definitions. Its ID, description
// and status stay; its errors are gone. Arguments stay as far as the tool takes
// them. Else it is as RepairJSON.
func (s *Supervisor) RepairStep(ctx context.Context, step plan.Step, definitions []tool.Definition, goal string) (plan.Step, []Action, error) {
	shown := step
	shown.Errors = nil
	original, err := jsontext.Marshal(shown, "")
	if err != nil {
		return step, nil, &Error{Kind: Step, Err: err}
	}
	wrong := strings.Join(step.Errors, "; ")
	if wrong == "" {
		wrong = "it names no tool"
	}
	limited := *s
	if len(definitions) == 0 {
		limited.attempts = 0 // there is nothing to choose from
	}
	repaired, actions, err := run(ctx, &limited, repairing[plan.Step]{
		kind: Step, original: string(original), schema: stepSchema(step, definitions),
		prompt: "step.txt", data: question{Original: string(original), Tools: describe(definitions), Goal: goal},
		local: func() (plan.Step, json.RawMessage, error) {
			d, found := spelt(step.Tool, definitions)
			if !found {
				return step, nil, errors.New(wrong)
			}
			return withTool(step, d.Name, step.Arguments)
		},
		check: func(reply string) (plan.Step, json.RawMessage, error) { return readStep(reply, step, definitions) },
	})
	if err != nil {
		return step, actions, err
	}
	return repaired, actions, nil
}

func readStep(reply string, step plan.Step, definitions []tool.Definition) (plan.Step, json.RawMessage, error) {
	value, err := readJSON(reply, stepSchema(step, definitions))
	if err != nil {
		return step, nil, err
	}
	var chosen struct {
		Tool      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal(value, &chosen); err != nil {
		return step, nil, err
	}
	d, _ := named(chosen.Tool, definitions)
	switch {
	case len(chosen.Arguments) == 0:
		chosen.Arguments = step.Arguments
	case len(step.Arguments) > 0:
		if err := lost(string(step.Arguments), chosen.Arguments, d.Input); err != nil {
			return step, nil, err
		}
	}
	return withTool(step, chosen.Tool, chosen.Arguments)
}

// withTool returns a copy of a step that is repaired.
func withTool(step plan.Step, name string, arguments json.RawMessage) (plan.Step, json.RawMessage, error) {
	step.Tool, step.Arguments, step.Errors = name, arguments, nil
	text, err := jsontext.Marshal(step, "")
	return step, text, err
}

// stepSchema is what a repaired step must be: the same step with a tool.
func stepSchema(step plan.Step, definitions []tool.Definition) json.RawMessage {
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = d.Name
	}
	schema, err := jsontext.Marshal(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"step_id":     map[string]any{"const": step.ID},
			"description": map[string]any{"const": step.Description},
			"status":      map[string]any{"const": step.Status},
			"tool":        map[string]any{"type": "string", "enum": names},
			"arguments":   map[string]any{"type": "object"},
			"agent":       map[string]any{"type": "string"},
		},
		"required": []string{"step_id", "description", "tool"},
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
