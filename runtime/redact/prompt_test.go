package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestPrompt redacts texts as programs compose them, in a run in which a call has hidden a value before.
func TestPrompt(t *testing.T) {
	const pin = "417" // too short to be recognized in other places
	for name, c := range map[string]struct{ text, want string }{
		"nothing":         {"Do it.\nRequest: \"Log in as Ada.\" ", "Do it.\nRequest: \"Log in as Ada.\" "},
		"line":            {"Do it.\nThe code is " + secret + ".\nThen stop.", "Do it.\nredacted\nThen stop."},
		"escaped":         {"Do it.\nRequest, as JSON: \"use hunter2\\u002d7f\"\nThen stop.", "Do it.\nRequest, as JSON: \"redacted\"\nThen stop."},
		"encoded":         {"Do it.\n" + base64.StdEncoding.EncodeToString([]byte("xx"+secret)), "Do it.\nredacted"},
		"over two lines":  {"Do it.\nhunter2-\n7f", "redacted"},
		"call":            {`- step "1": "Log in", a call: "login" {"user":"ada","password":"417"}; its result: {"name":"Ada"}`, `- step "1": "Log in", a call: "login" {"user":"ada","password":"hidden"}; its result: {"name":"Ada"}`},
		"wrong call":      {`a call: "login" ["ada","417"]; it failed: "a list"`, `a call: "login" "redacted"; it failed: "redacted"`},
		"text as a call":  {`a call: "login" "417"; it failed: "417 is wrong"` + "\nError: \"none\"", `a call: "login" "redacted"; it failed: "redacted"` + "\nError: \"none\""},
		"error":           {`a call: "login" {"user":"ada","password":"417"}; it failed: "found 417"`, `a call: "login" {"user":"ada","password":"hidden"}; it failed: "redacted"`},
		"result":          {`- step "1", a call: "login" {"user":"ada"}; its result: {"token":417,"name":"Ada"}`, `- step "1", a call: "login" {"user":"ada"}; its result: {"token":"hidden","name":"Ada"}`},
		"arguments":       {`What is known of the arguments: {"user":"ada","password":"417"}`, `What is known of the arguments: {"user":"ada","password":"hidden"}`},
		"indented":        {"Known:\n{\n  \"user\": \"ada\",\n  \"password\": \"417\"\n}\nGo on.", "Known:\n{\"user\":\"ada\",\"password\":\"hidden\"}\nGo on."},
		"member in prose": {"Known:\nThe \"password\": 417.\nGo on.", "Known:\nredacted\nGo on."},
		"call in prose":   {"Known:\nI call login(\"ada\", \"417\").\nGo on.", "Known:\nredacted\nGo on."},
		"beginning":       {`Result: "the password is hunte…" (cut here, it has 90 bytes)`, `Result: "redacted" (cut here, it has 90 bytes)`},
		"broken":          {"Do it.\n{\"user\":\"ada\",\"password\":\"417\nThen stop.", "Do it.\nredacted\nThen stop."},
		"all broken":      {strings.Repeat("{ ", 1000), "redacted"},
		"name of a tool":  {`Its tool: "login"` + "\nGo on.", `Its tool: "login"` + "\nGo on."},
	} {
		r := redact.New(passwords)
		r.Learn(run.Event{Run: "r", Tools: tools, What: run.CallStart{Request: tool.Request{Name: "login", Arguments: json.RawMessage(`{"user":"ada","password":"` + secret + `"}`)}}})
		request := llm.Request{System: c.text, Prompt: c.text}
		got := r.Prompt("r", tools, request)
		if name == "broken" {
			if strings.Contains(got.Prompt, pin) || !strings.HasPrefix(got.Prompt, "Do it.") {
				t.Errorf("%s: %s", name, got.Prompt)
			}
			continue
		}
		if got.System != c.want || got.Prompt != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got.Prompt, c.want)
		}
		if again := r.Prompt("r", tools, request); again.Prompt != got.Prompt {
			t.Errorf("%s, again:\n%s\nwant\n%s", name, again.Prompt, got.Prompt)
		}
	}
}

