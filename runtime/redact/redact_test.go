package redact_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

const secret = "hunter2-7f"

// tools are those of the runs in the events.
var tools = []tool.Definition{
	{Name: "login", Description: "Logs in.", Output: json.RawMessage(`{"type":"object","properties":{"token":{"type":"string"}}}`), Input: json.RawMessage(`{"type":"object","properties":{
		"user":{"type":"string"},"password":{"type":"string"},"more":{"type":"object","properties":{"password":{"type":"string"}}},"पिन":{"type":"string"}},"required":["user"],"additionalProperties":false}`)},
	{Name: "greet", Input: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`)},
}

// passwords hides credentials and nothing else.
var passwords redact.Rule = func(name, pointer string, value json.RawMessage) json.RawMessage {
	if name == "login" && (strings.HasPrefix(pointer, "/arguments") && (strings.HasSuffix(pointer, "/password") || strings.HasSuffix(pointer, "/पिन")) || pointer == "/output/token") {
		return json.RawMessage(`"hidden"`)
	}
	return value
}

// redactedEvents returns the events that a redacted sink receives.
func redactedEvents(f redact.Rule, what any) any {
	var e run.Event
	redact.New(f).Events(func(_ context.Context, told run.Event) { e = told })(context.Background(), run.Event{Run: "r", Step: "1", Tools: tools, What: what})
	return e.What
}

// text returns everything readable in events.
func text(t *testing.T, what any) string {
	t.Helper()
	raw, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + fmt.Sprintf("%+v", what)
}

func noSecret(t *testing.T, what any) {
	t.Helper()
	if shown := text(t, what); strings.Contains(shown, secret) {
		t.Errorf("%T tells the secret: %s", what, shown)
	}
}

// redactedAnswer returns the redacted form of an answer.
func redactedAnswer(f redact.Rule, purpose, name, text string) string {
	return redactedEvents(f, run.ModelEnd{ModelStart: run.ModelStart{For: purpose, Tool: name}, Answer: run.Answer{Response: llm.Response{Text: text}}}).(run.ModelEnd).Answer.Response.Text
}

// TestRepaired checks that the answer to a repair is redacted as a call if the event reports it as a
// repair.
func TestRepaired(t *testing.T) {
	const call = `{"user":"ada","password":"` + secret + `"}`
	const want = `{"user":"ada","password":"hidden"}`
	if got := redactedAnswer(passwords, run.PurposeRepair, "login", call); got != want {
		t.Error(got)
	}
	r := redactedEvents(passwords, run.RepairAttempted{Kind: supervisor.ToolCall, Tool: "login", Error: &run.Error{Kind: "repair_failed", Text: "/password: found " + secret}, Actions: []supervisor.Action{
		{Kind: supervisor.ToolCall, Original: "{'User':'ada','Password':'" + secret, Repaired: json.RawMessage(call), Error: `found "` + secret[:6]},
	}}).(run.RepairAttempted)
	noSecret(t, r)
	if a := r.Actions[0]; a.Original != want || string(a.Repaired) != want || a.Error != "redacted" || r.Error.Kind != "repair_failed" {
		t.Errorf("%+v", r)
	}
}

