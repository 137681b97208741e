package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/orchestrator/internal/redact"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

const arguments = `{"user":"ada","password":"secret","more":{"password":["secret"]}}`

// event has a secret wherever an event can have one.
func event() *record.Event {
	p := func() *plan.Plan {
		return &plan.Plan{Goal: "secret", Steps: []plan.Step{{ID: "1", Description: "secret", Status: plan.Failed, Tool: "login", Arguments: json.RawMessage(arguments), Errors: []string{"secret"}}}}
	}
	refused := func() error {
		return &tool.ArgumentError{Tool: "login", Count: 1, Faults: []tool.Fault{{Pointer: "/password", Expected: "a string", Found: "secret"}}}
	}
	call := func(err error) *tool.Call {
		return &tool.Call{
			ID: "r/1/1", Request: tool.Request{Name: "login", Arguments: json.RawMessage(arguments), Meta: map[string]string{"token": "secret"}, Approval: "secret"},
			Arguments: json.RawMessage(arguments), Status: tool.StatusFailed, Output: json.RawMessage(`{"password":"secret"}`), Err: err,
			Repairs: []tool.Edit{{Pointer: "/password", Before: "secret", After: `"secret"`}},
		}
	}
	broken := &tool.Call{Request: tool.Request{Name: "login", Arguments: json.RawMessage(`{"password":"secret`)}}
	output := record.ModelOutput{StepID: "1", Purpose: record.ForArguments, Text: arguments, Error: record.NewError("1", fmt.Errorf("secret"))}
	action := record.SupervisorAction{StepID: "1", Action: supervisor.Action{Kind: supervisor.ToolCall, Original: arguments, Repaired: json.RawMessage(arguments), Error: "secret"}}
	return &record.Event{
		Kind: record.StepEnd, Step: "1", Plan: p(), Model: &output, Request: &tool.Request{Name: "login", Arguments: json.RawMessage(arguments)}, Call: call(refused()),
		Actions: []record.SupervisorAction{action}, Result: &record.StepResult{StepID: "1", Result: json.RawMessage(`{"password":"secret"}`), Error: record.NewError("1", refused())},
		Error: record.NewError("", fmt.Errorf("secret")),
		Cycle: &record.Cycle{
			Plan: p(), Outputs: []record.ModelOutput{{StepID: "1", Purpose: record.ForReasoning, Text: "the secret"}}, Repairs: []record.SupervisorAction{action},
			Calls: []record.ToolRecord{{StepID: "1", Call: call(fmt.Errorf("secret"))}, {StepID: "1", Call: broken}}, Errors: []*record.Error{record.NewError("1", refused())},
		},
	}
}

