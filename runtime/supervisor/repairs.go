package supervisor

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/brief"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// JSON is the repair of the JSON that a text was meant to be. It follows the schema,
// if there is one, and says nothing that the text does not say, see [repair.Origin].
func (s *Supervisor) JSON(text string, schema json.RawMessage) *Repair[json.RawMessage] {
	o := repair.Origin{Text: text, Schema: schema}
	return &Repair[json.RawMessage]{
		s: s, limit: s.attempts, kind: JSON, original: text, schema: withoutRequired(schema),
		prompt: "json.txt", data: question{Original: quoted(text), Schema: compact(schema)},
		local: func() finding { return unlessMissing(o, made(readJSON(text, schema))) },
		check: func(reply string) finding { return held(o, reply, made(readJSON(reply, schema))) },
		made:  func(value json.RawMessage) (json.RawMessage, error) { return value, nil },
	}
}

func made(value json.RawMessage, err error) finding { return finding{repaired: value, err: err} }

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

// unlessMissing returns a finding about an original. It is final if something has to
// be there that nothing in the original can be.
func unlessMissing(o repair.Origin, f finding) finding {
	if f.err == nil {
		return f
	}
	m := o.Missing()
	f.missing, f.known = m.Absent, m.Rest // if the model does not find it either
	if f.final = len(m.Nowhere) > 0; f.final {
		f.missing = m.Nowhere
		f.err = fmt.Errorf("%w; nothing in it can be %s", f.err, strings.Join(m.Nowhere, ", "))
	}
	return f
}

// withoutRequired returns a schema that leaves it to the model what to leave out: an
// endpoint that holds it to a schema would have it make up the rest.
func withoutRequired(s json.RawMessage) json.RawMessage {
	n, err := jsontext.Parse(string(s), jsontext.Depth)
	if err != nil {
		return s
	}
	items := slices.DeleteFunc(slices.Clone(n.Items), func(m *jsontext.Node) bool { return m.Name() == "required" })
	return (&jsontext.Node{Kind: n.Kind, Text: n.Text, Items: items}).Append(nil)
}

// held returns what was found in a reply, unless that says something else than the
// original. If the reply is right but for what is absent, that is final, too: so the
// model says that there is no such value.
func held(o repair.Origin, reply string, f finding) finding {
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

// ToolCall is the repair of the arguments of a request, so that they follow the
// input schema of the tool, and say what they said before. Faults are what the tool
// itself found wrong where the schema allows it, if it did; then those values change,
// too.
func (s *Supervisor) ToolCall(request tool.Request, d tool.Definition, faults ...tool.Fault) *Repair[tool.Request] {
	original := string(request.Arguments)
	o := repair.Origin{Text: original, Truncated: request.Truncated, Schema: d.Input}
	for _, f := range faults {
		o.Refused = append(o.Refused, f.Pointer)
	}
	return &Repair[tool.Request]{
		s: s, limit: s.attempts, kind: ToolCall, original: original, schema: withoutRequired(d.Input),
		prompt: "tool_call.txt", data: question{Original: quoted(original), Schema: compact(d.Input), Tool: d.Name},
		local: func() finding {
			if len(faults) > 0 {
				return unlessMissing(o, finding{err: &tool.ArgumentError{Tool: d.Name, Faults: faults, Count: len(faults)}})
			}
			return unlessMissing(o, made(readArguments(original, d, request.Truncated)))
		},
		check: func(reply string) finding {
			f := held(o, reply, made(readArguments(reply, d, false)))
			if f.err == nil && len(faults) > 0 && jsontext.Same(request.Arguments, f.repaired, jsontext.Depth) {
				f.err = errors.New("the arguments are the same as before")
			}
			return f
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
		return made(jsontext.Marshal(p, ""))
	}
	return &Repair[plan.Plan]{
		s: s, limit: s.attempts, kind: Plan, original: raw, schema: offered,
		prompt: "plan.txt", data: question{Original: quoted(raw)}, tools: brief.Tools(definitions) + "\n",
		local: func() finding { return read(raw) },
		check: func(reply string) finding {
			f := read(reply)
			if f.err != nil {
				return f
			}
			o := repair.Origin{Text: raw, Schema: offered, Free: isFree}
			if shaped, err := planform.Shape(raw, request, definitions); err == nil {
				o.Text = string(shaped)
			}
			if wrong, ok := errors.AsType[*plan.Error](read(raw).err); ok {
				for _, fault := range wrong.Faults {
					o.Refused = append(o.Refused, fault.Pointer)
				}
			}
			shaped, err := planform.Shape(reply, request, definitions)
			if err == nil {
				err = o.Check(shaped)
			}
			f.err = err
			return f
		},
		made: unmarshal[plan.Plan],
	}
}

var free = regexp.MustCompile(`^/steps/\d+/(tool|agent|status|errors)$`)

// isFree tells whether a place in a plan is one where anything that is offered may
// stand, or one that nobody reads.
func isFree(pointer string) bool { return free.MatchString(pointer) }

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
		s: s, limit: s.attempts, kind: Step, original: string(original), schema: stepSchema(step, definitions),
		prompt: "step.txt", data: question{Original: compact(original), Goal: quote.Text(goal, mostBytes)}, tools: brief.Tools(definitions) + "\n",
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
		said, err := jsontext.Parse(string(value), jsontext.Depth)
		if err == nil && len(said.Items) > 0 && said.Member("tool") == nil && said.Member("agent") == nil {
			return finding{err: errors.New("the step names no tool: name one, or write {} if no tool does it")}
		}
		return withTool(step, "", step.Arguments)
	}
	d, _ := named(chosen.Tool, definitions)
	o := repair.Origin{Text: string(step.Arguments), Schema: d.Input, Stands: refers}
	if len(chosen.Arguments) == 0 {
		chosen.Arguments = step.Arguments
	} else if err := o.Check(chosen.Arguments); err != nil {
		return finding{err: err}
	}
	return withTool(step, chosen.Tool, chosen.Arguments)
}

// refers tells whether a text refers to results of steps.
func refers(text string) bool {
	return len(plan.Step{Arguments: json.RawMessage(jsontext.Quote(text))}.References()) > 0
}

// withTool returns a step that is repaired. Without a tool, a model does it.
func withTool(step plan.Step, name string, arguments json.RawMessage) finding {
	step.Tool, step.Arguments, step.Errors = name, arguments, nil
	if name == "" {
		step.Agent = plan.AgentLLM
	}
	return made(jsontext.Marshal(step, ""))
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

// spelt returns the only tool whose name differs just in case and in what is between
// its words.
func spelt(name string, definitions []tool.Definition) (found tool.Definition, ok bool) {
	count := 0
	for _, d := range definitions {
		if words.Folded(name) == words.Folded(d.Name) {
			found = d
			count++
		}
	}
	return found, count == 1
}
