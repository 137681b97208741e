package agenttest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// fail reports an error with the timeline of the run.
func (r *Result) fail(format string, args ...any) {
	r.t.Helper()
	r.t.Errorf("agenttest: "+format+"%s", append(slices.Clone(args), r.describeRun())...)
}

// Numbers of lines of a long timeline that an error shows.
const (
	shownFirst = 50
	shownLast  = 150
)

// describeRun returns the timeline after a title.
func (r *Result) describeRun() string {
	lines := strings.Split(strings.TrimSuffix(r.Timeline(), "\n"), "\n")
	if n := len(lines); n > shownFirst+shownLast {
		lines = slices.Concat(lines[:shownFirst], []string{fmt.Sprintf("  … and %d more lines, then", n-shownFirst-shownLast)}, lines[n-shownLast:])
	}
	return fmt.Sprintf("\ntimeline of run %q:\n%s", r.run.ID(), strings.Join(lines, "\n"))
}

// Timeline returns what the run did: for each entry of its journal, a line with the number of the
// entry and what happened. It leaves out entries such as claims, and cuts long texts.
func (r *Result) Timeline() string {
	var b strings.Builder
	for _, record := range r.history.records {
		if text := describeRecord(record); text != "" {
			fmt.Fprintf(&b, "%4d %s\n", record.N, text)
		}
	}
	return b.String()
}

// describeRecord describes a record in one line. It returns "" for records that the timeline leaves
// out.
func describeRecord(r run.Record) string {
	switch {
	case r.Input != nil:
		return describeInput(r.Input)
	case r.Answer != nil:
		return fmt.Sprintf("model, %s%s: %s", r.Purpose, inStep(r.Step), describeAnswer(r.Answer))
	case r.Request != nil:
		return fmt.Sprintf("starts %s", showCall(r.Request.Name, r.Request.Arguments))
	case r.Call != nil:
		return strings.TrimSpace(showCall(r.Call.Request.Name, r.Call.Arguments) + " " + describeOutcome(r.Call))
	case r.Signal != nil:
		return describeSignal(r.Signal)
	case r.Kind == "stop", r.Kind == "end":
		return "run is " + describeStatus(run.Result{Status: r.Status, WaitsFor: r.WaitsFor, Error: r.Error})
	}
	return ""
}

func describeInput(in *run.Input) string {
	t, err := readTask(in)
	if err != nil {
		return in.Kind
	}
	if t.Plan != nil {
		return in.Kind + " with " + words.Count(len(t.Plan.Steps), "given step")
	}
	return in.Kind + ", request " + quoteShort(t.Request)
}

func inStep(step string) string {
	if step == "" {
		return ""
	}
	return " " + visibleLine(step)
}

func describeAnswer(a *run.Answer) string {
	var parts []string
	for _, c := range a.Response.Calls {
		parts = append(parts, "calls "+showCall(c.Name, c.Arguments))
	}
	if a.Response.Text != "" {
		parts = append([]string{quoteShort(a.Response.Text)}, parts...)
	}
	if a.Error != nil {
		parts = append(parts, visibleLine(a.Error.Text))
	}
	return strings.Join(parts, ", ")
}

func describeOutcome(c *tool.Call) string {
	if c.Err != nil {
		return "fails: " + visibleLine(c.Err.Error())
	}
	return "returns " + visibleLine(string(c.Output))
}

func describeSignal(s *run.Signal) string {
	switch {
	case s.Message != nil:
		return string(cmp.Or(s.Message.Role, llm.RoleUser)) + " says " + quoteShort(s.Message.Text)
	case s.Call != "":
		return fmt.Sprintf("signal %s for call %s", s.Kind, visibleLine(s.Call))
	}
	return "signal " + s.Kind
}

// readTask returns the task of a run.
func readTask(in *run.Input) (t task.Task, err error) {
	if err := json.Unmarshal(in.Data, &t); err != nil {
		return t, fmt.Errorf("the input of the run: %w", err)
	}
	return t, nil
}

// describeStatus returns the status with its reason.
func describeStatus(r run.Result) string {
	text := r.Status
	if r.WaitsFor != "" {
		text += " for " + r.WaitsFor
	}
	if r.Error != nil {
		text += ": " + visibleLines(r.Error.Text)
	}
	return text
}
