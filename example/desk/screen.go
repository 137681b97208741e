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
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// screen shows the events of a run.
type screen struct {
	w        io.Writer
	json     bool
	progress progress

	lastOutput json.RawMessage      // of the last step
	steps      []string             // of the plan
	started    map[string]time.Time // start times of steps
}

// showEvent shows an event.
//
//nolint:gocyclo // one case for each type of event
func (s *screen) showEvent(_ context.Context, e run.Event) {
	if s.json {
		s.writeJSON(e)
		return
	}
	s.progress.clear()
	switch what := e.What.(type) {
	case run.PlanMade:
		s.showPlan(&what.Plan, what.Replanned)
	case run.StepStart:
		s.showStep(what.Step, e.Time)
	case run.ModelStart:
		s.progress.show("asking the model for " + cmp.Or(purposes[what.For], what.For))
	case run.ModelEnd:
		if err := what.Answer.Error; err != nil && what.Answer.Response.Finish != "" { // other errors end the command, which reports them
			s.showPart("warning", err.Text)
		}
	case run.CallStart:
		s.showPart("call", what.Request.Name+" "+cmp.Or(string(what.Request.Arguments), "{}"))
		s.progress.show("running " + what.Request.Name)
	case run.Progress:
		s.progress.show("running " + what.Tool + ": " + formatProgress(what))
	case run.CallLogged:
		s.showPart("says", what.Text)
		s.progress.show(s.progress.what)
	case run.CallEnd:
		if what.Call.Err != nil && s.steps == nil { // in a plan, the step reports it
			s.showPart("failed", what.Call.Err.Error())
		}
	case run.RepairAttempted:
		s.showRepair(what)
	case run.StoreFailed:
		s.showPart("warning", "not stored: "+what.Error.Text)
	case run.StepEnd:
		s.showResult(what.Result, e.Time)
	case run.RunStopped:
		s.showStatus(what.Result)
	}
}

// formatProgress formats the progress of a call, such as "2 of 5 copying".
func formatProgress(p run.Progress) string {
	text := fmt.Sprintf("%g", p.Done)
	if p.Total > 0 {
		text += fmt.Sprintf(" of %g", p.Total)
	}
	return strings.TrimSpace(text + " " + p.Text)
}

