package planner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// draft is what a model wrote for a plan.
type draft struct {
	Plan     plan.Plan       `json:"plan"` // compiled, unless something is wrong
	Edits    []tool.Edit     `json:"edits,omitempty"`
	Suspects []plan.Suspect  `json:"suspects,omitempty"`
	GiveUp   string          `json:"give_up,omitempty"` // instead of a plan
	Empty    bool            `json:"empty,omitempty"`   // there is nothing to do
	Wrong    *record.Error   `json:"wrong,omitempty"`
	Unknown  []unknown       `json:"unknown,omitempty"` // steps with tools that there are not
	Text     string          `json:"text,omitempty"`    // for the supervisor, and what it made of it by itself
	Local    json.RawMessage `json:"local,omitempty"`
	Once     bool            `json:"once,omitempty"` // the model is asked for one repair; twice in journals of earlier versions
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
	return question{purpose: event.ForPlan, file: "plan.txt", schema: p.planSchema, fill: func(d *shown) { d.Most = p.most }}
}

// planSchema is the schema of what a model writes for every plan: it may have no steps,
// or a reason why there are none.
func (p *planning) planSchema() json.RawMessage {
	var whole, properties, steps map[string]json.RawMessage
	read := func(text json.RawMessage, into *map[string]json.RawMessage) {
		if err := json.Unmarshal(text, into); err != nil {
			panic(err) // it was made here
		}
	}
	read(plan.Schema(p.tools...), &whole)
	read(whole["properties"], &properties)
	read(properties["steps"], &steps)
	delete(steps, "minItems")
	properties["steps"] = encode(steps)
	properties["give_up"] = json.RawMessage(`{"type":"string","description":"Why the request cannot be fulfilled. Then there are no steps."}`)
	whole["properties"] = encode(properties)
	delete(whole, "required")
	return encode(whole)
}

