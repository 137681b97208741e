package supervisor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/instructions"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// JSON returns the repair of a text that should be JSON. The result follows the schema, if there
// is one, and contains only values that are in the text; see [repair.Origin].
func (s *Supervisor) JSON(text string, schema json.RawMessage) *Repair[json.RawMessage] {
	o := repair.Origin{Text: text, Schema: schema}
	return &Repair[json.RawMessage]{
		s: s, limit: s.attempts, kind: JSON, original: text, schema: withoutRequired(schema),
		prompt: "json.txt", data: question{Original: quoteText(text), Schema: compactJSON(schema)},
		local: func() finding { return addMissing(o, newFinding(readJSON(text, schema))) },
		check: func(reply string) finding { return checkOrigin(o, reply, newFinding(readJSON(reply, schema))) },
		parse: func(value json.RawMessage) (json.RawMessage, error) { return value, nil },
	}
}

func newFinding(value json.RawMessage, err error) finding { return finding{repaired: value, err: err} }

func readJSON(text string, s json.RawMessage) (json.RawMessage, error) {
	repaired, err := repair.JSON(text, s)
	if err == nil && repaired.Truncated {
		err = errCutOff
	}
	if err == nil {
		err = schema.Validate(s, repaired.Value)
	}
	return repaired.Value, err
}

// addMissing adds the pointers of missing values to a finding about the original text. The finding
// becomes final if the text contains nothing that could be the value of a required member.
func addMissing(o repair.Origin, f finding) finding {
	if f.err == nil {
		return f
	}
	m := o.Missing()
	f.missing, f.known = m.Absent, m.Rest // reported if the model does not find the values either
	if f.final = len(m.Nowhere) > 0; f.final {
		f.missing = m.Nowhere
		f.err = fmt.Errorf("%w; it contains no value for %s", f.err, strings.Join(m.Nowhere, ", "))
	}
	return f
}

// withoutRequired removes the keyword required from the root of a schema. Otherwise, an endpoint
// that enforces the schema would force the model to invent missing values.
func withoutRequired(s json.RawMessage) json.RawMessage {
	n, err := jsontext.Parse(string(s), jsontext.Depth)
	if err != nil {
		return s
	}
	items := slices.DeleteFunc(slices.Clone(n.Items), func(m *jsontext.Node) bool { return m.Name() == "required" })
	return (&jsontext.Node{Kind: n.Kind, Text: n.Text, Items: items}).Append(nil)
}

// checkOrigin completes the finding for a reply. It adds an error if the reply contains values that
// the original does not contain. If the reply is valid except for required values that it omits,
// the finding becomes final, because the model confirms that the original does not contain them.
func checkOrigin(o repair.Origin, reply string, f finding) finding {
	if f.err == nil {
		if f.err = o.Check(f.repaired); f.err == nil {
			return f
		}
	}
	m := repair.Origin{Text: reply, Schema: o.Schema}.Missing()
	if len(m.Absent) == 0 || slices.ContainsFunc(m.Nowhere, func(at string) bool { return !slices.Contains(m.Absent, at) }) {
		return f
	}
	if string(m.Rest) == "{}" {
		m.Rest = o.Missing().Rest
	} else if err := o.Check(m.Rest); err != nil {
		return finding{err: err}
	}
	return finding{err: fmt.Errorf("there is no value for %s", strings.Join(m.Absent, ", ")), missing: m.Absent, known: m.Rest, final: true}
}