// TestMisspelt checks calls of unknown tools, whose arguments have no known meaning.
func TestMisspelt(t *testing.T) {
	request := tool.Request{ID: "r/1/1", Name: "lgoin", Arguments: json.RawMessage(`{"password":"` + secret + `"}`)}
	call := &tool.Call{ID: "r/1/1", Request: request, Arguments: request.Arguments, Output: json.RawMessage(`"` + secret + `"`), Status: tool.StatusFailed, Err: &tool.UnknownToolError{Name: "lgoin"}}
	for _, what := range []any{
		run.CallStart{Request: request}, run.CallEnd{Call: call}, run.OutcomeDropped{Call: call},
		run.ModelEnd{ModelStart: run.ModelStart{For: run.PurposeTurn}, Answer: run.Answer{Response: llm.Response{Calls: []tool.Request{request}}, Read: request.Arguments}},
		run.StepStart{Step: plan.Step{Tool: "lgoin", Arguments: request.Arguments}},
		run.PlanMade{Plan: plan.Plan{Steps: []plan.Step{{Tool: "lgoin", Arguments: request.Arguments}}}},
		run.StepEnd{Step: plan.Step{ID: "1", Tool: "lgoin"}, Result: run.StepResult{Mode: run.ModeTool, Result: call.Output, Error: &run.Error{Kind: "x", Text: secret}}},
		run.RepairAttempted{Tool: "lgoin", Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: string(request.Arguments)}}},
		run.RunStopped{Result: &run.Result{Calls: []run.Wait{{Call: "r/1/1", Request: &request}}}},
	} {
		got := redactedEvents(passwords, what)
		noSecret(t, got)
		if !strings.Contains(text(t, got), "redacted") {
			t.Errorf("%T: nothing is withheld in %s", what, text(t, got))
		}
	}
}

// TestWritten checks the redaction of texts in which a model wrote a call or something similar.
func TestWritten(t *testing.T) {
	const hidden = `{"user":"ada","password":"hidden"}`
	for _, c := range []struct{ text, turn, arguments string }{
		{`{"user":"ada","password":"S"}`, hidden, hidden},
		{"Here:\n```json\n{\"user\":\"ada\",\"password\":\"S\"}\n```", hidden, hidden},
		{`{"user":"ada","password":"S`, hidden, hidden},
		{`{"User":"ada","PassWord":"S"}`, `{"User":"ada","PassWord":"hidden"}`, hidden},
		{`{"user":"ada","password":"S","pin":"S"}`, `{"user":"ada","password":"hidden","pin":"redacted"}`, hidden},
		{`{"password":"S","pin":"S","more":{"password":"S","pin":"S"}}`, "", `{"password":"hidden","pin":"redacted","more":"redacted"}`},
		{`{"user":["a","b"],"more":{"password":"S"}}`, "", `{"user":["a","b"],"more":{"password":"hidden"}}`},
		{`{"name":"login","arguments":{"user":"ada","password":"S"}}`, `[{"name":"login","arguments":` + hidden + `}]`, ""},
		{`<tool_call>{"name":"login","arguments":"{\"user\":\"ada\",\"password\":\"S\"}"}</tool_call>`, `[{"name":"login","arguments":` + hidden + `}]`, ""},
		{`login("ada", "S")`, `[{"name":"login","arguments":` + hidden + `}]`, ""},
		{`I called login(user="ada", password="S").`, "redacted", "redacted"},
		{`lgoin("ada", "S")`, "redacted", "redacted"},
		{"tool: login\nuser: ada\nS", "redacted", "redacted"},
		{"The **password**: S", "redacted", "redacted"},
		{"<password>S</password>", "redacted", "redacted"},
		{"The **पिन**: S", "redacted", "redacted"},
		{"The **पिन्\u200d**: 7, पान: 8", "The **पिन्\u200d**: 7, पान: 8", "redacted"},
		{"The **पि\u200dन**: S", "redacted", "redacted"},
		{`{"note":"login(user='ada', password='S')"}`, `{"note":"[{\"name\":\"login\",\"arguments\":{\"user\":\"ada\",\"password\":\"hidden\"}}]"}`, ""},
		{`{"login(user='ada', password='S')":1}`, `{"[{\"name\":\"login\",\"arguments\":{\"user\":\"ada\",\"password\":\"hidden\"}}]":1}`, `{"redacted":"redacted"}`},
		{`{"a":{"tool":"login","kwargs":{"user":"ada","password":"S"}}}`, `{"a":{"tool":"login","kwargs":` + hidden + `}}`, ""},
		{`{"a":{"action":"lgoin","params":{"secret":"S"}}}`, `{"a":{"action":"lgoin","params":"redacted"}}`, ""},
		{`{"token":"S","user":"ada"}`, `{"token":"hidden","user":"ada"}`, ""},
		{"Ada has [1] two (2) orders: 7 and 8. Please greet her.", "Ada has [1] two (2) orders: 7 and 8. Please greet her.", "redacted"},
		{`greet(name="Ada")`, `[{"name":"greet","arguments":{"name":"Ada"}}]`, "redacted"},
		{"", "", ""},
	} {
		said := strings.ReplaceAll(c.text, "S", secret)
		if got := redactedAnswer(passwords, run.PurposeTurn, "", said); got != strings.ReplaceAll(c.turn, `"S"`, `"`+secret+`"`) && c.turn != "" {
			t.Errorf("a turn, %s: %s, want %s", c.text, got, c.turn)
		}
		if got := redactedAnswer(passwords, run.PurposeArguments, "login", said); got != c.arguments && c.arguments != "" {
			t.Errorf("arguments, %s: %s, want %s", c.text, got, c.arguments)
		}
	}
}

