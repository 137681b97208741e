// Package redact takes out of events what must not leave a run.
package redact

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Func returns what may be told of a value: the value itself, or another in
// its place. The pointer begins with /arguments, /output or /error of a tool, or
// with /text of a model, whose tool is empty where there is none. It is asked
// about every value, from the outside in, until it changes one.
type Func func(tool, pointer string, value json.RawMessage) json.RawMessage

// Event redacts an event of a run, whose plan says which tool a step calls.
func Event(e *record.Event, p *plan.Plan, f Func) {
	x := redactor{f, p}
	if e.Plan != nil {
		x.steps(e.Plan)
	}
	if e.Model != nil {
		x.output(e.Model)
	}
	if e.Request != nil {
		e.Request.Arguments = x.arguments(e.Request.Name, e.Request.Arguments)
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
	f    Func
	plan *plan.Plan // says which tool a step calls
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
	for i, s := range p.Steps {
		p.Steps[i].Arguments = x.value(s.Tool, "/arguments", s.Arguments)
	}
}

func (x redactor) call(c *tool.Call) {
	name := c.Request.Name
	c.Request.Arguments = x.arguments(name, c.Request.Arguments)
	c.Arguments, c.Output = x.arguments(name, c.Arguments), x.value(name, "/output", c.Output)
	if c.Err != nil {
		if text := x.text(name, "/error", c.Err.Error()); text != c.Err.Error() {
			c.Err = &record.Error{Kind: tool.Code(c.Err), Text: text}
		}
	}
	for i, edit := range c.Repairs {
		c.Repairs[i].Before, c.Repairs[i].After = x.text(name, "/arguments"+edit.Pointer, edit.Before), x.text(name, "/arguments"+edit.Pointer, edit.After)
	}
}

func (x redactor) output(m *record.ModelOutput) {
	m.Text = x.text(x.tool(m.StepID), "/text", m.Text)
	x.error(m.StepID, m.Error)
}

func (x redactor) action(a *record.SupervisorAction) {
	name := x.tool(a.StepID)
	a.Original, a.Error = x.text(name, "/text", a.Original), x.text(name, "/error", a.Error)
	a.Repaired = x.value(name, "/text", a.Repaired)
}

func (x redactor) error(step string, e *record.Error) {
	if e == nil {
		return
	}
	text := x.text(x.tool(step), "/error", e.Text)
	if text != e.Text {
		e.Text, e.Faults = text, nil
	}
}

// arguments may be no JSON, as the model wrote them.
func (x redactor) arguments(name string, raw json.RawMessage) json.RawMessage {
	if len(raw) > 0 && !json.Valid(raw) {
		return json.RawMessage(x.text(name, "/arguments", string(raw)))
	}
	return x.value(name, "/arguments", raw)
}

// text redacts a text, as JSON if it is JSON.
func (x redactor) text(name, at, text string) string {
	if raw := json.RawMessage(text); json.Valid(raw) {
		return string(x.value(name, at, raw))
	}
	quoted, err := json.Marshal(text)
	if err != nil || text == "" {
		return text
	}
	var changed string
	if redacted := x.f(name, at, quoted); json.Unmarshal(redacted, &changed) != nil {
		return string(redacted)
	}
	return changed
}

// value redacts a value, from the outside in.
func (x redactor) value(name, at string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if changed := x.f(name, at, slices.Clone(raw)); !bytes.Equal(changed, raw) {
		return changed
	}
	var inside any
	switch bytes.TrimSpace(raw)[0] {
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil {
			for _, key := range slices.Sorted(maps.Keys(members)) {
				members[key] = x.value(name, at+"/"+pointerToken.Replace(key), members[key])
			}
		}
		inside = members
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) == nil {
			for i := range items {
				items[i] = x.value(name, at+"/"+strconv.Itoa(i), items[i])
			}
		}
		inside = items
	default:
		return raw
	}
	text, err := json.Marshal(inside)
	if err != nil {
		return json.RawMessage(`"redacted"`) // the redaction made it no JSON
	}
	return text
}

var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")
