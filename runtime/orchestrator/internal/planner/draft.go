package planner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// draft is a plan as read from an answer.
type draft struct {
	Plan     plan.Plan         `json:"plan"` // compiled, unless there is an error
	Edits    []tool.Edit       `json:"edits,omitempty"`
	Suspects []plan.Suspect    `json:"suspects,omitempty"`
	GiveUp   string            `json:"give_up,omitempty"` // why the model gave up; there is no plan then
	Empty    bool              `json:"empty,omitempty"`   // the model says that there is nothing to do
	Error    *run.Error        `json:"wrong,omitempty"`
	Unknown  []unknownToolStep `json:"unknown,omitempty"` // steps whose tools do not exist
	Text     string            `json:"text,omitempty"`    // the plan that the supervisor has to repair
	Local    json.RawMessage   `json:"local,omitempty"`   // what the supervisor repaired without asking the model; nil if it must not repair the plan
	Once     bool              `json:"once,omitempty"`    // the supervisor may ask the model only once; in drafts of earlier versions Once is false, and it may ask twice
}

// unknownToolStep is a step whose tool does not exist.
type unknownToolStep struct {
	Index      int             `json:"at"`
	Step       plan.Step       `json:"step"`
	Local      json.RawMessage `json:"local"`
	NeedsModel bool            `json:"left,omitempty"` // the supervisor needs the model to repair the step
}

// planQuestion returns the question for a plan.
func (p *planning) planQuestion() question {
	return question{purpose: run.PurposePlan, file: "plan.txt", schema: p.planSchema, fillPrompt: func(d *promptData) { d.Most = p.maxSteps }}
}

// planSchema returns the schema for plans. Unlike [plan.Schema] it allows a plan without steps,
// and a reason why there is no plan.
func (p *planning) planSchema() json.RawMessage {
	var whole, properties, steps map[string]json.RawMessage
	read := func(text json.RawMessage, into *map[string]json.RawMessage) {
		if err := json.Unmarshal(text, into); err != nil {
			panic(err) // the schema was generated here
		}
	}
	read(plan.Schema(p.tools...), &whole)
	read(whole["properties"], &properties)
	read(properties["steps"], &steps)
	delete(steps, "minItems")
	properties["steps"] = mustEncode(steps)
	properties["give_up"] = json.RawMessage(`{"type":"string","description":"Why the request cannot be fulfilled. Then there are no steps."}`)
	whole["properties"] = mustEncode(properties)
	delete(whole, "required")
	return mustEncode(whole)
}

// replanQuestion returns the question for the remaining steps: after the given steps failed, at a step
// that continues planning, or after a message.
func (p *planning) replanQuestion(failed []string, continued *plan.Step) question {
	return question{purpose: run.PurposeReplan, file: "replan.txt", schema: p.planSchema, fillPrompt: func(d *promptData) {
		d.Most = max(p.maxSteps-len(p.finishedSteps()), 1)
		if len(failed) > 0 {
			d.Step = quoteList(failed)
		}
		if continued != nil {
			d.Continued = jsontext.QuoteLine(continued.Description, plan.MaxText)
		}
		for _, r := range p.denied {
			d.Denied = append(d.Denied, describeCall(r.Name, r.Arguments))
		}
		var ids []string
		for _, s := range p.finishedSteps() {
			ids = append(ids, s.ID)
		}
		d.Taken = quoteList(ids)
		d.Maybe = slices.ContainsFunc(failed, func(id string) bool { return p.mayHaveHappened(p.results[id].call) })
	}}
}

// mayHaveHappened reports whether a failed call may have had an effect that repeating the call
// would duplicate.
func (p *planning) mayHaveHappened(c *tool.Call) bool {
	if c == nil || p.byName[c.Request.Name].Annotations.Is(tool.Idempotent) {
		return false
	}
	switch {
	case errtype.Is[*tool.UnknownToolError](c.Err), errtype.Is[*tool.ArgumentError](c.Err), errtype.Is[*tool.TruncatedError](c.Err),
		errtype.Is[*tool.DeniedError](c.Err), errtype.Is[*tool.ScopeError](c.Err):
		return false
	}
	return tool.Code(c.Err) != "repeated" && tool.Code(c.Err) != "denied"
}