// TestPlanned checks the redaction of plans, and of plans as models write them.
func TestPlanned(t *testing.T) {
	const hidden = `"arguments":{"user":"ada","password":"hidden"}`
	for text, want := range map[string]string{
		`{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"login","arguments":{"user":"ada","Password":"S"}}]}`: hidden,
		`[{"tool_name":"login","description":"d","args":{"user":"ada","password":"S"}}]`:                                    hidden,
		`{"plan":{"steps":[{"description":"d","action":"functions.login","parameters":{"user":"ada","password":"S"}}]}}`:    hidden,
		`{"goal":"g","steps":[{"description":"d","tool":"login","arguments":{"user":"<<step:0/a>>","pin":"S"}}]}`:           `"user":"<<step:0/a>>"`,
		`{"goal":"g","steps":[{"description":"d","tool":"lgoin","arguments":{"pin":"S"}}]}`:                                 `"arguments":"redacted"`,
		`no plan with S`: "redacted",
	} {
		got := redactedAnswer(passwords, run.PurposePlan, "", strings.ReplaceAll(text, "S", secret))
		if !strings.Contains(got, want) || strings.Contains(got, secret) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestErrors checks that quotes in all kinds of errors are hidden, and that other errors are shown.
func TestErrors(t *testing.T) {
	call := func(arguments string, err error) *tool.Call {
		r := tool.Request{Name: "login", Arguments: json.RawMessage(arguments)}
		c := redact.New(passwords).Call(t.Context(), &tool.Call{Request: r, Arguments: r.Arguments, Status: tool.StatusFailed, Err: err, Note: "cut"}, tools[0])
		noSecret(t, c)
		return c
	}
	const arguments = `{"user":"ada","password":"` + secret + `"}`
	bad := &tool.ArgumentError{Tool: "login", Count: 2, Repair: errors.New(secret), Faults: []tool.Fault{
		{Pointer: "/password", Expected: "a number", Found: `the string "hunt…"`}, {Pointer: "/user", Expected: "bob", Found: "ada"}, {Pointer: "/more", Expected: "a value", Found: "nothing"},
	}}
	got := call(arguments, bad).Err.(*tool.ArgumentError)
	if got.Faults[0].Found != "redacted" || got.Faults[1].Found != "ada" || got.Faults[2].Found != "nothing" {
		t.Errorf("%+v", got)
	}
	nested := &tool.ArgumentError{Tool: "login", Count: 1, Faults: []tool.Fault{{Pointer: "/more/Pass", Expected: "a number", Found: secret}}}
	if got := call(`{"more":{"Pass":"`+secret+`"}}`, nested).Err.(*tool.ArgumentError); got.Faults[0].Found != "redacted" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		arguments string
		err       error
		want      string
	}{
		{arguments, &tool.ToolError{Tool: "login", Err: errors.New("it is closed")}, "login: it is closed"},
		{arguments, &tool.ToolError{Tool: "login", Err: fmt.Errorf("%q is wrong", secret)}, "redacted"},
		{arguments, &tool.ToolError{Tool: "login", Err: toldError{}}, "login: it is closed"},
		{arguments, &tool.PanicError{Value: secret, Stack: []byte(secret)}, "redacted"},
		{`{"secret":"` + secret + `"}`, &run.Error{Kind: "x", Text: "who knows"}, "redacted"},
		{`{"user":"ada","pin":"` + secret + `"}`, &run.Error{Kind: "x", Text: secret}, "redacted"}, // repairing drops this
		{`{"user":"ada"}`, &run.Error{Kind: "x", Text: "password: x"}, "redacted"},
		{`{"user":"ada"}`, &run.Error{Kind: "x", Text: "away", Retry: true}, "away"},
		{`{"user":"ada"}`, &run.Error{Kind: "cannot", Text: `the model does not know more: try login("ada", "` + secret + `")`}, "redacted"},
		{arguments, &run.Error{Kind: "denied", Text: "a person refused login: not today"}, "a person refused login: not today"},
		{arguments, &run.Error{Kind: "denied", Text: "a person refused login: not with " + secret}, "redacted"},
	} {
		got := call(c.arguments, c.err)
		if got.Err.Error() != c.want || tool.Code(got.Err) != tool.Code(c.err) || tool.Retryable(got.Err) != tool.Retryable(c.err) || strings.Contains(tool.ModelText(got.Err), secret) {
			t.Errorf("%v is told as %v", c.err, got.Err)
		}
	}
	odd := &tool.Call{Request: tool.Request{Name: `login("ada", "` + secret + `")`}, Err: &tool.UnknownToolError{Name: `login("ada", "` + secret + `")`}}
	noSecret(t, redact.New(passwords).Call(t.Context(), odd, tool.Definition{}))
	if got := redact.New(passwords).Call(t.Context(), &tool.Call{Request: tool.Request{Name: "lgoin", Arguments: json.RawMessage("{}")}, Err: &tool.UnknownToolError{Name: "lgoin", Nearest: []string{"login"}}}, tool.Definition{}); !strings.Contains(got.Err.Error(), "login") {
		t.Errorf("%+v", got)
	}
	for kind, want := range map[string]string{"unknown_tool": "redacted", "tool_failed": "redacted", llm.Unreachable: "no network", llm.BadRequest: "redacted", "another": "redacted"} {
		e := &run.Error{Kind: kind, Text: "no network"}
		got := redactedEvents(passwords, run.RunStopped{Result: &run.Result{Error: e}}).(run.RunStopped).Result.Error
		step := redactedEvents(passwords, run.StepEnd{Result: run.StepResult{Mode: run.ModeTool, Error: e}}).(run.StepEnd).Result.Error // the event does not name the step
		if got.Text != want || got.Kind != kind || step.Text != want {
			t.Errorf("a run's error of the kind %s is told as %+v, of a step as %+v", kind, got, step)
		}
	}
}

// toldError shows the secret only to models.
type toldError struct{}

func (toldError) Error() string     { return "it is closed" }
func (toldError) ModelText() string { return secret }

// TestCall checks that a call is redacted completely, and that the call itself is not changed.
func TestCall(t *testing.T) {
	c := &tool.Call{
		ID:        "r/1/1",
		Request:   tool.Request{ID: "r/1/1", Name: "login", Arguments: json.RawMessage(`{"user":"ada","Password":"` + secret + `"}`), Meta: map[string]string{"user": "u"}, Approval: "bob"},
		Arguments: json.RawMessage(`{"user":"ada","password":"` + secret + `"}`), Status: tool.StatusCompleted, Started: time.Unix(1, 0), Duration: 7,
		Output: json.RawMessage(`{"token":"` + secret + `","a":1,"a":2}`), Note: "cut", Repairs: []tool.Edit{{Kind: "name", Pointer: "/password", Before: "Password", After: "password"}},
	}
	before := text(t, c)
	got := redact.New(passwords).Call(t.Context(), c, tools[0])
	want := &tool.Call{
		ID:        "r/1/1",
		Request:   tool.Request{ID: "r/1/1", Name: "login", Arguments: json.RawMessage(`{"user":"ada","password":"hidden"}`), Meta: map[string]string{"user": "u"}, Approval: "bob"},
		Arguments: json.RawMessage(`{"user":"ada","password":"hidden"}`), Status: tool.StatusCompleted, Started: time.Unix(1, 0), Duration: 7,
		Output: json.RawMessage(`{"token":"hidden","a":1,"a":2}`), Note: "cut", Repairs: []tool.Edit{{Kind: "name", Pointer: "/password"}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(tool.Call{})); diff != "" {
		t.Error(diff)
	}
	if after := text(t, c); after != before {
		t.Errorf("the call became %s", after)
	}
	if r := redact.New(passwords).Request(t.Context(), c.Request, tools[0]); !cmp.Equal(r, want.Request) {
		t.Errorf("%+v", r)
	}
	if r := redact.New(passwords).Request(t.Context(), c.Request, tool.Definition{}); string(r.Arguments) != `"redacted"` {
		t.Errorf("%+v", r)
	}
	none := redact.New(nil)
	if none.Call(t.Context(), c, tool.Definition{}) != c || !cmp.Equal(none.Request(t.Context(), c.Request, tool.Definition{}), c.Request) || none.Events(nil) != nil || redact.New(passwords).Events(nil) != nil {
		t.Error("no rule hides something")
	}
}

// TestTravels follows a hidden result to the places to which it spreads during the run: arguments that
// refer to it, other results, errors and a model's words. Other runs are not affected.
func TestTravels(t *testing.T) {
	var last any
	sink := redact.New(passwords).Events(func(_ context.Context, e run.Event) { last = e.What })
	tell := func(runID string, what any) any {
		sink(t.Context(), run.Event{Run: runID, Tools: tools, What: what})
		return last
	}
	login := func(token string) run.CallEnd {
		return run.CallEnd{Call: &tool.Call{Request: tool.Request{Name: "login", Arguments: json.RawMessage(`{"user":"ada"}`)}, Output: json.RawMessage(`{"token":` + token + `}`)}}
	}
	greet := func(name string) tool.Request {
		return tool.Request{Name: "greet", Arguments: json.RawMessage(`{"name":` + name + `}`)}
	}
	after := []any{
		run.CallStart{Request: greet(`"Ada ` + secret + `"`)}, run.StepStart{Step: plan.Step{Tool: "greet", Arguments: greet(`"` + secret + `"`).Arguments, Description: "with " + secret}},
		run.CallEnd{Call: &tool.Call{Request: greet(`"x"`), Output: json.RawMessage(`["a","` + secret + `"]`), Note: secret, Err: errors.New("no " + secret)}},
		run.CallEnd{Call: &tool.Call{Request: greet(`"x"`), Err: &tool.ArgumentError{Faults: []tool.Fault{{Pointer: "/name", Expected: "a name", Found: "the string " + secret}}}}},
		run.ModelEnd{Answer: run.Answer{Response: llm.Response{Text: "It is " + secret + ".", Reasoning: secret, Calls: []tool.Request{greet(`"` + secret + `"`)}}}},
		run.PlanMade{Plan: plan.Plan{Goal: secret}}, run.MessageRead{Message: llm.Message{Text: secret}},
		run.RunStopped{Result: &run.Result{Status: run.Waiting, Answer: json.RawMessage(`{"a":"it is ` + secret + `"}`), Error: &run.Error{Kind: "denied", Text: secret}}},
	}
	told := func(what any) bool { return strings.Contains(text(t, what), secret) }
	tell("r", login(`"`+secret+`"`))
	for _, what := range after {
		noSecret(t, tell("r", what))
		if another := tell("s", what); !told(another) {
			t.Errorf("another run does not tell %s", text(t, another))
		}
	}
	for _, c := range []struct{ token, name, want string }{
		{`1234567`, `"x"`, `"x"`}, {`1234567`, `1234567`, `"redacted"`}, {`"swordfish"`, `"swordfish"`, `"redacted"`}, {`"swordfish"`, `"a swordfish"`, `"redacted"`}, {`"a 7"`, `"a 7"`, `"a 7"`},
	} {
		tell("t", login(c.token))
		if r := tell("t", run.CallEnd{Call: &tool.Call{Request: greet(`"x"`), Output: json.RawMessage(c.name)}}).(run.CallEnd); string(r.Call.Output) != c.want {
			t.Errorf("%s is told as %s after %s", c.name, r.Call.Output, c.token)
		}
	}
}

// TestMemory checks that the remembered values are limited, and shared by concurrent runs.
func TestMemory(t *testing.T) {
	sink := redact.New(passwords).Events(func(context.Context, run.Event) {})
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 200 {
				sink(t.Context(), run.Event{Run: fmt.Sprint(worker%2, i), Tools: tools, What: run.CallStart{Request: tool.Request{Name: "login", Arguments: json.RawMessage(`{"user":"a","password":"` + fmt.Sprint("secret", i) + `"}`)}}})
			}
		})
	}
	wg.Wait()
	var last any
	sink = redact.New(passwords).Events(func(_ context.Context, e run.Event) { last = e.What })
	call := func(runID, argument string) {
		r := tool.Request{Name: "login", Arguments: json.RawMessage(`{` + argument + `:"` + secret + `"}`)}
		sink(t.Context(), run.Event{Run: runID, Tools: tools, What: run.CallStart{Request: r}})
	}
	call("old", `"user":"a","password"`)
	for i := range 4095 {
		call(fmt.Sprint(i), `"user"`)
	}
	call("old", `"user"`)
	noSecret(t, last)
	for i := range 4700 {
		call(fmt.Sprint("new", i), `"user"`)
	}
	if call("old", `"user"`); !strings.Contains(text(t, last), secret) {
		t.Error("too many runs are remembered")
	}
}