// ToolCall returns the repair of the arguments of a request. The repaired arguments follow the input
// schema of the tool and have the same meaning as before. faults lists values that the schema allows
// but the tool has rejected; the repair may change these values.
func (s *Supervisor) ToolCall(request tool.Request, d tool.Definition, faults ...tool.Fault) *Repair[tool.Request] {
	original := string(request.Arguments)
	o := repair.Origin{Text: original, Truncated: request.Truncated, Schema: d.Input}
	for _, f := range faults {
		o.Refused = append(o.Refused, f.Pointer)
	}
	return &Repair[tool.Request]{
		s: s, limit: s.attempts, kind: ToolCall, original: original, schema: withoutRequired(d.Input),
		prompt: "tool_call.txt", data: question{Original: quoteText(original), Schema: compactJSON(d.Input), Tool: d.Name},
		local: func() finding {
			if len(faults) > 0 {
				return addMissing(o, finding{err: &tool.ArgumentError{Tool: d.Name, Faults: faults, Count: len(faults)}})
			}
			return addMissing(o, newFinding(readArguments(original, d, request.Truncated)))
		},
		check: func(reply string) finding {
			f := checkOrigin(o, reply, newFinding(readArguments(reply, d, false)))
			if f.err == nil && len(faults) > 0 && jsontext.EqualTexts(request.Arguments, f.repaired, jsontext.Depth) {
				f.err = errors.New("the arguments are the same as before")
			}
			return f
		},
		parse: func(arguments json.RawMessage) (tool.Request, error) {
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

// Plan returns the repair of a text that should be a plan. [plan.Compile] accepts the result with
// most as the maximum number of steps. request is the request of the user for which the plan was
// made; it may be "".
func (s *Supervisor) Plan(raw, request string, definitions []tool.Definition, most int) *Repair[plan.Plan] {
	return s.repairPlan(raw, request, definitions, func(p plan.Plan) (plan.Plan, error) {
		p, _, err := plan.Compile(p, definitions, most)
		return p, err
	})
}

// repairPlan returns the repair of a plan, which compile must accept.
func (s *Supervisor) repairPlan(raw, request string, definitions []tool.Definition, compile func(plan.Plan) (plan.Plan, error)) *Repair[plan.Plan] {
	offered := plan.Schema(definitions...)
	read := func(text string) finding {
		p, err := plan.Read(text, request, definitions)
		if err == nil {
			p, err = compile(p)
		}
		if err != nil {
			return finding{err: err}
		}
		return newFinding(jsontext.Marshal(p, ""))
	}
	return &Repair[plan.Plan]{
		s: s, limit: s.attempts, kind: Plan, original: raw, schema: offered,
		prompt: "plan.txt", data: question{Original: quoteText(raw)}, tools: instructions.Tools(definitions) + "\n",
		local: func() finding { return read(raw) },
		check: func(reply string) finding {
			f := read(reply)
			if f.err != nil {
				return f
			}
			o := repair.Origin{Text: raw, Schema: offered, Free: isFree}
			if shaped, err := plan.Shape(raw, request, definitions); err == nil {
				o.Text = string(shaped)
			}
			if planErr, ok := errors.AsType[*plan.Error](read(raw).err); ok {
				for _, fault := range planErr.Faults {
					o.Refused = append(o.Refused, fault.Pointer)
				}
			}
			shaped, err := plan.Shape(reply, request, definitions)
			if err == nil {
				err = o.Check(shaped)
			}
			f.err = err
			return f
		},
		parse: unmarshalValue[plan.Plan],
	}
}

var freePointers = regexp.MustCompile(`^/steps/\d+/(tool|agent|status|errors)$`)

// isFree reports whether a repair may change the value at a JSON Pointer into a plan: any offered
// value is allowed there, or the value is never read.
func isFree(pointer string) bool { return freePointers.MatchString(pointer) }

func unmarshalValue[T any](text json.RawMessage) (value T, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}

// Step returns the repair of a step that names no tool, or a tool that is not offered. The repaired
// step keeps its ID, description and status, and has no errors. Its arguments contain only values of
// the original ones, see [repair.Origin]; they are not checked against the input schema of the tool.
// If no tool fits, the step has no tool, and its agent is [plan.AgentLLM].
func (s *Supervisor) Step(step plan.Step, definitions []tool.Definition, goal string) *Repair[plan.Step] {
	withoutErrors := step
	withoutErrors.Errors = nil
	original, err := jsontext.Marshal(withoutErrors, "")
	wrong := cmp.Or(strings.Join(step.Errors, "; "), "it names no tool")
	return &Repair[plan.Step]{
		s: s, limit: s.attempts, kind: Step, original: string(original), schema: stepSchema(step, definitions),
		prompt: "step.txt", data: question{Original: compactJSON(original), Goal: jsontext.QuoteLine(goal, maxPromptBytes)}, tools: instructions.Tools(definitions) + "\n",
		local: func() finding {
			if err != nil {
				return finding{err: err, final: true}
			}
			if len(definitions) == 0 {
				return newToolFinding(step, "", step.Arguments)
			}
			d, unique := findSpelling(step.Tool, definitions)
			if !unique {
				return finding{err: errors.New(wrong)}
			}
			return newToolFinding(step, d.Name, step.Arguments)
		},
		check: func(reply string) finding { return readStep(reply, step, definitions) },
		parse: unmarshalValue[plan.Step],
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
		parsed, err := jsontext.Parse(string(value), jsontext.Depth)
		if err == nil && len(parsed.Items) > 0 && parsed.Member("tool") == nil && parsed.Member("agent") == nil {
			return finding{err: errors.New("the step names no tool: name one, or write {} if no tool does it")}
		}
		return newToolFinding(step, "", step.Arguments)
	}
	d, _ := findDefinition(chosen.Tool, definitions)
	o := repair.Origin{Text: string(step.Arguments), Schema: d.Input, Stands: hasReference}
	if len(chosen.Arguments) == 0 {
		chosen.Arguments = step.Arguments
	} else if err := o.Check(chosen.Arguments); err != nil {
		return finding{err: err}
	}
	return newToolFinding(step, chosen.Tool, chosen.Arguments)
}

// hasReference reports whether a text refers to the result of a step.
func hasReference(text string) bool {
	return len(plan.Step{Arguments: json.RawMessage(jsontext.Quote(text))}.References()) > 0
}

// newToolFinding returns a finding with the repaired step. If name is "", the step has no tool, and
// a model carries it out.
func newToolFinding(step plan.Step, name string, arguments json.RawMessage) finding {
	step.Tool, step.Arguments, step.Errors = name, arguments, nil
	if name == "" {
		step.Agent = plan.AgentLLM
	}
	return newFinding(jsontext.Marshal(step, ""))
}

// stepSchema returns the schema of a repaired step: the same step with one of the tools or null.
func stepSchema(step plan.Step, definitions []tool.Definition) json.RawMessage {
	names := make([]any, len(definitions)+1) // the last one is null
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
		panic(err) // the schema consists of strings
	}
	return schema
}

func findDefinition(name string, definitions []tool.Definition) (tool.Definition, bool) {
	for _, d := range definitions {
		if d.Name == name {
			return d, true
		}
	}
	return tool.Definition{}, false
}

// findSpelling returns the tool whose name differs from name only in case and separators. ok is false
// if there is no such tool, or more than one.
func findSpelling(name string, definitions []tool.Definition) (found tool.Definition, ok bool) {
	count := 0
	for _, d := range definitions {
		if words.FoldName(name) == words.FoldName(d.Name) {
			found = d
			count++
		}
	}
	return found, count == 1
}