// makePlan asks the model for a plan. The new plan replaces the steps that have not run.
func (p *planning) makePlan(q question) error {
	var wrong *run.Error
	for range maxAttempts {
		r, text, err := askOnce(p, q, func(text string) (draft, error) { return p.readDraft(text, q.lastError), nil })
		if err != nil {
			return err
		}
		d, err := p.repairDraft(r.Value)
		switch {
		case err != nil:
			return err
		case d.GiveUp != "":
			return &run.Error{Kind: "gave_up", Text: "the model gave up: " + d.GiveUp}
		case d.Error == nil:
			p.plan = d.Plan
			p.setSuspects(d.Suspects)
			p.emitPlan(len(p.finishedSteps()) > 0 || p.hasPlan)
			return nil
		}
		wrong = d.Error
		q.lastAnswer, q.lastError = text, wrong
	}
	why := "no plan was made: " + wrong.Text
	if _, err := repair.JSON(q.lastAnswer, nil); err != nil {
		why += ", in " + jsontext.QuoteLine(q.lastAnswer, maxDescription)
	}
	return &run.Error{Kind: wrong.Kind, Text: why}
}

// emitPlan emits the current plan.
func (p *planning) emitPlan(replanned bool) {
	p.fx.Emit("", run.PlanMade{Plan: plan.Plan{Goal: p.plan.Goal, Steps: slices.Clone(p.plan.Steps)}, Replanned: replanned})
}

// readDraft reads a plan from an answer. Before is the error of the previous answer, if there was
// one.
func (p *planning) readDraft(text string, before error) draft {
	r := readReply(text)
	switch finished := p.finishedSteps(); {
	case r.giveUp != "":
		return draft{GiveUp: r.giveUp}
	case r.empty:
		if err := p.checkEmptyPlan(text); err != nil {
			return p.rejectDraft(draft{Text: text}, err, before)
		}
		return draft{Empty: true, Plan: plan.Plan{Goal: cmp.Or(p.plan.Goal, r.goal, p.task.Request), Steps: finished}}
	}
	newPlan, err := plan.Read(text, p.task.Request, p.tools)
	if err != nil {
		return p.rejectDraft(draft{Text: text}, err, before)
	}
	if finished := p.finishedSteps(); len(finished) > 0 {
		newPlan.Goal, newPlan.Steps = p.plan.Goal, append(finished, newPlan.Steps...)
	}
	var all []unknownToolStep
	for i, s := range newPlan.Steps {
		if s.Status.Final() || plan.ValidateStep(&s, p.tools) {
			continue
		}
		r := p.newSupervisor().Step(s, p.tools, newPlan.Goal)
		u := unknownToolStep{Index: i, Step: s, Local: r.Local()}
		u.NeedsModel = r.Take(u.Local) && !(before != nil && strings.Contains(before.Error(), strconv.Quote(s.Tool))) // the model is not asked about the same unknown tool twice
		if repaired, err := r.Result(); err == nil {
			newPlan.Steps[i] = clearWithoutTool(repaired)
		}
		all = append(all, u)
	}
	d := p.compileDraft(newPlan, before)
	d.Unknown = all
	return d
}

// checkEmptyPlan returns an error if a plan without steps has members that may carry calls, such
// as tool_calls.
func (p *planning) checkEmptyPlan(text string) error {
	_, err := plan.Read(text, p.task.Request, p.tools)
	bad, _ := errors.AsType[*plan.Error](err)
	if bad == nil || !slices.ContainsFunc(bad.Faults, func(f tool.Fault) bool { return !slices.Contains(emptyPlanPointers, f.Pointer) }) {
		return nil
	}
	return err
}