// writeJSON writes an event as JSON.
func (s *screen) writeJSON(e run.Event) {
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

// purposes are the ends of the line "asking the model for …", by the purpose of the request.
var purposes = map[string]string{
	run.PurposePlan: "a plan", run.PurposeReplan: "another plan", run.PurposeArguments: "arguments", run.PurposeReasoning: "this step",
	run.PurposeFallback: "this step, for which there is no tool", run.PurposeRepair: "a repair", run.PurposeAnswer: "the answer", run.PurposeTurn: "an answer",
	run.PurposeQuestion: "an answer to a tool",
}

// showPart shows a line with a label, such as "call".
func (s *screen) showPart(what, text string) {
	if !s.json {
		fmt.Fprintf(s.w, "  %-8s %s\n", what, safeLine(text))
	}
}

// showResumed shows that a run continues.
func (s *screen) showResumed(state orchestrator.State) {
	if s.json {
		return
	}
	fmt.Fprintf(s.w, "continuing: %s (%s)\n", safeLine(state.Request), progressOf(state))
	if state.Plan != nil {
		s.showPlan(state.Plan, false)
		for _, step := range state.Plan.Steps {
			if step.Status == plan.Running {
				s.showStep(step, time.Now())
			}
		}
	}
}

func (s *screen) showPlan(p *plan.Plan, replanned bool) {
	if replanned {
		fmt.Fprintln(s.w)
	}
	fmt.Fprintln(s.w, "goal:", safeLine(p.Goal))
	s.steps = nil
	for _, step := range p.Steps {
		executor := cmp.Or(step.Tool, step.Agent, "nobody yet")
		done := ""
		if step.Status.Final() {
			done = ": " + string(step.Status)
		}
		fmt.Fprintf(s.w, "  %s. %s (%s)%s\n", safeLine(step.ID), safeLine(step.Description), safeLine(executor), done)
		s.steps = append(s.steps, step.ID)
	}
}

// showStep shows the head of a step with the progress of the plan.
func (s *screen) showStep(step plan.Step, start time.Time) {
	if s.started == nil {
		s.started = map[string]time.Time{}
	}
	s.started[step.ID] = start
	fmt.Fprintf(s.w, "\nstep %s: %s\n", safeLine(step.ID), safeLine(step.Description))
	s.progress.place = fmt.Sprintf("[%d/%d] ", slices.Index(s.steps, step.ID)+1, len(s.steps))
}

func (s *screen) showRepair(r run.RepairAttempted) {
	if r.Kind == supervisor.Plan && len(r.Actions) > 0 {
		s.showPart("said", r.Actions[0].Original)
	}
	for _, a := range r.Actions {
		outcome := "repaired: " + string(a.Repaired)
		if a.Error != "" {
			outcome = a.Error
		}
		s.showPart("repair", fmt.Sprintf("%s, attempt %d: %s", r.Kind, a.Attempt, outcome))
	}
}

// showResult shows the result of a step, as text if a model wrote it.
func (s *screen) showResult(r run.StepResult, ended time.Time) {
	s.lastOutput = r.Result
	suffix := "(" + string(r.Mode) + ")"
	if start, ok := s.started[r.StepID]; ok {
		took := max(0, ended.Sub(start)).Round(time.Microsecond) // clocks may be adjusted
		if took >= time.Millisecond {
			took = took.Round(time.Millisecond)
		}
		suffix += fmt.Sprintf(" in %v", took)
	}
	switch text, isText := valueText(r.Result); {
	case !r.Success:
		fmt.Fprintf(s.w, "  %s %s: %s\n", plan.Failed, suffix, safeLine(r.Error.Text))
	case r.Mode != run.ModeTool && isText:
		fmt.Fprintf(s.w, "  %s %s:\n%s", plan.Complete, suffix, indentText(text))
	default:
		fmt.Fprintf(s.w, "  %s %s: %s\n", plan.Complete, suffix, safeLine(string(r.Result)))
	}
}

func indentText(text string) string {
	return "    " + strings.ReplaceAll(safeLines(text), "\n", "\n    ") + "\n"
}

// valueText decodes a value that is a JSON string. It returns false for other values.
func valueText(value json.RawMessage) (text string, ok bool) {
	return text, json.Unmarshal(value, &text) == nil
}

// showAnswer shows an answer in a conversation.
func (s *screen) showAnswer(r *run.Result) {
	if s.json || r.Answer == nil {
		return
	}
	fmt.Fprintln(s.w, safeLines(answerText(r.Answer)))
}

func answerText(value json.RawMessage) string {
	if text, isText := valueText(value); isText {
		return text
	}
	return string(value)
}

// waitReasons are the ends of the line "… needs …", by the value of WaitsFor.
var waitReasons = map[string]string{
	run.ForApproval: "the approval of a person", run.ForAnswer: "the answer of a person",
	run.ForDecision: "a person: nobody knows whether it was called", // the process ended during the call
}

// showStatus shows the status of the run.
func (s *screen) showStatus(r *run.Result) {
	switch {
	case r.WaitsFor == run.ForMessage:
		return
	case r.WaitsFor != "":
		for _, call := range r.Calls {
			s.showPart("waits", call.Request.Name+" needs "+waitReasons[call.For])
		}
		return
	}
	fmt.Fprintf(s.w, "\n%s (calls of the model: %d, of tools: %d; tokens: %d)\n", r.Status, r.Usage.ModelCalls, r.Usage.ToolCalls, r.Usage.Tokens.Total())
	if r.Status == run.Completed && r.Answer != nil && string(r.Answer) != string(s.lastOutput) {
		fmt.Fprint(s.w, indentText(answerText(r.Answer)))
	}
	if r.Error != nil && r.Status != run.Interrupted { // the command reports the error of an interruption
		fmt.Fprintln(s.w, safeLine(r.Error.Text))
	}
}

// progressOf describes the progress of a run.
func progressOf(s orchestrator.State) string {
	switch {
	case s.Kind == "conversation":
		return fmt.Sprintf("%d messages were exchanged", len(s.Messages))
	case s.Plan == nil:
		return "there is no plan yet"
	}
	return fmt.Sprintf("%d of %d steps are done", len(s.Steps), len(s.Plan.Steps))
}
