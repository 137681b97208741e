package agenttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// repeatable is what a test needs to know about a run.
type repeatable struct {
	input       orchestrator.Input
	definitions []tool.Definition
	answers     []run.Answer
	outcomes    []*tool.Call // of functions
	rounds      []round
	final       run.Result
	calls       []string
}

// round is an execution of the run until it waited, and the signals that it received then.
type round struct {
	status, waitsFor string
	signals          []run.Signal
}

// defaultSteps is the step limit of a plan whose [orchestrator.Input] has none.
const defaultSteps = 50

// readCase reads a run from its journal.
func readCase(ctx context.Context, j journal.Journal, id string) (*repeatable, error) {
	c := new(repeatable)
	var h history
	decided := map[string]bool{} // calls whose outcome a person decided
	for r, err := range run.Records(ctx, j, id) {
		if err == nil {
			h.add(r)
			err = c.addRecord(id, r, decided)
		}
		if err != nil {
			return nil, err
		}
		c.final.Status, c.final.WaitsFor = r.Status, r.WaitsFor
	}
	if c.final.Status == run.Running || c.final.Status == run.Interrupted {
		return nil, fmt.Errorf("no test can be made from run %q: it is %s; execute it until it ends or waits for somebody", id, c.final.Status)
	}
	if n := len(c.rounds); n > 0 && len(c.rounds[n-1].signals) == 0 { // the run still waits
		c.rounds = c.rounds[:n-1]
	}
	for _, call := range h.calls {
		c.calls = append(c.calls, call.line())
	}
	return c, nil
}

// addRecord adds a record of the run.
func (c *repeatable) addRecord(id string, r run.Record, decided map[string]bool) error {
	switch {
	case r.Input != nil:
		return c.setInput(id, r.Input)
	case r.Answer != nil:
		c.answers = append(c.answers, *r.Answer)
	case r.Call != nil:
		if !decided[r.Call.ID] && c.isOutcome(r.Call) {
			c.outcomes = append(c.outcomes, r.Call)
		}
	case r.Signal != nil:
		decided[r.Signal.Call] = r.Signal.Kind == "deny" || r.Signal.Kind == "supply"
		if len(c.rounds) == 0 {
			return fmt.Errorf("no test can be made from run %q: it received a signal %q before it waited for somebody", id, r.Signal.Kind)
		}
		last := &c.rounds[len(c.rounds)-1]
		last.signals = append(last.signals, *r.Signal)
	case r.Kind == "agent":
		return fmt.Errorf("no test can be made from run %q: entry %d begins an agent that carries out a call; make a test from a run of that agent", id, r.N)
	case r.Kind == "stop":
		c.addStop(r)
	case r.Kind == "end":
		c.final.Answer = r.Value
	}
	return nil
}

// setInput sets the input and the tools of the run.
func (c *repeatable) setInput(id string, in *run.Input) error {
	t, err := readTask(in)
	c.input = orchestrator.Input{ID: id, Kind: in.Kind, Request: t.Request, Messages: t.Messages, Plan: t.Plan, Answer: t.Answer, Meta: t.Meta}
	c.input.Limits = run.Limits{Steps: in.Limits.Steps, Tokens: in.Limits.Tokens} // time and cost depend on the process
	if in.Kind == task.Plan && in.Limits.Steps == defaultSteps {
		c.input.Limits.Steps = 0
	}
	c.definitions = in.Tools
	return err
}

// addStop adds the end of an execution.
func (c *repeatable) addStop(r run.Record) {
	if r.Status == run.Interrupted {
		return // the run was executed again
	}
	if n := len(c.rounds); n > 0 && len(c.rounds[n-1].signals) == 0 { // the run was executed again without a signal
		c.rounds = c.rounds[:n-1]
	}
	c.rounds = append(c.rounds, round{status: r.Status, waitsFor: r.WaitsFor})
}

// isOutcome reports whether the run passed a call to the tools. The run itself rejects calls of
// unknown tools and calls that are repeated too often.
func (c *repeatable) isOutcome(call *tool.Call) bool {
	switch tool.Code(call.Err) {
	case "repeated":
		return false
	case "unknown_tool":
		return slices.ContainsFunc(c.definitions, func(d tool.Definition) bool { return d.Name == call.Request.Name })
	}
	return true
}

// mentions reports whether the name of a tool occurs in the calls of the run, in its given plan or in an
// answer of its model.
func (c *repeatable) mentions(name string) bool {
	isCalled := slices.ContainsFunc(c.calls, func(call string) bool { return strings.HasPrefix(call, name+"(") })
	isPlanned := c.input.Plan != nil && slices.ContainsFunc(c.input.Plan.Steps, func(s plan.Step) bool { return s.Tool == name })
	return isCalled || isPlanned || slices.ContainsFunc(c.answers, func(a run.Answer) bool {
		return strings.Contains(a.Response.Text, name) || slices.ContainsFunc(a.Response.Calls, func(r tool.Request) bool { return r.Name == name })
	})
}

// repeat executes the run as the test does. It returns the answer, or an error if the run does
// something else.
func (c *repeatable) repeat(ctx context.Context) (answer json.RawMessage, err error) {
	v := &verifier{ctx: ctx}
	defer func() {
		if cause := recover(); cause != nil && cause != any(v) {
			panic(cause)
		}
		err = errors.Join(v.faults...)
	}()
	answers := make([]scripted.Answer, len(c.answers))
	for i, a := range c.answers {
		answers[i] = scriptAnswer(c.response(a))
	}
	model := scripted.New(answers...)
	outcomes := make([]Outcome, len(c.outcomes))
	for i, call := range c.outcomes {
		outcomes[i] = scriptOutcome(call)
	}
	agent, err := orchestrator.New(model, Tools(v, c.definitions, outcomes...))
	if err != nil {
		v.Fatalf("%v", err)
	}
	r := Run(v, agent, c.input)
	for _, turn := range c.rounds {
		r.checkStatus(turn.status, turn.waitsFor)
		r.Send(turn.signals...)
	}
	r.checkStatus(c.final.Status, c.final.WaitsFor)
	r.CalledExactly(c.calls...)
	if c.final.Answer != nil && !jsontext.EqualTexts(c.final.Answer, r.Answer, jsontext.Depth) {
		r.fail("the answer is %s", r.Answer)
	}
	if err := model.Err(); err != nil {
		v.Fatalf("%v", err)
	}
	return r.Answer, nil
}

// checkStatus checks the status as the test does.
func (r *Result) checkStatus(status, waitsFor string) {
	if status == run.Waiting {
		r.Waits(waitsFor)
	} else {
		r.Ended(status)
	}
}

// response returns the parts of an answer that the run depends on.
func (c *repeatable) response(a run.Answer) (llm.Response, error) {
	if a.Error != nil && a.Error.Kind == llm.ContextFull {
		return llm.Response{}, &llm.Error{Kind: llm.ContextFull}
	}
	r := llm.Response{Text: a.Response.Text, Finish: a.Response.Finish}
	if r.Finish == llm.FinishStop || r.Finish == llm.FinishCalls {
		r.Finish = "" // the default
	}
	for _, call := range a.Response.Calls {
		r.Calls = append(r.Calls, tool.Request{Name: call.Name, Arguments: call.Arguments, Truncated: call.Truncated})
	}
	if c.input.Limits.Tokens > 0 {
		r.Usage = a.Response.Usage
	}
	return r, nil
}
