package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// screen shows what happens in a run.
type screen struct {
	w        io.Writer
	json     bool
	tools    []string // that there are
	progress progress

	begun    time.Time // of the step
	repaired bool      // something of the step
}

func (s *screen) event(e orchestrator.Event) {
	if s.json {
		line, err := json.Marshal(e)
		if err != nil {
			line = fmt.Appendf(nil, "%q", err.Error())
		}
		fmt.Fprintf(s.w, "%s\n", line)
		return
	}
	s.progress.clear()
	switch e.Kind {
	case record.PlanMade:
		s.plan(e.Plan)
	case record.StepStart:
		s.begun, s.repaired = e.Time, false
		s.step(e.Plan, e.Step)
	case record.ModelStart:
		s.progress.show("asking the model for " + purposes[e.Model.Purpose])
	case record.ModelEnd:
		// What keeps a plan from being made is what the command ends with.
		if err := e.Model.Error; err != nil && err.Kind != llm.Cancelled && e.Model.Purpose != record.ForPlan {
			s.say("warning", "the model failed: "+err.Text)
		}
	case record.ToolStart:
		s.say("call", e.Request.Name+" "+cmp.Or(string(e.Request.Arguments), "{}"))
		s.progress.show("running " + e.Request.Name)
	case record.RepairEnd:
		s.repair(e)
	case record.RunWaits:
		s.say("waits", e.Request.Name+" needs the approval of a person")
	case record.StoreFailed:
		s.say("warning", "not stored: "+e.Error.Text)
	case record.StepEnd:
		s.result(e)
	case record.RunEnd:
		s.end(e)
	}
}

// purposes are what the model is asked for, in words.
var purposes = map[record.Purpose]string{
	record.ForPlan: "a plan", record.ForArguments: "arguments", record.ForReasoning: "this step",
	record.ForFallback: "this step, for which there is no tool", record.ForRepair: "a repair",
}

// say shows a part of a step.
func (s *screen) say(what, text string) { fmt.Fprintf(s.w, "  %-7s %s\n", what, line(text)) }

// resumed shows that a run goes on.
func (s *screen) resumed(state orchestrator.State) {
	if s.json {
		return
	}
	fmt.Fprintf(s.w, "going on with: %s (%s)\n", line(state.Request), progressOf(state))
	if state.Plan != nil {
		s.plan(state.Plan)
	}
	if state.CurrentStep != "" {
		s.begun = time.Now()
		s.step(state.Plan, state.CurrentStep)
	}
}

// decided shows what became of a call that waited.
func (s *screen) decided(approved bool, why string) {
	if s.json {
		return
	}
	if approved {
		s.say("approved", why)
	} else {
		s.say("refused", why)
	}
}

func (s *screen) plan(p *plan.Plan) {
	fmt.Fprintln(s.w, "goal:", line(p.Goal))
	for _, step := range p.Steps {
		by := cmp.Or(step.Tool, step.Agent, "nobody yet")
		done := ""
		if step.Status.Final() {
			done = ": " + string(step.Status)
		}
		fmt.Fprintf(s.w, "  %s. %s (%s)%s\n", line(step.ID), line(step.Description), line(by), done)
	}
	for _, step := range p.Steps {
		if step.Tool != "" && !slices.Contains(s.tools, step.Tool) {
			s.say("warning", fmt.Sprintf("step %s: there is no tool %s", step.ID, step.Tool))
		}
	}
}

// step shows the head of a step, and how far the plan is.
func (s *screen) step(p *plan.Plan, id string) {
	i := slices.IndexFunc(p.Steps, func(step plan.Step) bool { return step.ID == id })
	fmt.Fprintf(s.w, "\nstep %s: %s\n", line(id), line(p.Steps[i].Description))
	s.progress.place = fmt.Sprintf("[%d/%d] ", i+1, len(p.Steps))
}

func (s *screen) repair(e orchestrator.Event) {
	if e.Repair == supervisor.Plan {
		s.say("said", e.Actions[0].Original)
	}
	for _, a := range e.Actions {
		outcome := "repaired: " + string(a.Repaired)
		if a.Error != "" {
			outcome = a.Error
		} else {
			s.repaired = true
		}
		s.say("repair", fmt.Sprintf("%s, attempt %d: %s", e.Repair, a.Attempt, outcome))
	}
}

// result shows what came of a step: as text, if a model wrote one.
func (s *screen) result(e orchestrator.Event) {
	r := e.Result
	how := string(r.Mode)
	if s.repaired {
		how += ", repaired"
	}
	took := max(0, e.Time.Sub(s.begun)) // a clock can be set
	if took = took.Round(time.Microsecond); took >= time.Millisecond {
		took = took.Round(time.Millisecond)
	}
	if !r.Success {
		fmt.Fprintf(s.w, "  %s (%s) in %v: %s\n", plan.Failed, how, took, line(r.Error.Text))
		return
	}
	var said struct{ Result string }
	if r.Mode != record.ModeTool && json.Unmarshal(r.Result, &said) == nil && said.Result != "" {
		fmt.Fprintf(s.w, "  %s (%s) in %v:\n    %s\n", plan.Complete, how, took, strings.ReplaceAll(lines(said.Result), "\n", "\n    "))
		return
	}
	fmt.Fprintf(s.w, "  %s (%s) in %v: %s\n", plan.Complete, how, took, line(string(r.Result)))
}

// end shows what came of the plan. Why there is none, the command ends with.
func (s *screen) end(e orchestrator.Event) {
	if e.Plan == nil {
		return
	}
	fmt.Fprintf(s.w, "\n%s (calls of the model: %d, of tools: %d; tokens: %d)\n", e.Status, e.Usage.ModelCalls, e.Usage.ToolCalls, e.Usage.Tokens.Total())
	if e.Error != nil {
		fmt.Fprintln(s.w, line(e.Error.Text))
	}
}

// progressOf says what of an interrupted run was done.
func progressOf(s orchestrator.State) string {
	if s.Plan == nil {
		return "there is no plan yet"
	}
	return fmt.Sprintf("%d of %d steps are done", len(s.Results), len(s.Plan.Steps))
}
