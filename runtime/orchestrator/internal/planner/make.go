package planner

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/brief"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// draft is what a model wrote for a plan.
type draft struct {
	Plan    plan.Plan       `json:"plan"` // compiled, unless something is wrong
	Edits   []tool.Edit     `json:"edits,omitempty"`
	GiveUp  string          `json:"give_up,omitempty"` // in place of a plan
	Wrong   *record.Error   `json:"wrong,omitempty"`
	Unknown []unknown       `json:"unknown,omitempty"` // steps with tools that there are not
	Text    string          `json:"text,omitempty"`    // for the supervisor, and what it made of it by itself
	Local   json.RawMessage `json:"local,omitempty"`
}

// unknown is a step with a tool that there is not, and what the supervisor made of it
// by itself.
type unknown struct {
	At    int             `json:"at"`
	Step  plan.Step       `json:"step"`
	Local json.RawMessage `json:"local"`
	Left  bool            `json:"left,omitempty"` // nothing
}

// wanted asks for a plan.
func (p *planning) wanted() question {
	return question{purpose: event.ForPlan, file: "plan.txt", schema: func() json.RawMessage { return plan.Schema(p.tools...) }, fill: func(d *shown) {
		d.Tools, d.Most = brief.Tools(p.tools...), p.most
	}}
}

// anew asks for the steps that are left, after some failed or after a message.
func (p *planning) anew(failed []string) question {
	return question{purpose: event.ForReplan, file: "replan.txt", schema: p.replanSchema, fill: func(d *shown) {
		d.Tools, d.Most = brief.Tools(p.tools...), max(p.most-len(p.ran()), 1)
		if len(failed) > 0 {
			d.Step = inJSON(failed)
		}
		for _, r := range p.denied() {
			d.Denied = append(d.Denied, callOf(r.Name, r.Arguments))
		}
		var ids []string
		for _, s := range p.ran() {
			ids = append(ids, s.ID)
		}
		d.Taken = inJSON(ids)
		d.Maybe = slices.ContainsFunc(failed, func(id string) bool { return p.mayHaveHappened(p.results[id].call) })
	}}
}

// replanSchema is the schema of the steps that are left, or of why there are none.
func (p *planning) replanSchema() json.RawMessage {
	var whole, properties map[string]json.RawMessage
	if err := json.Unmarshal(plan.Schema(p.tools...), &whole); err != nil {
		panic(err) // it was made here
	}
	if err := json.Unmarshal(whole["properties"], &properties); err != nil {
		panic(err)
	}
	properties["give_up"] = json.RawMessage(`{"type":"string"}`)
	whole["properties"] = encode(properties)
	delete(whole, "required")
	return encode(whole)
}

// mayHaveHappened reports whether a call that failed may have changed something that
// it changes again when it is made again.
func (p *planning) mayHaveHappened(c *tool.Call) bool {
	if c == nil || p.byName[c.Request.Name].Annotations.Is(tool.Idempotent) {
		return false
	}
	switch c.Err.(type) {
	case *tool.UnknownToolError, *tool.ArgumentError, *tool.TruncatedError, *tool.DeniedError, *tool.ScopeError:
		return false
	}
	return tool.Code(c.Err) != "repeated" && tool.Code(c.Err) != "denied"
}

// make has the model make a plan; a new one in the place of the steps that are left,
// if some ran.
func (p *planning) make(q question) error {
	var wrong *record.Error
	for range tries {
		r, text, err := askOnce(p, q, func(text string) (draft, error) { return p.draft(text), nil })
		if err != nil {
			return err
		}
		d, err := p.mend(r.Value)
		switch {
		case err != nil:
			return err
		case d.GiveUp != "":
			return &record.Error{Kind: "gave_up", Text: "the model gave up: " + d.GiveUp}
		case d.Wrong == nil:
			p.plan = d.Plan
			p.made(len(p.ran()) > 0 || p.begun)
			return nil
		}
		wrong = d.Wrong
		q.before, q.wrong = text, wrong
	}
	return &record.Error{Kind: wrong.Kind, Text: "no plan was made: " + wrong.Text}
}

