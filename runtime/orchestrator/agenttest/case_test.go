package agenttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/agenttest"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is text that would leave a string literal or a comment.
const hostile = "`\" + os.Exit(1) + \"` */ //go:build ignore\n\t\\\u202e\x00\r}; panic(\"x\")\n//go:generate echo \"x\"\n"

// shop returns tools that return, fail, ask, attach and need approval, and an unused one.
func shop(t *testing.T) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("pay")), middleware.Allow())))
	for _, made := range []struct {
		name string
		does func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error)
	}{
		{"find", func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			if strings.Contains(string(arguments), "nothing") {
				return nil, errors.New("nothing found: " + hostile)
			}
			return json.Marshal(map[string]string{"found": hostile})
		}},
		{"pay", func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) { return arguments, nil }},
		{"ask", func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Sure?", nil))
			if err != nil {
				return nil, err
			}
			return json.Marshal(answers[0].Accepted())
		}},
		{"draw", func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			tool.ExchangeFrom(ctx).Attach(content.Image("image/png", []byte("png")))
			return json.RawMessage("null"), nil
		}},
		{"flaky", func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, busyError{} }},
		{"unused", func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage("1"), nil }},
	} {
		d := tool.Definition{
			Name: made.name, Description: "Does " + hostile, Input: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
			Annotations: tool.Annotations{ReadOnly: made.name == "find"},
		}
		dynamic, err := schema.Dynamic(d, made.does)
		if err == nil {
			err = registry.Register(dynamic)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return registry
}

// busyError is an error that may pass.
type busyError struct{}

func (busyError) Error() string   { return "busy" }
func (busyError) Retryable() bool { return true }

// converse holds a conversation with everything that a test can repeat.
func converse(t *testing.T, j journal.Journal) {
	t.Helper()
	calls := func(calls ...tool.Request) scripted.Answer {
		return scripted.Respond(llm.Response{Text: "Let me see.", Calls: calls})
	}
	model := scripted.New(
		calls(
			tool.Request{Name: "find", Arguments: json.RawMessage(`{"q":"` + "a`b" + `"}`)},
			tool.Request{Name: "find", Arguments: json.RawMessage(`{"q":"nothing"}`)},
			tool.Request{Name: "gone (now)", Arguments: json.RawMessage(`{}`)},
		),
		scripted.Call("find", `{"q":`),
		scripted.Call("find", `{"q":7}`),
		scripted.Call("flaky", ``),
		scripted.Respond(llm.Response{Text: "Half an ans", Finish: llm.FinishLength}),
		calls(tool.Request{Name: "pay", Arguments: json.RawMessage(`{"q":"1"}`)}, tool.Request{Name: "pay", Arguments: json.RawMessage(`{"q":"2"}`)}),
		scripted.Call("ask", `{}`),
		scripted.Call("draw", `{}`),
		scripted.Text(hostile),
		scripted.Text(`{"done": true}`),
	)
	agent, err := orchestrator.New(model, shop(t), orchestrator.Conversation{}, orchestrator.Journal(j))
	if err != nil {
		t.Fatal(err)
	}
	r := agenttest.Run(t, agent, orchestrator.Input{ID: "2026-11-27 " + hostile[10:20], Request: hostile, Meta: map[string]string{"user": "ada"}})
	r.Waits(run.ForApproval)
	r.Send(run.Approve(r.Calls[0].Call, "Grace", json.RawMessage(`{"q":"3"}`)))
	r.Waits(run.ForApproval)
	r.Send(run.Deny(r.Calls[0].Call, hostile))
	r.Waits(run.ForAnswer)
	r.Send(run.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Accept(nil)))
	r.Waits(run.ForMessage)
	r.Send(run.Say(llm.Message{Text: "And?", Parts: []content.Part{content.Image("image/png", []byte{0, 255})}}))
	r.Waits(run.ForMessage)
	if err := model.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestCase compares the test of a conversation with a file of this package, which therefore is
// compiled and runs.
func TestCase(t *testing.T) {
	var j journal.Map
	converse(t, &j)
	id := ""
	for info, err := range j.Runs(t.Context(), journal.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		id = info.Run
	}
	source, err := agenttest.Case(t.Context(), &j, id, agenttest.Package("agenttest_test"))
	if err != nil {
		t.Fatal(err)
	}
	const golden = "case_golden_test.go"
	if *update {
		if err := os.WriteFile(golden, source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(source)); diff != "" {
		t.Errorf("the test changed, rewrite it with -update if it should:\n%s", diff)
	}
	checkSource(t, source)
	if again, err := agenttest.Case(t.Context(), &j, id, agenttest.Package("agenttest_test")); err != nil || !bytes.Equal(again, source) {
		t.Errorf("the second time, the test differs: %v", err)
	}
}

// checkSource checks that a test is formatted, and that nothing from a run is outside of its string
// literals.
func checkSource(t *testing.T, source []byte) {
	t.Helper()
	if formatted, err := format.Source(source); err != nil || !bytes.Equal(formatted, source) {
		t.Errorf("the test is not formatted: %v", err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "case_test.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Comments) > 2 {
		t.Errorf("the test has %d comments", len(file.Comments))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && (name.Name == "os" || name.Name == "panic") {
			t.Errorf("%s: %s is not in a literal", files.Position(n.Pos()), name.Name)
		}
		return true
	})
	for line := range bytes.Lines(source) {
		if bytes.HasPrefix(line, []byte("//go:")) {
			t.Errorf("the test has the directive %s", line)
		}
	}
	for _, r := range string(source) {
		if !strconv.IsPrint(r) && r != '\n' && r != '\t' {
			t.Errorf("the test has the character %U", r)
		}
	}
}

// TestCasePlan makes tests from plans.
func TestCasePlan(t *testing.T) {
	const found = `{"goal":"Find it","steps":[{"step_id":"1","description":"Find it","tool":"find","arguments":{"q":"x"}},{"step_id":"2","description":"Pay","tool":"pay","arguments":{"q":"<<step:1/found>>"}}]}`
	given := &plan.Plan{Goal: "Find it", Steps: []plan.Step{{ID: "1", Description: "Find it", Tool: "find", Arguments: json.RawMessage(`{"q":"y"}`)}}}
	for name, test := range map[string]struct {
		in      orchestrator.Input
		answers []scripted.Answer
		signals func(r *agenttest.Result) []run.Signal
		want    []string
	}{
		"approved": {
			orchestrator.Input{Request: "Find it"}, []scripted.Answer{scripted.Text(found), scripted.Text("Paid.")},
			func(r *agenttest.Result) []run.Signal {
				return []run.Signal{run.Approve(r.Calls[0].Call, "Grace", nil)}
			},
			[]string{`run.Approve("approved/2/1", "Grace", nil)`, "r.Ended(run.Completed)", `r.Answered("Paid.")`},
		},
		"canceled": {
			orchestrator.Input{Request: "Find it", Limits: run.Limits{Steps: 9}}, []scripted.Answer{scripted.Text(found)},
			func(*agenttest.Result) []run.Signal { return []run.Signal{run.Cancel("enough")} },
			[]string{`r.Send(run.Cancel("enough"))`, "r.Ended(run.Cancelled)", "Limits: run.Limits{Steps: 9}"},
		},
		"given": {
			orchestrator.Input{Plan: given}, nil, nil,
			[]string{"Plan: &plan.Plan{", "model := scripted.New()", "r.Ended(run.Completed)"},
		},
		"failed": {
			orchestrator.Input{Request: "Find it"}, []scripted.Answer{scripted.Text(`{"give_up":"impossible"}`)}, nil,
			[]string{"r.Ended(run.Failed)", "agenttest.Tools(t, nil)"},
		},
		"over budget": {
			orchestrator.Input{Request: "Find it", Limits: run.Limits{Tokens: 10}},
			[]scripted.Answer{scripted.Respond(llm.Response{Text: found, Usage: llm.Usage{Input: 9, Output: 9}})},
			nil, []string{"r.Ended(run.OverBudget)", "Usage: llm.Usage{Input: 9, Output: 9}"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal.Map
			agent, err := orchestrator.New(scripted.New(test.answers...), shop(t), orchestrator.Journal(&j))
			if err != nil {
				t.Fatal(err)
			}
			test.in.ID = name
			r := agenttest.Run(t, agent, test.in)
			if test.signals != nil {
				r.Send(test.signals(r)...)
			}
			source, err := agenttest.Case(t.Context(), &j, name)
			if err != nil {
				t.Fatalf("%v\n%s", err, r.Timeline())
			}
			checkSource(t, source)
			for _, want := range append(test.want, "package agent_test\n") {
				if !bytes.Contains(source, []byte(want)) {
					t.Errorf("%s is missing in\n%s", want, source)
				}
			}
			if bytes.Contains(source, []byte(`"unused"`)) {
				t.Error("the test has a tool that the run does not need")
			}
		})
	}
}

// TestCaseRefused checks the runs from which no test can be made.
func TestCaseRefused(t *testing.T) {
	failing := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.Unauthorized, Err: errors.New("no key")}
	})
	text := func() llm.Model { return scripted.New(scripted.Text("Hi."), scripted.Text("Ho.")) }
	for name, test := range map[string]struct {
		model   llm.Model
		options []orchestrator.Option
		early   []run.Signal
		starts  bool
		want    string
	}{
		"running":     {text(), nil, nil, false, `no test can be made from run "running": it is running; execute it until it ends or waits for somebody`},
		"interrupted": {failing, nil, nil, true, `it is interrupted; execute it`},
		"early":       {text(), nil, []run.Signal{run.Say(llm.Message{Text: "Wait."})}, true, `it received a signal "say" before it waited for somebody`},
		"options":     {scripted.New(scripted.Call("find", `{}`)), []orchestrator.Option{orchestrator.Conversation{Turns: 1}}, nil, true, `a test with the answers and outcomes of run "options" does something else: agenttest: `},
		"unknown":     {text(), nil, nil, false, `nobody`},
		"long":        {scripted.New(scripted.Text(strings.Repeat("long ", 1<<20))), nil, nil, true, `its source would have `},
	} {
		var j journal.Map
		options := append([]orchestrator.Option{orchestrator.Conversation{}, orchestrator.Journal(&j)}, test.options...)
		agent, err := orchestrator.New(test.model, shop(t), options...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := agent.Start(t.Context(), orchestrator.Input{ID: name, Request: "Hello."})
		for _, s := range test.early {
			err = errors.Join(err, r.Send(t.Context(), s))
		}
		if test.starts && err == nil {
			_, err = r.Execute(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		id := name
		if name == "unknown" {
			id = "nobody"
		}
		if _, err := agenttest.Case(t.Context(), &j, id); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := agenttest.Case(t.Context(), &j, name, agenttest.Package("a b")); err == nil {
			t.Errorf("%s: the package has an invalid name", name)
		}
	}
}

// TestCaseAgent checks the error for a run in which an agent carried out a call: the test would not have
// the agent.
func TestCaseAgent(t *testing.T) {
	finder, err := orchestrator.New(scripted.New(scripted.Text("found")), shop(t), orchestrator.Conversation{})
	if err != nil {
		t.Fatal(err)
	}
	research, err := orchestrator.AsTool(finder, tool.Definition{Name: "research", Description: "Finds things."})
	if err != nil {
		t.Fatal(err)
	}
	registry := tool.NewRegistry()
	if err := registry.Register(research); err != nil {
		t.Fatal(err)
	}
	var j journal.Map
	model := scripted.New(scripted.Call("research", `{"request":"Find it"}`), scripted.Text("found"))
	agent, err := orchestrator.New(model, registry, orchestrator.Conversation{}, orchestrator.Journal(&j))
	if err != nil {
		t.Fatal(err)
	}
	agenttest.Run(t, agent, orchestrator.Input{ID: "r", Request: "Find it"}).Waits(run.ForMessage)
	const want = `no test can be made from run "r": entry 4 begins an agent that carries out a call; make a test from a run of that agent`
	if _, err := agenttest.Case(t.Context(), &j, "r"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
