// Package redact takes out of events what must not leave a run.
package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Event redacts an event of a run, whose plan says which tool a step calls. For f
// see [orchestrator.Redact]; nil redacts nothing.
func Event(e *record.Event, p *plan.Plan, tools []tool.Definition, f func(tool, pointer string, value json.RawMessage) json.RawMessage) {
	if f == nil {
		return
	}
	x := redactor{f, p, tools}
	if e.Plan != nil {
		x.steps(e.Plan)
	}
	if e.Model != nil {
		x.output(e.Model)
	}
	if e.Request != nil {
		x.request(e.Request)
	}
	if e.Call != nil {
		x.call(e.Call)
	}
	for i := range e.Actions {
		x.action(&e.Actions[i])
	}
	if e.Result != nil {
		e.Result.Result = x.value(x.tool(e.Step), "/output", e.Result.Result)
		x.error(e.Step, e.Result.Error)
	}
	x.error(e.Step, e.Error)
	if c := e.Cycle; c != nil {
		if c.Plan != nil {
			x.steps(c.Plan)
		}
		for i := range c.Outputs {
			x.output(&c.Outputs[i])
		}
		for i := range c.Repairs {
			x.action(&c.Repairs[i])
		}
		for _, record := range c.Calls {
			x.call(record.Call)
		}
		for _, err := range c.Errors {
			x.error(err.Step, err)
		}
	}
}

// redactor changes copies of what a run has.
type redactor struct {
	f     func(tool, pointer string, value json.RawMessage) json.RawMessage
	plan  *plan.Plan // says which tool a step calls
	tools []tool.Definition
}

func (x redactor) tool(step string) string {
	if x.plan != nil {
		for _, s := range x.plan.Steps {
			if s.ID == step {
				return s.Tool
			}
		}
	}
	return ""
}

func (x redactor) steps(p *plan.Plan) {
	p.Goal = x.text("", "/goal", p.Goal)
	for i := range p.Steps {
		s := &p.Steps[i]
		s.Description = x.text(s.Tool, "/description", s.Description)
		s.Arguments = x.arguments(s.Tool, s.Arguments)
		for i := range s.Errors {
			s.Errors[i] = x.text(s.Tool, "/error", s.Errors[i])
		}
	}
}

func (x redactor) request(r *tool.Request) {
	r.Arguments = x.arguments(r.Name, r.Arguments)
	r.Approval = x.text(r.Name, "/approval", r.Approval)
	for name := range r.Meta {
		r.Meta[name] = x.text(r.Name, jsontext.Join("/meta", name), r.Meta[name])
	}
}

// arguments redacts arguments as a model wrote them: by what the tool reads in
// them, where it can.
func (x redactor) arguments(name string, raw json.RawMessage) json.RawMessage {
	for _, d := range x.tools {
		if d.Name != name || len(raw) == 0 {
			continue
		}
		if read, err := repair.Arguments(string(raw), d.Input); err == nil {
			return x.value(name, "/arguments", read.Value)
		}
		return x.misfit(d, string(raw))
	}
	return json.RawMessage(x.written(name, "/arguments", string(raw)))
}

// misfit redacts arguments that the tool refuses. What has no name of the schema may
// be anything in another spelling, and is withheld.
func (x redactor) misfit(d tool.Definition, text string) json.RawMessage {
	var input struct{ Properties map[string]json.RawMessage }
	var members map[string]json.RawMessage
	read, err := repair.JSON(text, nil)
	if err != nil || json.Unmarshal(d.Input, &input) != nil || json.Unmarshal(read.Value, &members) != nil {
		return json.RawMessage(`"redacted"`)
	}
	hidden := map[string]bool{}
	for name := range members {
		if input.Properties[name] == nil {
			hidden[jsontext.Join("/arguments", name)] = true
		}
	}
	f := x.f
	x.f = func(tool, pointer string, value json.RawMessage) json.RawMessage {
		if hidden[pointer] {
			return json.RawMessage(`"redacted"`)
		}
		return f(tool, pointer, value)
	}
	return x.value(d.Name, "/arguments", read.Value)
}

// written redacts what a model wrote in the place of JSON. What cannot be read is
// withheld, since f cannot be asked about what is in it.
func (x redactor) written(name, at, text string) string {
	if text == "" || json.Valid([]byte(text)) {
		return x.text(name, at, text)
	}
	read, err := repair.JSON(text, nil)
	if err != nil {
		return "redacted"
	}
	return string(x.value(name, at, read.Value))
}

// prose redacts what a model wrote as it liked. If there is a value in it of which
// something is hidden, the rest is, too.
func (x redactor) prose(name, text string) string {
	read, err := repair.JSON(text, nil)
	if err == nil {
		if told := x.value(name, "/text", read.Value); !bytes.Equal(told, read.Value) {
			return string(told)
		}
	}
	return x.text(name, "/text", text)
}