// made tells of the plan as it is now: its steps go on.
func (p *planning) made(anew bool) {
	p.fx.Emit("", event.PlanMade{Plan: plan.Plan{Goal: p.plan.Goal, Steps: slices.Clone(p.plan.Steps)}, Anew: anew})
}

// draft reads what a model wrote for a plan.
func (p *planning) draft(text string) draft {
	if why := givesUp(text); why != "" && (len(p.ran()) > 0 || len(p.said) > 0) {
		return draft{GiveUp: why}
	}
	if p.writesNoSteps(text) {
		return draft{Plan: p.finished()}
	}
	made, err := plan.Read(text, p.task.Request, p.tools)
	if err != nil {
		return p.wrong(draft{Text: text}, err)
	}
	if ran := p.ran(); len(ran) > 0 {
		made.Goal, made.Steps = p.plan.Goal, append(ran, made.Steps...)
	}
	var all []unknown
	for i, s := range made.Steps {
		if s.Status.Final() || plan.ValidateStep(&s, p.tools) {
			continue
		}
		r := p.supervisor().Step(s, p.tools, made.Goal)
		u := unknown{At: i, Step: s, Local: r.Local()}
		u.Left = r.Take(u.Local)
		if mended, err := r.Result(); err == nil {
			made.Steps[i] = byTool(mended)
		}
		all = append(all, u)
	}
	d := p.compile(made)
	d.Unknown = all
	return d
}

// givesUp returns why a model gives up, if it does.
func givesUp(text string) string {
	read, err := repair.JSON(text, nil)
	if err != nil || read.Truncated {
		return ""
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.Depth)
	if err != nil || n.Member("steps").Is(jsontext.Array) {
		return ""
	}
	return strings.TrimSpace(n.Member("give_up").Str())
}

// byTool returns a step that the supervisor mended; if no tool does it, the
// model does it as far as it can.
func byTool(s plan.Step) plan.Step {
	if s.Tool == "" {
		s.Agent, s.Arguments = "", nil
	}
	return s
}

// compile compiles a draft, of which the steps that ran are the first.
func (p *planning) compile(made plan.Plan) draft {
	compiled, edits, err := p.compiled(made, max(p.most, len(p.ran())+1))
	if err != nil {
		return p.wrong(draft{Plan: made, Text: string(encode(made))}, err)
	}
	return draft{Plan: compiled, Edits: edits}
}

// wrong returns a draft with which something is wrong. It is for the supervisor to mend
// if there is anything in it, and nothing ran.
func (p *planning) wrong(d draft, err error) draft {
	d.Wrong = record.NewError(err)
	bad, _ := errors.AsType[*repair.Error](err)
	if nothing := bad != nil && bad.Code() == "no_value"; !nothing && len(p.ran()) == 0 {
		d.Local = p.supervisor().Plan(d.Text, p.task.Request, p.tools, p.most).Local()
	}
	return d
}

// mend has the supervisor mend a draft: the steps with tools that there are not, then
// the plan. The error is a [*record.Stop].
func (p *planning) mend(d draft) (draft, error) {
	asked := false
	for _, u := range d.Unknown {
		s, err := mend(p, supervisor.Step, p.supervisor().Step(u.Step, p.tools, d.Plan.Goal), u.Local)
		if isStop(err) {
			return d, err
		}
		if asked = asked || u.Left; u.Left && err == nil {
			d.Plan.Steps[u.At] = byTool(s)
		}
	}
	if asked {
		data, err := p.fx.Do("compile", func(context.Context) (json.RawMessage, error) { return encode(p.compile(d.Plan)), nil })
		if err != nil {
			return d, err
		}
		d = draft{}
		if err := json.Unmarshal(data, &d); err != nil {
			return d, err
		}
	}
	if d.Wrong == nil || d.Local == nil {
		return d, nil
	}
	made, err := mend(p, supervisor.Plan, p.supervisor().Plan(d.Text, p.task.Request, p.tools, p.most), d.Local)
	if err == nil {
		return draft{Plan: made}, nil
	}
	if isStop(err) {
		return d, err
	}
	return d, nil
}
