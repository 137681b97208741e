package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// screen shows what happens in a run.
type screen struct {
	w        io.Writer
	json     bool
	progress progress

	said  json.RawMessage      // what came of the last step
	steps []string             // of the plan
	begun map[string]time.Time // steps that were begun
}

// event shows an event.
func (s *screen) event(_ context.Context, e record.Event) {
	if s.json {
		s.line(e)
		return
	}
	s.progress.clear()
	switch what := e.What.(type) {
	case event.PlanMade:
		s.plan(&what.Plan, what.Anew)
	case event.StepStart:
		s.step(what.Step, e.Time)
	case record.ModelStart:
		s.progress.show("asking the model for " + cmp.Or(purposes[what.For], what.For))
	case record.ModelEnd:
		if err := what.Answer.Error; err != nil && what.Answer.Response.Finish != "" { // else the command ends with it
			s.say("warning", err.Text)
		}
	case record.CallStart:
		s.say("call", what.Request.Name+" "+cmp.Or(string(what.Request.Arguments), "{}"))
		s.progress.show("running " + what.Request.Name)
	case record.Progress:
		s.progress.show("running " + what.Tool + ": " + far(what))
	case record.Logged:
		s.say("says", what.Text)
		s.progress.show(s.progress.what)
	case record.CallEnd:
		if what.Call.Err != nil && s.steps == nil { // else the step says so
			s.say("failed", what.Call.Err.Error())
		}
	case event.Repaired:
		s.repair(what)
	case event.StoreFailed:
		s.say("warning", "not stored: "+what.Error.Text)
	case event.StepEnd:
		s.result(what.Result, e.Time)
	case record.Stopped:
		s.end(what.Result)
	}
}

// far says how far a call is.
func far(p record.Progress) string {
	text := fmt.Sprintf("%g", p.Done)
	if p.Total > 0 {
		text += fmt.Sprintf(" of %g", p.Total)
	}
	return strings.TrimSpace(text + " " + p.Text)
}

// line writes an event as JSON.
func (s *screen) line(e record.Event) {
	text, err := json.Marshal(struct {
		Time  time.Time `json:"time"`
		Run   string    `json:"run"`
		Step  string    `json:"step_id,omitempty"`
		Event string    `json:"event"`
		What  any       `json:"what"`
	}{e.Time, e.Run, e.Step, reflect.TypeOf(e.What).Name(), e.What})
	if err != nil {
		text = fmt.Appendf(nil, "%q", err.Error())
	}
	fmt.Fprintf(s.w, "%s\n", text)
}

// purposes are what the model is asked for, in words.
var purposes = map[string]string{
	event.ForPlan: "a plan", event.ForReplan: "another plan", event.ForArguments: "arguments", event.ForReasoning: "this step",
	event.ForFallback: "this step, for which there is no tool", event.ForRepair: "a repair", event.ForAnswer: "the answer", event.ForTurn: "an answer",
	record.ForQuestion: "what a tool asks it",
}

// say shows a part of a step.
func (s *screen) say(what, text string) {
	if !s.json {
		fmt.Fprintf(s.w, "  %-8s %s\n", what, line(text))
	}
}

// resumed shows that a run goes on.
func (s *screen) resumed(state orchestrator.State) {
	if s.json {
		return
	}
	fmt.Fprintf(s.w, "going on with: %s (%s)\n", line(state.Request), progressOf(state))
	if state.Plan != nil {
		s.plan(state.Plan, false)
		for _, step := range state.Plan.Steps {
			if step.Status == plan.Running {
				s.step(step, time.Now())
			}
		}
	}
}

func (s *screen) plan(p *plan.Plan, anew bool) {
	if anew {
		fmt.Fprintln(s.w)
	}
	fmt.Fprintln(s.w, "goal:", line(p.Goal))
	s.steps = nil
	for _, step := range p.Steps {
		by := cmp.Or(step.Tool, step.Agent, "nobody yet")
		done := ""
		if step.Status.Final() {
			done = ": " + string(step.Status)
		}
		fmt.Fprintf(s.w, "  %s. %s (%s)%s\n", line(step.ID), line(step.Description), line(by), done)
		s.steps = append(s.steps, step.ID)
	}
}

