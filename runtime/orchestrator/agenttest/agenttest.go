// Package agenttest helps to test agents. [Run] executes a run, and the methods of its [Result]
// check what it did: which tools it called, in which order and with which arguments, what may have
// changed, what it consumed, and its answer.
//
//	r := agenttest.Run(t, agent, orchestrator.Input{Request: "Book a room for four."})
//	r.CalledExactly(`find_room({"seats":4})`, `book_room({"room":"Turing"})`)
//	r.Changed(`book_room({"room":"Turing"})`)
//	r.Within(agenttest.Budget{ModelCalls: 3})
//	r.Answered("Turing is booked.")
//
// A call is written as the name of the tool with its arguments as JSON in parentheses. The name
// alone matches a call with any arguments. If a check fails, the test continues, and its log
// shows the difference and the timeline of the run.
//
// The model of the agent can be one of package scripted, or a [Recording] of a real one. [Tools]
// replaces the tools. [Case] writes a test that repeats a run, such as one that went wrong.
package agenttest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// Result is what a run did so far. Its methods report errors to the test that created it.
type Result struct {
	// Result is the state in which the last execution left the run.
	run.Result

	t       testing.TB
	run     *orchestrator.Run
	history history
}

// Run starts a run and executes it until it ends, waits or is interrupted. An error of the agent
// ends the test.
func Run(t testing.TB, agent *orchestrator.Orchestrator, in orchestrator.Input) *Result {
	t.Helper()
	started, err := agent.Start(t.Context(), in)
	if err != nil {
		t.Fatalf("agenttest: the run does not start: %v", err)
	}
	r := &Result{t: t, run: started}
	r.execute()
	return r
}

// Open returns the result of a run in the journal of the agent, without executing it. An error ends
// the test.
func Open(t testing.TB, agent *orchestrator.Orchestrator, id string) *Result {
	t.Helper()
	opened, err := agent.Open(t.Context(), id)
	if err != nil {
		t.Fatalf("agenttest: run %q cannot be opened: %v", id, err)
	}
	r := &Result{t: t, run: opened}
	r.update(opened.State().Result)
	return r
}

// Send sends the signals to the run and continues to execute it. An error ends the test.
func (r *Result) Send(signals ...run.Signal) {
	r.t.Helper()
	for _, s := range signals {
		if err := r.run.Send(r.t.Context(), s); err != nil {
			r.t.Fatalf("agenttest: the run refuses the signal %q: %v%s", s.Kind, err, r.describeRun())
		}
	}
	r.execute()
}

// execute executes the run.
func (r *Result) execute() {
	r.t.Helper()
	result, err := r.run.Execute(r.t.Context())
	if err != nil {
		r.t.Fatalf("agenttest: the run cannot be executed: %v", err)
	}
	r.update(*result)
}

// update sets the result and reads what the run did.
func (r *Result) update(result run.Result) {
	r.t.Helper()
	r.Result, r.history = result, history{}
	for record, err := range run.Records(r.t.Context(), r.run.Journal(), r.run.ID()) {
		if err != nil {
			r.t.Fatalf("agenttest: the journal of the run: %v", err)
		}
		r.history.add(record)
	}
}

// State returns the state of the run, which contains its plan, its steps and its messages.
func (r *Result) State() orchestrator.State { return r.run.State() }

// Ended checks the status of the run, such as [run.Completed].
func (r *Result) Ended(status string) {
	r.t.Helper()
	if r.Status != status {
		r.fail("the run is %s, want %s", describeStatus(r.Result), status)
	}
}

// Waits checks what the run waits for, such as [run.ForApproval] or, for a conversation that has
// answered, [run.ForMessage].
func (r *Result) Waits(waitsFor string) {
	r.t.Helper()
	if r.Status != run.Waiting || r.WaitsFor != waitsFor {
		r.fail("the run is %s, want waiting for %s", describeStatus(r.Result), waitsFor)
	}
}

// Answered checks the answer of the run. Want is a string, or a value whose JSON is the expected
// answer.
func (r *Result) Answered(want any) {
	r.t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		r.t.Fatalf("agenttest: the expected answer cannot be written as JSON: %v", err)
	}
	if !jsontext.EqualTexts(r.Answer, text, jsontext.Depth) {
		r.fail("the answer differs (- want, + got):\n%s", diffLines(answerLines(text), answerLines(r.Answer)))
	}
}

// answerLines returns the lines of an answer that is a text, or of the indented JSON of any other
// answer.
func answerLines(answer json.RawMessage) []string {
	var text string
	if len(answer) == 0 {
		return []string{"no answer"}
	}
	if json.Unmarshal(answer, &text) != nil {
		indented, err := jsontext.Marshal(answer, "  ")
		if err != nil {
			indented = answer
		}
		text = string(indented)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visibleLine(line)
	}
	return lines
}

// Budget limits what a run may consume. Zero fields do not limit it.
type Budget struct {
	Steps      int
	ModelCalls int
	ToolCalls  int
	Tokens     int // input and output; estimated if the model does not report it
	Cost       float64
}

// Within checks that the run consumed no more than the budget.
func (r *Result) Within(b Budget) {
	r.t.Helper()
	var over []string
	for _, limit := range []struct {
		what     string
		got, max float64
	}{
		{"steps", float64(r.Usage.Steps), float64(b.Steps)},
		{"model calls", float64(r.Usage.ModelCalls), float64(b.ModelCalls)},
		{"tool calls", float64(r.Usage.ToolCalls), float64(b.ToolCalls)},
		{"tokens", float64(r.Usage.Tokens.Total()), float64(b.Tokens)},
		{"cost", r.Usage.Cost, b.Cost},
	} {
		if limit.max > 0 && limit.got > limit.max {
			over = append(over, fmt.Sprintf("  %s: %v, at most %v", limit.what, limit.got, limit.max))
		}
	}
	if len(over) > 0 {
		r.fail("the run is over the budget:\n%s", strings.Join(over, "\n"))
	}
}
