package agenttest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/agenttest"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// failingTest is a test that collects its errors. Fatalf panics.
type failingTest struct {
	*testing.T
	mu       sync.Mutex
	errors   []string
	cleanups []func()
}

var errFatal = errors.New("the test has ended")

func (f *failingTest) Helper() {}

func (f *failingTest) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

func (f *failingTest) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(errFatal)
}

func (f *failingTest) Logf(format string, args ...any) { f.Errorf("log: "+format, args...) }

func (f *failingTest) Failed() bool { return len(f.errors) > 0 }

func (f *failingTest) Cleanup(cleanup func()) { f.cleanups = append(f.cleanups, cleanup) }

// try calls a function and returns the errors of the test, after its cleanups.
func (f *failingTest) try(check func()) string {
	f.errors = nil
	func() {
		defer func() {
			if cause := recover(); cause != nil && cause != any(errFatal) {
				panic(cause)
			}
		}()
		check()
	}()
	for _, cleanup := range f.cleanups {
		cleanup()
	}
	f.cleanups = nil
	return strings.Join(f.errors, "\n")
}

// TestAssertions checks what each assertion accepts and what it reports.
func TestAssertions(t *testing.T) {
	f := &failingTest{T: t}
	var j journal.Map
	converse(t, &j)
	agent, err := orchestrator.New(scripted.New(), shop(t), orchestrator.Conversation{}, orchestrator.Journal(&j))
	if err != nil {
		t.Fatal(err)
	}
	r := agenttest.Open(f, agent, "2026-11-27 "+hostile[10:20])
	for name, test := range map[string]struct {
		check func()
		want  string // the first lines of the error; "" if there is none
	}{
		"called":                {func() { r.Called("draw", `pay({"q": "3"})`, "flaky()", `"gone (now)"`, "find") }, ""},
		"called, none":          {func() { r.Called() }, ""},
		"not called":            {func() { r.Called("draw", "unused", `pay({"q":"1"})`) }, "agenttest: the run made the calls marked with +, not those with -:\n- unused\n- pay({\"q\":\"1\"})\n+ find({\"q\":\"a`b\"})\n"},
		"unwanted":              {func() { r.NotCalled("unused", "pay") }, "agenttest: the run made calls that it must not make:\n+ pay({\"q\":\"3\"})\n+ pay({\"q\":\"2\"})\ntimeline"},
		"not unwanted":          {func() { r.NotCalled("unused", `pay({"q":"9"})`) }, ""},
		"in order":              {func() { r.CalledInOrder(`find({"q":"nothing"})`, "pay", "pay", "draw") }, ""},
		"not in order":          {func() { r.CalledInOrder("draw", "ask") }, "agenttest: the run did not make these calls in this order (- want, + got):\n- draw\n+ find("},
		"exactly":               {func() { r.CalledExactly("find") }, "agenttest: the calls of the run differ (- want, + got):\n  find({\"q\":\"a`b\"})\n+ find({\"q\":\"nothing\"})\n+ \"gone (now)\"({})\n"},
		"changed":               {func() { r.Changed("flaky({})", `pay({"q":"3"})`, "ask", "draw") }, ""},
		"changed more":          {func() { r.Changed("flaky", "pay", "pay", "ask") }, "agenttest: the calls that may have changed something differ (- want, + got):\n  flaky({})\n  pay({\"q\":\"3\"})\n- pay\n  ask({})\n+ draw({})\ntimeline"},
		"waits":                 {func() { r.Waits(run.ForMessage) }, ""},
		"waits for other":       {func() { r.Waits(run.ForApproval) }, "agenttest: the run is waiting for message, want waiting for approval\n"},
		"ended":                 {func() { r.Ended(run.Completed) }, "agenttest: the run is waiting for message, want completed\n"},
		"answered":              {func() { r.Answered(`{"done": true}`) }, ""},
		"answered other":        {func() { r.Answered(map[string]any{"done": true, "x": 1}) }, "agenttest: the answer differs (- want, + got):\n- {\n-   \"done\": true,\n-   \"x\": 1\n- }\n+ {\"done\": true}\n"},
		"answer is no JSON":     {func() { r.Answered(func() {}) }, "agenttest: the expected answer cannot be written as JSON"},
		"within":                {func() { r.Within(agenttest.Budget{Steps: 9, ModelCalls: 10, ToolCalls: 6, Tokens: 1e6, Cost: 1}) }, ""},
		"over":                  {func() { r.Within(agenttest.Budget{Steps: 1, ModelCalls: 1, ToolCalls: 1, Tokens: 1}) }, "agenttest: the run is over the budget:\n  steps: 9, at most 1\n  model calls: 10, at most 1\n  tool calls: 6, at most 1\n  tokens: "},
		"invalid call":          {func() { r.Called(`pay({"q":)`) }, "agenttest: invalid call pay({\"q\":): write the name of a tool, or its name and JSON arguments"},
		"no name":               {func() { r.Called(``) }, "agenttest: invalid call : write"},
		"text after a call":     {func() { r.Called(`pay({}) now`) }, "agenttest: invalid call pay({}) now: write"},
		"refused signal":        {func() { r.Send(run.Redo("x")) }, "agenttest: the run refuses the signal \"redo\": "},
		"another run":           {func() { agenttest.Open(f, agent, "x") }, "agenttest: run \"x\" cannot be opened: "},
		"run that cannot start": {func() { agenttest.Run(f, agent, orchestrator.Input{Kind: "x"}) }, "agenttest: the run does not start: unknown kind"},
	} {
		got := f.try(test.check)
		if !strings.HasPrefix(got, test.want) || got != "" && test.want == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
		if strings.Contains(got, "\u202e") || strings.Contains(got, "\r") {
			t.Errorf("%s: the error has control characters", name)
		}
	}
	if n := len(r.State().Messages); n < 10 {
		t.Errorf("the state has %d messages", n)
	}
	for _, want := range []string{
		"model, turn 5: \"Half an ans\", the answer of the model was cut off at the token limit",
		"starts pay({\"q\":\"1\"})\n", "signal deny for call ", "user says \"And?\"", "run is waiting for answer\n",
	} {
		if !strings.Contains(r.Timeline(), want) {
			t.Errorf("the timeline lacks %q:\n%s", want, r.Timeline())
		}
	}
}