// TestAnswer checks that calls, arguments and parts of results are found in the answer of a run, and
// in the result of a step without a tool.
func TestAnswer(t *testing.T) {
	for answer, want := range map[string]string{
		`"All is well."`: `"All is well."`,
		`"login(user='ada', password='` + secret + `')"`: `"[{\"name\":\"login\",\"arguments\":{\"user\":\"ada\",\"password\":\"hidden\"}}]"`,
		`{"orders":[1,2],"token":"` + secret + `"}`:      `{"orders":[1,2],"token":"hidden"}`,
		`no JSON ` + secret:                              `"redacted"`,
	} {
		for _, what := range []any{
			run.RunStopped{Result: &run.Result{Answer: json.RawMessage(answer)}},
			run.StepEnd{Result: run.StepResult{Mode: run.ModeLLM, Result: json.RawMessage(answer)}},
		} {
			var got json.RawMessage
			switch x := redactedEvents(passwords, what).(type) {
			case run.RunStopped:
				got = x.Result.Answer
			case run.StepEnd:
				got = x.Result.Result
			}
			if string(got) != want {
				t.Errorf("%s is told as %s, want %s", answer, got, want)
			}
		}
	}
}

func Example() {
	rule := func(tool, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/arguments/password" {
			return json.RawMessage(`"…"`)
		}
		return value
	}
	sink := redact.New(rule).Events(func(_ context.Context, e run.Event) {
		fmt.Println(string(e.What.(run.CallStart).Request.Arguments))
	})
	sink(context.Background(), run.Event{Tools: tools, What: run.CallStart{
		Request: tool.Request{Name: "login", Arguments: json.RawMessage(`{"user":"ada","Password":"abc"}`)},
	}})
	// Output: {"user":"ada","password":"…"}
}