// TestDescribedTool withholds the line that describes a tool with a hidden argument, but does not take the types of its
// arguments for values.
func TestDescribedTool(t *testing.T) {
	r := redact.New(passwords)
	got := r.Prompt("r", tools, llm.Request{System: "Tools:\nlogin(user: string, password: string)\ngreet(name: string)", Messages: []llm.Message{{Text: "The string is long."}}})
	if got.System != "Tools:\nredacted\ngreet(name: string)" || got.Messages[0].Text != "The string is long." {
		t.Errorf("got %+v", got)
	}
}

// TestMaskedPrompt lets the rule mask a part of a text, which leaves the rest.
func TestMaskedPrompt(t *testing.T) {
	r := redact.New(func(_, _ string, value json.RawMessage) json.RawMessage {
		return json.RawMessage(strings.ReplaceAll(string(value), secret, "***"))
	})
	got := r.Prompt("r", tools, llm.Request{Prompt: "Use " + secret + ", then stop.", Messages: []llm.Message{{Role: llm.RoleUser, Text: "It is " + secret + "."}}})
	if got.Prompt != "Use ***, then stop." || got.Messages[0].Text != "It is ***." {
		t.Errorf("got %+v", got)
	}
}

// TestManyHidden withholds the errors of calls if a prompt has more hidden values than are searched for.
func TestManyHidden(t *testing.T) {
	var b strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&b, "a call: \"login\" {\"user\":\"ada\",\"password\":\"%d\"}; it failed: \"%d is wrong\"\n", 3000+i, 3000+i)
	}
	got := redact.New(passwords).Prompt("r", tools, llm.Request{Prompt: b.String()}).Prompt
	if want := strings.Repeat(`a call: "login" {"user":"ada","password":"hidden"}; it failed: "redacted"`+"\n", 1100); got != want {
		t.Errorf("%d bytes, which end with %s", len(got), got[max(0, len(got)-200):])
	}
}

// TestBrokenString redacts a string with a fault after many escaped quotes, none of which may begin another search for
// the end: then the test would take many minutes.
func TestBrokenString(t *testing.T) {
	text := `"` + strings.Repeat(`\"`, 1<<18) + `\x`
	if got := redact.New(passwords).Prompt("r", tools, llm.Request{Prompt: text}); got.Prompt != text {
		t.Errorf("%d bytes of %d, which begin with %.40s", len(got.Prompt), len(text), got.Prompt)
	}
}

// TestEveryPromptMember sets all members of a request, also those that are added later, to a hidden value.
func TestEveryPromptMember(t *testing.T) {
	v := reflect.New(reflect.TypeFor[llm.Request]()).Elem()
	fill(v, "")
	for _, instead := range []json.RawMessage{json.RawMessage(`"hidden"`), json.RawMessage("no JSON"), nil} {
		r := redact.New(func(string, string, json.RawMessage) json.RawMessage { return instead })
		r.Learn(run.Event{Run: "r", Tools: tools, What: run.CallEnd{Call: &tool.Call{Request: tool.Request{Name: "login"}, Output: json.RawMessage(jsontext.Quote(secret))}}})
		noSecret(t, r.Prompt("r", tools, v.Interface().(llm.Request)))
	}
	if got := (*redact.Redactor)(nil).Prompt("r", nil, llm.Request{Prompt: "a"}); got.Prompt != "a" {
		t.Errorf("without a redactor: %+v", got)
	}
}

// promptsOf returns requests that contain a text with a call.
func promptsOf(text string) []llm.Request {
	composed := fmt.Sprintf("Go on.\n- step \"1\": %s\nText: %s\nThen stop.", jsontext.Quote(text), text)
	return []llm.Request{{System: text}, {Prompt: composed}, {Messages: []llm.Message{{Role: llm.RoleUser, Text: text}, {Role: llm.RoleAssistant, Text: text}}}}
}