func toJSON(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAll hides everything, and finds nothing.
func TestAll(t *testing.T) {
	for name, hidden := range map[string]json.RawMessage{"a text": json.RawMessage(`"hidden"`), "an object": json.RawMessage(`{"hidden":1}`), "no JSON": json.RawMessage("hidden"), "nothing": nil} {
		t.Run(name, func(t *testing.T) {
			e := event()
			redact.Event(e, e.Plan, nil, func(string, string, json.RawMessage) json.RawMessage { return hidden })
			if text := toJSON(t, e); strings.Contains(text, "secret") {
				t.Error(text)
			}
		})
	}
}

// TestNothing changes nothing, but that what is no JSON is told as it is read.
func TestNothing(t *testing.T) {
	e := event()
	redact.Event(e, e.Plan, nil, func(_, _ string, value json.RawMessage) json.RawMessage { return value })
	want := event()
	want.Cycle.Calls[1].Call.Request.Arguments = json.RawMessage(`{"password":"secret"}`)
	if diff := cmp.Diff(toJSON(t, want), toJSON(t, e)); diff != "" {
		t.Error(diff)
	}
}

// TestMember hides a member of arguments by its pointer, wherever arguments are
// shown: also in what a model wrote, in repairs and in faults.
func TestMember(t *testing.T) {
	e := event()
	var asked []string
	redact.Event(e, e.Plan, nil, func(name, pointer string, value json.RawMessage) json.RawMessage {
		asked = append(asked, name+" "+pointer)
		if name == "login" && strings.HasPrefix(pointer, "/arguments") && strings.HasSuffix(pointer, "/password") {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})
	const want = `{"user":"ada","password":"hidden","more":{"password":"hidden"}}`
	for place, got := range map[string]string{
		"plan":    string(e.Plan.Steps[0].Arguments),
		"model":   e.Model.Text,
		"request": string(e.Request.Arguments),
		"call":    string(e.Call.Arguments),
		"came":    string(e.Call.Request.Arguments),
		"action":  e.Actions[0].Original,
		"mended":  string(e.Actions[0].Repaired),
		"cycle":   string(e.Cycle.Calls[0].Call.Arguments),
	} {
		if got != want {
			t.Errorf("%s: %s", place, got)
		}
	}
	for place, got := range map[string]string{
		"call":   e.Call.Err.Error(),
		"result": e.Result.Error.Text + toJSON(t, e.Result.Error.Faults),
		"cycle":  e.Cycle.Errors[0].Text + toJSON(t, e.Cycle.Errors[0].Faults),
		"edit":   e.Call.Repairs[0].Before + e.Call.Repairs[0].After,
	} {
		if strings.Contains(got, "secret") || !strings.Contains(got, "hidden") {
			t.Errorf("%s: %s", place, got)
		}
	}
	if string(e.Result.Result) != `{"password":"secret"}` || e.Plan.Goal != "secret" {
		t.Error("more was hidden than that")
	}
	for _, pointer := range []string{"login /arguments/more/password", "login /output/password", "login /error", "login /meta/token", "login /approval", "login /text", "login /description", " /goal"} {
		if !strings.Contains(strings.Join(asked, "\n")+"\n", pointer+"\n") {
			t.Errorf("%s was not asked about", pointer)
		}
	}
}

// A toldError says the secret to models alone.
type toldError struct{}

func (toldError) Error() string     { return "it is closed" }
func (toldError) ModelText() string { return "the secret" }

// TestTold hides what an error tells a model.
func TestTold(t *testing.T) {
	e := event()
	e.Call.Err = &tool.ToolError{Tool: "login", Err: toldError{}}
	redact.Event(e, e.Plan, nil, func(name, pointer string, value json.RawMessage) json.RawMessage {
		return json.RawMessage(strings.ReplaceAll(string(value), "secret", "hidden"))
	})
	if text := tool.ModelText(e.Call.Err) + toJSON(t, e.Call); strings.Contains(text, "secret") || !strings.Contains(text, "it is closed") {
		t.Error(text)
	}
}

// TestWritten hides a member of arguments that a model wrote in another way than as
// plain JSON with the names of the schema.
func TestWritten(t *testing.T) {
	tools := []tool.Definition{{Name: "login", Input: json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}},"required":["user"],"additionalProperties":false}`)}}
	p := &plan.Plan{Steps: []plan.Step{{ID: "1", Tool: "login"}}}
	const hidden = `{"user":"ada","password":"hidden"}`
	for name, test := range map[string]struct{ text, arguments, written, prose string }{
		"plain":        {`{"user":"ada","password":"secret"}`, hidden, hidden, hidden},
		"a fence":      {"Here:\n```json\n{\"user\":\"ada\",\"password\":\"secret\"}\n```", hidden, hidden, hidden},
		"a comma":      {`{"user":"ada","password":"secret",}`, hidden, hidden, hidden},
		"cut":          {`{"user":"ada","password":"secr`, hidden, hidden, hidden},
		"another name": {`{"user":"ada","Password":"secret"}`, hidden, `{"user":"ada","Password":"secret"}`, `{"user":"ada","Password":"secret"}`},
		"wrapped":      {`{"arguments":{"user":"ada","password":"secret"}}`, hidden, `{"arguments":` + hidden + `}`, `{"arguments":` + hidden + `}`},
		"one too many": {`{"user":"ada","password":"secret","pin":"secret"}`, hidden, `{"user":"ada","password":"hidden","pin":"secret"}`, `{"user":"ada","password":"hidden","pin":"secret"}`},
		"too little": {`{"Password":"secret","password":"secret","more":{"password":"secret"}}`, `{"Password":"redacted","password":"hidden","more":"redacted"}`,
			`{"Password":"secret","password":"hidden","more":{"password":"hidden"}}`, `{"Password":"secret","password":"hidden","more":{"password":"hidden"}}`},
		"a text": {`"{\"Password\":\"secret\"}"`, `"redacted"`, `"{\"Password\":\"secret\"}"`, `"{\"Password\":\"secret\"}"`},
		"a plan": {`{"steps":[{"tool":"login","arguments":{"user":"ada","Password":"secret"}},{"tool":7,"arguments":{"a":1}}]}`, `{"steps":"redacted"}`,
			`{"steps":[{"tool":"login","arguments":` + hidden + `},{"tool":7,"arguments":{"a":1}}]}`, `{"steps":[{"tool":"login","arguments":` + hidden + `},{"tool":7,"arguments":{"a":1}}]}`},
		"one missing":   {`{"password":"secret"}`, `{"password":"hidden"}`, `{"password":"hidden"}`, `{"password":"hidden"}`},
		"prose":         {"The user is Ada.", `"redacted"`, "redacted", "The user is Ada."},
		"prose and [1]": {"The user [1] is Ada.", `"redacted"`, "redacted", "The user [1] is Ada."},
		"nothing":       {"", "", "", ""},
	} {
		e := record.Event{
			Step: "1", Model: &record.ModelOutput{StepID: "1", Purpose: record.ForArguments, Text: test.text},
			Actions: []record.SupervisorAction{
				{StepID: "1", Action: supervisor.Action{Kind: supervisor.ToolCall, Original: test.text}},
				{StepID: "1", Action: supervisor.Action{Kind: supervisor.Step, Original: test.text}},
			},
			Request: &tool.Request{Name: "login", Arguments: json.RawMessage(test.text)},
			Cycle:   &record.Cycle{Outputs: []record.ModelOutput{{StepID: "1", Purpose: record.ForRepair, Text: test.text}, {StepID: "1", Purpose: record.ForReasoning, Text: test.text}}},
		}
		redact.Event(&e, p, tools, func(name, pointer string, value json.RawMessage) json.RawMessage {
			if name == "login" && strings.HasSuffix(pointer, "/password") {
				return json.RawMessage(`"hidden"`)
			}
			return value
		})
		toJSON(t, e) // it can still be written
		for place, pair := range map[string][2]string{
			"model": {e.Model.Text, test.arguments}, "call repair": {e.Actions[0].Original, test.arguments}, "request": {string(e.Request.Arguments), test.arguments},
			"step repair": {e.Actions[1].Original, test.written}, "repair": {e.Cycle.Outputs[0].Text, test.written}, "reasoning": {e.Cycle.Outputs[1].Text, test.prose},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s, %s: %s, want %s", name, place, pair[0], pair[1])
			}
		}
	}
}

// TestTwice has a key twice, the secret first.
func TestTwice(t *testing.T) {
	e := record.Event{Request: &tool.Request{Arguments: json.RawMessage(`[ {"a":"secret", "a":1} ]`)}}
	redact.Event(&e, nil, nil, func(_, pointer string, value json.RawMessage) json.RawMessage {
		if string(value) == `"secret"` {
			return json.RawMessage("null")
		}
		return value
	})
	if got := string(e.Request.Arguments); got != `[{"a":null,"a":1}]` {
		t.Error(got)
	}
}

func Example() {
	e := record.Event{Kind: record.ToolStart, Request: &tool.Request{Name: "login", Arguments: json.RawMessage(`{"user":"ada","password":"abc"}`)}}
	redact.Event(&e, nil, nil, func(tool, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/arguments/password" {
			return json.RawMessage(`"…"`)
		}
		return value
	})
	fmt.Println(string(e.Request.Arguments))
	// Output: {"user":"ada","password":"…"}
}