func (x redactor) call(c *tool.Call) {
	name := c.Request.Name
	x.request(&c.Request)
	c.Arguments, c.Output = x.arguments(name, c.Arguments), x.value(name, "/output", c.Output)
	for i, edit := range c.Repairs {
		c.Repairs[i].Before, c.Repairs[i].After = x.text(name, "/arguments"+edit.Pointer, edit.Before), x.text(name, "/arguments"+edit.Pointer, edit.After)
	}
	if c.Err == nil {
		return
	}
	if bad, ok := c.Err.(*tool.ArgumentError); ok {
		x.faults(name, bad.Faults)
	}
	told := tool.ModelText(c.Err) // which need not be in the text
	if text := x.text(name, "/error", c.Err.Error()); text != c.Err.Error() || x.text(name, "/error", told) != told {
		c.Err = &record.Error{Kind: tool.Code(c.Err), Text: text}
	}
}

// faults show values of arguments. It tells whether it changed one.
func (x redactor) faults(name string, faults []tool.Fault) (changed bool) {
	for i, f := range faults {
		faults[i].Found = x.text(name, "/arguments"+f.Pointer, f.Found)
		changed = changed || faults[i].Found != f.Found
	}
	return changed
}

func (x redactor) output(m *record.ModelOutput) {
	name := x.tool(m.StepID)
	switch m.Purpose {
	case record.ForArguments:
		m.Text = string(x.arguments(name, json.RawMessage(m.Text)))
	case record.ForReasoning, record.ForFallback:
		m.Text = x.prose(name, m.Text)
	default:
		m.Text = x.written(name, "/text", m.Text)
	}
	x.error(m.StepID, m.Error)
}

func (x redactor) action(a *record.SupervisorAction) {
	name := x.tool(a.StepID)
	if a.Kind == supervisor.ToolCall {
		a.Original, a.Repaired = string(x.arguments(name, json.RawMessage(a.Original))), x.arguments(name, a.Repaired)
	} else {
		a.Original, a.Repaired = x.written(name, "/text", a.Original), x.value(name, "/text", a.Repaired)
	}
	a.Error = x.text(name, "/error", a.Error)
}

func (x redactor) error(step string, e *record.Error) {
	if e == nil {
		return
	}
	if x.faults(x.tool(step), e.Faults) {
		e.Text = (&tool.ArgumentError{Tool: x.tool(step), Faults: e.Faults, Count: len(e.Faults)}).Error()
	}
	if text := x.text(x.tool(step), "/error", e.Text); text != e.Text {
		e.Text, e.Faults = text, nil
	}
}

// text redacts a text, as JSON if it is JSON.
func (x redactor) text(name, at, text string) string {
	if raw := json.RawMessage(text); json.Valid(raw) {
		return string(x.value(name, at, raw))
	}
	if text == "" {
		return text
	}
	redacted := x.ask(name, at, json.RawMessage(jsontext.Quote(text)))
	var changed string
	if json.Unmarshal(redacted, &changed) != nil {
		return string(redacted)
	}
	return changed
}

// ask returns what f does, as JSON.
func (x redactor) ask(name, at string, raw json.RawMessage) json.RawMessage {
	told := x.f(name, at, slices.Clone(raw))
	if !json.Valid(told) {
		return json.RawMessage(`"redacted"`)
	}
	return told
}

// value redacts a value, from the outside in. It stays as it was written if
// nothing in it changes.
func (x redactor) value(name, at string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	n, err := jsontext.Parse(string(raw), deepest)
	if err != nil {
		return json.RawMessage(`"redacted"`) // it is no JSON
	}
	if told := x.node(name, at, n, raw); !bytes.Equal(told, raw[n.Start:n.End]) {
		return told
	}
	return raw
}

// deepest is how deeply values nest that encoding/json reads.
const deepest = 10_000

// node redacts a value in a text. A step in what a model wrote has arguments of its
// own tool.
func (x redactor) node(name, at string, n *jsontext.Node, text json.RawMessage) json.RawMessage {
	raw := text[n.Start:n.End]
	if told := x.ask(name, at, raw); !bytes.Equal(told, raw) {
		return told
	}
	var step struct{ Tool string }
	if strings.HasPrefix(at, "/text") && (!n.Is(jsontext.Object) || json.Unmarshal(raw, &step) != nil) {
		step.Tool = "" // it is no step
	}
	told := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	changed := false
	for i, item := range n.Items {
		token := strconv.Itoa(i)
		if n.Is(jsontext.Object) { // in which a key may come twice
			token = item.Name()
		}
		hidden := x.node(name, jsontext.Join(at, token), item, text)
		if step.Tool != "" && token == "arguments" {
			hidden = x.arguments(step.Tool, hidden)
		}
		changed = changed || !bytes.Equal(hidden, text[item.Start:item.End])
		told.Add(&jsontext.Node{Text: string(hidden), Key: item.Key}) // a value as it is written
	}
	if !changed {
		return raw
	}
	return told.Append(nil)
}