// step shows the head of a step, and how far the plan is.
func (s *screen) step(step plan.Step, begun time.Time) {
	if s.begun == nil {
		s.begun = map[string]time.Time{}
	}
	s.begun[step.ID] = begun
	fmt.Fprintf(s.w, "\nstep %s: %s\n", line(step.ID), line(step.Description))
	s.progress.place = fmt.Sprintf("[%d/%d] ", slices.Index(s.steps, step.ID)+1, len(s.steps))
}

func (s *screen) repair(r event.Repaired) {
	if r.Kind == supervisor.Plan && len(r.Actions) > 0 {
		s.say("said", r.Actions[0].Original)
	}
	for _, a := range r.Actions {
		outcome := "repaired: " + string(a.Repaired)
		if a.Error != "" {
			outcome = a.Error
		}
		s.say("repair", fmt.Sprintf("%s, attempt %d: %s", r.Kind, a.Attempt, outcome))
	}
}

// result shows what came of a step: as text, if a model wrote one.
func (s *screen) result(r event.StepResult, ended time.Time) {
	s.said = r.Result
	how := string(r.Mode)
	if begun, ok := s.begun[r.StepID]; ok {
		took := max(0, ended.Sub(begun)).Round(time.Microsecond) // a clock can be set
		if took >= time.Millisecond {
			took = took.Round(time.Millisecond)
		}
		how += fmt.Sprintf(") in %v", took)
	} else {
		how += ")"
	}
	switch said, isText := text(r.Result); {
	case !r.Success:
		fmt.Fprintf(s.w, "  %s (%s: %s\n", plan.Failed, how, line(r.Error.Text))
	case r.Mode != event.ModeTool && isText:
		fmt.Fprintf(s.w, "  %s (%s:\n%s", plan.Complete, how, indent(said))
	default:
		fmt.Fprintf(s.w, "  %s (%s: %s\n", plan.Complete, how, line(string(r.Result)))
	}
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(lines(text), "\n", "\n    ") + "\n"
}

// text returns the text that a value is.
func text(value json.RawMessage) (text string, ok bool) {
	return text, json.Unmarshal(value, &text) == nil
}

// answered shows what a conversation says.
func (s *screen) answered(r *record.Result) {
	if s.json || r.Answer == nil {
		return
	}
	fmt.Fprintln(s.w, lines(answer(r.Answer)))
}

func answer(value json.RawMessage) string {
	if said, isText := text(value); isText {
		return said
	}
	return string(value)
}

// needs are what calls wait for.
var needs = map[string]string{
	record.ForApproval: "the approval of a person", record.ForAnswer: "the answer of a person",
	record.ForDecision: "a person: nobody knows whether it was called",
}

// end shows where the run stands.
func (s *screen) end(r *record.Result) {
	switch {
	case r.WaitsFor == record.ForMessage:
		return
	case r.WaitsFor != "":
		for _, call := range r.Calls {
			s.say("waits", call.Request.Name+" needs "+needs[call.For])
		}
		return
	}
	fmt.Fprintf(s.w, "\n%s (calls of the model: %d, of tools: %d; tokens: %d)\n", r.Status, r.Usage.ModelCalls, r.Usage.ToolCalls, r.Usage.Tokens.Total())
	if r.Status == record.Completed && r.Answer != nil && string(r.Answer) != string(s.said) {
		fmt.Fprint(s.w, indent(answer(r.Answer)))
	}
	if r.Error != nil && r.Status != record.Interrupted { // with which the command ends
		fmt.Fprintln(s.w, line(r.Error.Text))
	}
}

// progressOf says what of a run was done.
func progressOf(s orchestrator.State) string {
	switch {
	case s.Kind == "conversation":
		return fmt.Sprintf("%d messages were said", len(s.Messages))
	case s.Plan == nil:
		return "there is no plan yet"
	}
	return fmt.Sprintf("%d of %d steps are done", len(s.Steps), len(s.Plan.Steps))
}