// anew asks for the steps that are left: after some failed, at a step that continues
// planning, or after a message.
func (p *planning) anew(failed []string, from *plan.Step) question {
	return question{purpose: event.ForReplan, file: "replan.txt", schema: p.planSchema, fill: func(d *shown) {
		d.Most = max(p.most-len(p.ran()), 1)
		if len(failed) > 0 {
			d.Step = inJSON(failed)
		}
		if from != nil {
			d.Continued = quote.Text(from.Description, planform.MaxText)
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

// make asks the model for a plan. If some steps ran, the new plan replaces the others.
func (p *planning) make(q question) error {
	var wrong *record.Error
	for range tries {
		r, text, err := askOnce(p, q, func(text string) (draft, error) { return p.draft(text, q.wrong), nil })
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
			p.suspect(d.Suspects)
			p.made(len(p.ran()) > 0 || p.begun)
			return nil
		}
		wrong = d.Wrong
		q.before, q.wrong = text, wrong
	}
	why := "no plan was made: " + wrong.Text
	if _, err := repair.JSON(q.before, nil); err != nil {
		why += ", in " + quote.Text(q.before, longestDescription)
	}
	return &record.Error{Kind: wrong.Kind, Text: why}
}

// made tells of the plan as it is now: its steps go on.
func (p *planning) made(anew bool) {
	p.fx.Emit("", event.PlanMade{Plan: plan.Plan{Goal: p.plan.Goal, Steps: slices.Clone(p.plan.Steps)}, Anew: anew})
}

// draft reads what a model wrote for a plan; before is what was wrong with its answer
// before, if there was one.
func (p *planning) draft(text string, before error) draft {
	r := readReply(text)
	switch ran := p.ran(); {
	case r.giveUp != "":
		return draft{GiveUp: r.giveUp}
	case r.empty:
		if err := p.carriesMore(text); err != nil {
			return p.wrong(draft{Text: text}, err, before)
		}
		return draft{Empty: true, Plan: plan.Plan{Goal: cmp.Or(p.plan.Goal, r.goal, p.task.Request), Steps: ran}}
	}
	made, err := plan.Read(text, p.task.Request, p.tools)
	if err != nil {
		return p.wrong(draft{Text: text}, err, before)
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
		u.Left = r.Take(u.Local) && !(before != nil && strings.Contains(before.Error(), strconv.Quote(s.Tool))) // or it was not of help before
		if mended, err := r.Result(); err == nil {
			made.Steps[i] = byTool(mended)
		}
		all = append(all, u)
	}
	d := p.compile(made, before)
	d.Unknown = all
	return d
}

// carriesMore returns an error if a plan without steps has members that may carry calls,
// such as tool_calls.
func (p *planning) carriesMore(text string) error {
	_, err := plan.Read(text, p.task.Request, p.tools)
	bad, _ := errors.AsType[*plan.Error](err)
	if bad == nil {
		return nil
	}
	for _, f := range bad.Faults {
		if !slices.Contains(withoutSteps, f.Pointer) {
			return err
		}
	}
	return nil
}

// withoutSteps are the places of faults that every plan without steps has, and those of
// answers that are not plans.
var withoutSteps = func() []string {
	all := []string{"", "/goal", "/steps"}
	for _, name := range answers {
		all = append(all, "/"+name)
	}
	return all
}()

// byTool returns a step that the supervisor mended; if no tool does it, the
// model does it as far as it can.
func byTool(s plan.Step) plan.Step {
	if s.Tool == "" {
		s.Agent, s.Arguments = "", nil
	}
	return s
}

// compile compiles a draft, of which the steps that ran are the first.
func (p *planning) compile(made plan.Plan, before error) draft {
	compiled, edits, err := p.compiled(made, max(p.most, len(p.ran())+1))
	if err != nil {
		return p.wrong(draft{Plan: made, Text: string(encode(made))}, err, before)
	}
	return draft{Plan: compiled, Edits: edits, Suspects: p.suspectsIn(compiled), Once: true}
}

// wrong returns a draft with an error. The supervisor may repair it if only spelling is
// wrong, no step has run, and the error is not the same as before. Otherwise only a new plan
// helps.
func (p *planning) wrong(d draft, err, before error) draft {
	d.Wrong, d.Once = record.NewError(err), true
	same := before != nil && before.Error() == d.Wrong.Error()
	bad, _ := errors.AsType[*plan.Error](err)
	if spelling := isMalformed(err) || bad != nil && bad.IsSpelling(); spelling && !same && len(p.ran()) == 0 {
		d.Local = p.supervisor().Plan(d.Text, p.task.Request, p.tools, p.most).Local()
	}
	return d
}

// isMalformed reports whether there is JSON in what a model wrote that cannot be read.
func isMalformed(err error) bool {
	bad, _ := errors.AsType[*repair.Error](err)
	return bad != nil && bad.Code() != "no_value"
}

// mend has the supervisor mend a draft: the steps with tools that there are not, then
// the plan. The error is a [*record.Stop].
func (p *planning) mend(d draft) (draft, error) {
	asked, once := false, d.Once
	for _, u := range d.Unknown {
		r := p.supervisor().Step(u.Step, p.tools, d.Plan.Goal)
		if once && u.Left {
			r.Limit(1)
		} else if once {
			r.Limit(0)
		}
		s, err := mend(p, supervisor.Step, r, u.Local)
		if isStop(err) {
			return d, err
		}
		if asked = asked || u.Left; u.Left && err == nil {
			d.Plan.Steps[u.At] = byTool(s)
		}
		if once && err != nil {
			break // the model writes the plan again
		}
	}
	if asked {
		return p.recompiled(d.Plan)
	}
	if d.Wrong == nil || d.Local == nil {
		return d, nil
	}
	r := p.supervisor().Plan(d.Text, p.task.Request, p.tools, p.most)
	if once {
		r.Limit(1)
	}
	made, err := mend(p, supervisor.Plan, r, d.Local)
	switch {
	case err == nil && once:
		return p.recompiled(made)
	case err == nil:
		return draft{Plan: made}, nil
	case isStop(err):
		return d, err
	}
	return d, nil
}

// recompiled compiles a plan that was mended, as an effect.
func (p *planning) recompiled(made plan.Plan) (d draft, err error) {
	data, err := p.fx.Do("compile", func(context.Context) (json.RawMessage, error) {
		d := p.compile(made, nil)
		d.Local = nil
		return encode(d), nil
	})
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	return d, err
}