// TestChangedUnknown checks that a call whose outcome is unknown counts as a change.
func TestChangedUnknown(t *testing.T) {
	var j journal.Map
	lost := agenttest.Tools(t, rooms, agenttest.Fails("book_room", &tool.UnknownOutcomeError{Err: errors.New("lost")}))
	agent, err := orchestrator.New(scripted.New(scripted.Call("book_room", `{}`), scripted.Text("Perhaps.")), lost, orchestrator.Conversation{}, orchestrator.Journal(&j))
	if err != nil {
		t.Fatal(err)
	}
	r := agenttest.Run(t, agent, orchestrator.Input{ID: "1", Request: "Book a room."})
	r.Ended(run.Interrupted)
	r.Send() // executes it again
	r.Waits(run.ForDecision)
	r.Changed("book_room")
	r.Send(run.Deny(r.Calls[0].Call, "leave it"))
	r.Waits(run.ForMessage)
	r.Changed("book_room")
	if _, err := agenttest.Case(t.Context(), &j, "1"); err == nil {
		t.Error("a test is made from a run whose process was lost")
	}
}

// TestTools checks outcomes, and what a test learns if there is none or it is invalid.
func TestTools(t *testing.T) {
	f := &failingTest{T: t}
	var tools orchestrator.Caller
	call := func(name, arguments string) *tool.Call {
		return tools.Call(context.Background(), tool.Request{ID: "1", Name: name, Arguments: json.RawMessage(arguments)})
	}
	if got := f.try(func() {
		tools = agenttest.Tools(f, rooms, agenttest.Fails("find_room", &tool.DeniedError{Tool: "find_room"}),
			agenttest.Recorded("book_room", `{"status":"failed","error":{"type":"x.E","code":"busy","text":"busy","retryable":true}}`))
	}); got != "" {
		t.Error(got)
	}
	if c := call("find_room", ""); tool.Code(c.Err) != "denied" || c.Status != tool.StatusFailed || c.ID != "1" {
		t.Errorf("%+v", c)
	}
	if c := call("book_room", `{"room":"x"}`); tool.Retryable(c.Err) || tool.Code(c.Err) != "busy" || c.Err.Error() != "busy" {
		t.Errorf("%v, %q", c.Err, tool.Code(c.Err))
	}
	if len(tools.All()) != 2 || len(tools.Available(nil)) != 2 {
		t.Error("the definitions are missing")
	}
	if got := f.try(func() { call("pay", `{"a": 1}`) }); got != `agenttest: there is no outcome for the call pay({"a":1})` {
		t.Error(got)
	}
	for want, outcome := range map[string]agenttest.Outcome{
		"the output of pay is not JSON": agenttest.Returns("pay", "{"),
		"invalid call (":                agenttest.Returns("(", "{}"),
		"the record of pay: ":           agenttest.Recorded("pay", "{"),
	} {
		if got := f.try(func() { agenttest.Tools(f, nil, outcome) }); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLongDiff compares lists that are too long for a minimal difference.
func TestLongDiff(t *testing.T) {
	f := &failingTest{T: t}
	var calls []tool.Request
	for range 1100 {
		calls = append(calls, tool.Request{Name: "find_room", Arguments: json.RawMessage(`{"seats":1}`)})
	}
	agent, err := orchestrator.New(scripted.New(scripted.Respond(llm.Response{Calls: calls}), scripted.Text("Done.")),
		agenttest.Tools(t, rooms, agenttest.Returns("find_room", `"x"`)), orchestrator.Conversation{})
	if err != nil {
		t.Fatal(err)
	}
	r := agenttest.Run(f, agent, orchestrator.Input{Request: "?"})
	want := make([]string, 1000)
	for i := range want {
		want[i] = "book_room"
	}
	if got := f.try(func() { r.CalledExactly(want...) }); strings.Count(got, "\n- book_room") != 200 || !strings.Contains(got, "\n… and 1900 more lines\n") || strings.Count(got, "\n") > 500 {
		t.Errorf("the error has %d lines", strings.Count(got, "\n"))
	}
}