// emptyPlanPointers are the pointers of faults for which a plan without steps is not rejected:
// those that every such plan has, and those of members such as "answer", in which the model answers
// instead of planning.
var emptyPlanPointers = func() []string {
	all := []string{"", "/goal", "/steps"}
	for _, name := range answers {
		all = append(all, "/"+name)
	}
	return all
}()

// clearWithoutTool returns a step that the supervisor repaired. If the supervisor found no tool for
// the step, it becomes a step that the model does itself; see [run.ModeFallback].
func clearWithoutTool(s plan.Step) plan.Step {
	if s.Tool == "" {
		s.Agent, s.Arguments = "", nil
	}
	return s
}

// compileDraft compiles a draft that begins with the finished steps.
func (p *planning) compileDraft(newPlan plan.Plan, before error) draft {
	compiled, edits, err := p.compilePlan(newPlan, max(p.maxSteps, len(p.finishedSteps())+1))
	if err != nil {
		return p.rejectDraft(draft{Plan: newPlan, Text: string(mustEncode(newPlan))}, err, before)
	}
	return draft{Plan: compiled, Edits: edits, Suspects: p.findSuspects(compiled), Once: true}
}

// rejectDraft returns a draft with an error. The supervisor may repair it if only spelling is
// wrong, no step has run, and the error differs from the previous one. Otherwise the model has to
// write a new plan.
func (p *planning) rejectDraft(d draft, err, before error) draft {
	d.Error, d.Once = run.NewError(err), true
	same := before != nil && before.Error() == d.Error.Error()
	bad, _ := errors.AsType[*plan.Error](err)
	if spelling := isMalformed(err) || bad != nil && bad.IsSpelling(); spelling && !same && len(p.finishedSteps()) == 0 {
		d.Local = p.newSupervisor().Plan(d.Text, p.task.Request, p.tools, p.maxSteps).Local()
	}
	return d
}

// isMalformed reports whether an answer contains JSON that cannot be read.
func isMalformed(err error) bool {
	bad, _ := errors.AsType[*repair.Error](err)
	return bad != nil && bad.Code() != "no_value"
}

// repairDraft lets the supervisor repair a draft: first steps with unknown tools, then the plan.
// The error is a [*run.Stop].
func (p *planning) repairDraft(d draft) (draft, error) {
	asked, err := p.repairSteps(d)
	switch {
	case err != nil:
		return d, err
	case asked:
		return p.recompile(d.Plan)
	case d.Error == nil || d.Local == nil:
		return d, nil
	}
	r := p.newSupervisor().Plan(d.Text, p.task.Request, p.tools, p.maxSteps)
	if d.Once {
		r.Limit(1)
	}
	repaired, err := runRepair(p, supervisor.Plan, r, d.Local)
	switch {
	case err == nil && d.Once:
		return p.recompile(repaired)
	case err == nil:
		return draft{Plan: repaired}, nil
	case isStop(err):
		return d, err
	}
	return d, nil
}

// repairSteps lets the supervisor repair the steps of a draft that have unknown tools, and reports whether it
// had to ask the model. The error is a [*run.Stop].
func (p *planning) repairSteps(d draft) (asked bool, err error) {
	for _, u := range d.Unknown {
		r := p.newSupervisor().Step(u.Step, p.tools, d.Plan.Goal)
		if d.Once && u.NeedsModel {
			r.Limit(1)
		} else if d.Once {
			r.Limit(0)
		}
		s, err := runRepair(p, supervisor.Step, r, u.Local)
		if isStop(err) {
			return asked, err
		}
		if asked = asked || u.NeedsModel; u.NeedsModel && err == nil {
			d.Plan.Steps[u.Index] = clearWithoutTool(s)
		}
		if d.Once && err != nil {
			break // the model writes the plan again
		}
	}
	return asked, nil
}

// recompile compiles a repaired plan as an effect, so that the journal contains the outcome.
func (p *planning) recompile(repaired plan.Plan) (d draft, err error) {
	data, err := p.fx.Do("compile", func(context.Context) (json.RawMessage, error) {
		d := p.compileDraft(repaired, nil)
		d.Local = nil
		return mustEncode(d), nil
	})
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	return d, err
}
