package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
)

// recorded are the requests that can be answered without a model.
var recorded = []string{
	"Open a ticket for Ada: the printer on floor 2 prints blank pages. Then tell me how busy the desk is.",
	"Book me a flight to Lisbon",
	"Grace cannot log in. Open a ticket and assign it to linus.",
	"asdf qwer ??",
}

// screen shows what happens in a run.
type screen struct {
	w        io.Writer
	progress io.Writer // a terminal, for what is going on at the moment; nil if there is none
	json     bool
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
	s.clear()
	switch e.Kind {
	case record.PlanMade:
		s.plan(e.Plan)
	case record.StepStart:
		fmt.Fprintf(s.w, "\nstep %s: %s\n", e.Step, line(description(e.Plan, e.Step)))
	case record.ModelStart:
		s.doing("asking the model for " + string(e.Model.Purpose))
	case record.ToolStart:
		fmt.Fprintf(s.w, "  call    %s %s\n", e.Request.Name, line(cmp.Or(string(e.Request.Arguments), "{}")))
		s.doing("running " + e.Request.Name)
	case record.ToolEnd:
		fmt.Fprintf(s.w, "  took    %v\n", e.Call.Duration)
	case record.RepairEnd:
		s.repair(e)
	case record.StoreFailed:
		fmt.Fprintln(s.w, "  warning not stored:", line(e.Error.Text))
	case record.StepEnd:
		s.result(e.Result)
	case record.RunEnd:
		fmt.Fprintf(s.w, "\n%s: %d calls of the model, %d of tools, %d tokens\n", e.Status, e.Usage.ModelCalls, e.Usage.ToolCalls, e.Usage.Tokens.Total())
		if e.Error != nil {
			fmt.Fprintln(s.w, line(e.Error.Text))
		}
	}
}

func (s *screen) plan(p *plan.Plan) {
	fmt.Fprintln(s.w, "goal:", line(p.Goal))
	for _, step := range p.Steps {
		by := step.Tool
		if by == "" {
			by = step.Agent
		}
		fmt.Fprintf(s.w, "  %s. %s (%s)\n", step.ID, line(step.Description), line(by))
	}
}

func (s *screen) repair(e orchestrator.Event) {
	for _, a := range e.Actions {
		outcome := "repaired: " + string(a.Repaired)
		if a.Error != "" {
			outcome = a.Error
		}
		fmt.Fprintf(s.w, "  repair  %s, attempt %d: %s\n", e.Repair, a.Attempt, line(outcome))
	}
}

func (s *screen) result(r *record.StepResult) {
	status, text := plan.Complete, string(r.Result)
	if !r.Success {
		status, text = plan.Failed, r.Error.Text
	}
	fmt.Fprintf(s.w, "  %s (%s) %s\n", status, r.Mode, line(text))
}

// doing shows what takes time, until clear.
func (s *screen) doing(what string) {
	if s.progress != nil {
		fmt.Fprint(s.progress, "… "+line(what))
	}
}

func (s *screen) clear() {
	if s.progress != nil {
		fmt.Fprint(s.progress, "\r\x1b[K")
	}
}

func description(p *plan.Plan, id string) string {
	for _, step := range p.Steps {
		if step.ID == id {
			return step.Description
		}
	}
	return ""
}

// line makes text of others safe for a line of a terminal, and cuts it.
func line(text string) string {
	const longest = 300
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
	if r := []rune(clean); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return clean
}
