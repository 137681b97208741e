package redact_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// events are one event of each type.
var events = []any{
	run.RunClaimed{}, run.ModelStart{}, run.ModelEnd{}, run.Chunk{}, run.StreamRestarted{}, run.CallStart{}, run.Progress{}, run.CallLogged{}, run.CallEnd{}, run.OutcomeDropped{}, run.RunStopped{}, run.RunDetached{},
	run.PlanMade{}, run.StepStart{}, run.StepEnd{}, run.RepairAttempted{}, run.StoreFailed{}, run.MessageRead{}, run.MessagesCompacted{},
}

// TestEveryEvent reads the types of events from the source of package run. If it fails, add the new
// type to the list above, which the other tests use, and to [pass.redactEvent].
func TestEveryEvent(t *testing.T) {
	others := []string{"run.Event", "run.StepResult"} // these types are parts of events
	var found, known []string
	for _, pattern := range []string{"../run/event.go", "../run/planevent.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("there is no %s: %v", pattern, err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				full := "run." + spec.Name.Name
				if _, is := spec.Type.(*ast.StructType); is && spec.Name.IsExported() && !slices.Contains(others, full) {
					found = append(found, full)
				}
				return true
			})
		}
	}
	for _, e := range events {
		known = append(known, fmt.Sprintf("%T", e))
		if got := redactedEvents(passwords, e); fmt.Sprintf("%T", got) != fmt.Sprintf("%T", e) {
			t.Errorf("%T is told as %+v", e, got)
		}
	}
	slices.Sort(found)
	slices.Sort(known)
	if diff := cmp.Diff(found, known); diff != "" {
		t.Errorf("events in the source, and those known here: %s", diff)
	}
}

// shown are members that are not redacted, because they contain names or texts of the program itself.
// For all others, the rule is asked, or the value is withheld.
var shown = []string{"ID", "Name", "StepID", "Tool", "Kind", "Status", "Mode", "For", "WaitsFor", "Model", "Finish", "Agent", "Call", "Pointer", "Expected", "Role", "Media", "Action"}

// fill sets all members of a value, except names, to the secret.
func fill(v reflect.Value, member string) {
	switch {
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"user":"` + secret + `"}`))
		return
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes([]byte(secret))
		return
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
		return
	case v.Type() == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New(secret)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.SetString(secret); slices.Contains(shown, member) {
			v.SetString("login")
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), member)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), "")
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value, "")
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), v.Type().Field(i).Name)
			}
		}
	}
}

// full returns events of each type with the secret wherever possible, in several variants, because
// kinds, modes and purposes determine how an event is redacted.
func full() (all []any) {
	for _, e := range events {
		for _, kind := range []string{"login", string(run.ModeTool), string(supervisor.ToolCall), string(supervisor.Plan), run.PurposePlan, run.PurposeArguments, run.PurposeTurn, run.PurposeQuestion, "invalid_arguments", "unreachable"} {
			v := reflect.New(reflect.TypeOf(e)).Elem()
			fill(v, "")
			replace(v, kind)
			all = append(all, v.Interface())
		}
	}
	return all
}

// replace sets members that determine how something is redacted.
func replace(v reflect.Value, kind string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Kind() == reflect.Pointer {
			replace(v.Elem(), kind)
		}
	case reflect.Slice:
		for i := range v.Len() {
			replace(v.Index(i), kind)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Field(i); v.Type().Field(i).Name {
			case "Kind", "Mode", "For":
				f.SetString(kind)
			default:
				replace(f, kind)
			}
		}
	}
}

// TestEverything hides everything, whatever the rule returns instead, and checks that no secret is
// left. It also covers members that are added to events later.
func TestEverything(t *testing.T) {
	for name, instead := range map[string]json.RawMessage{"a text": json.RawMessage(`"hidden"`), "an object": json.RawMessage(`{"hidden":1}`), "no JSON": json.RawMessage("hidden"), "nothing": nil} {
		t.Run(name, func(t *testing.T) {
			for _, e := range full() {
				if !strings.Contains(text(t, e), secret) && strings.Contains(fmt.Sprintf("%T", e), "ModelEnd") {
					t.Fatalf("there is no secret in %+v", e)
				}
				noSecret(t, redactedEvents(func(string, string, json.RawMessage) json.RawMessage { return instead }, e))
			}
		})
	}
}

// TestUnknown checks that an event of an unknown type is withheld even if the rule hides nothing, and
// stays withheld.
func TestUnknown(t *testing.T) {
	for _, what := range []any{secret, json.RawMessage(secret), struct{ A string }{secret}, &run.CallEnd{}, nil, []string{secret}} {
		got := redactedEvents(func(_, _ string, value json.RawMessage) json.RawMessage { return value }, what)
		if _, ok := got.(redact.Withheld); !ok || strings.Contains(fmt.Sprintf("%+v", got), secret) || redactedEvents(passwords, got) != got {
			t.Errorf("%T is told as %+v", what, got)
		}
	}
}

// TestNothing checks that an event without hidden values is reported completely, except for parts
// about which no rule can be asked.
func TestNothing(t *testing.T) {
	nothing := redact.Rule(func(_, _ string, value json.RawMessage) json.RawMessage { return value })
	arguments := json.RawMessage(`{"user": "ada", "password": "x"}`)
	number := tool.AskPerson("Which number?", json.RawMessage(`{"type": "object"}`))
	request := tool.Request{ID: "r/1/1", Name: "login", Arguments: arguments, Meta: map[string]string{"a": "b"}, Approval: "bob"}
	p := plan.Plan{Goal: "log in", Steps: []plan.Step{{ID: "1", Description: "as Ada", Status: plan.Failed, Tool: "login", Arguments: arguments, Errors: []string{"it is closed"}}}}
	for _, e := range []any{
		run.RunClaimed{Kind: "plan", Status: "waiting", WaitsFor: "message", Since: time.Unix(1, 0)},
		run.ModelEnd{ModelStart: run.ModelStart{For: run.PurposeTurn, Model: "m", Attempt: 2}, Answer: run.Answer{
			Response: llm.Response{Text: "It is done: see [1].", Calls: []tool.Request{request}, Usage: llm.Usage{Input: 1}, Model: "m-1", Finish: "stop", Reasoning: "So be it."}, Estimated: true, Cost: 1, Duration: 1}},
		run.CallStart{Request: request, Attempt: 2},
		run.CallStart{Request: tool.Request{Name: "login", Answers: []tool.Answer{{Action: tool.AnswerAccepted, Value: json.RawMessage(`{"number": 7}`)}}}},
		run.Progress{Call: "r/1/1", Tool: "login", Done: 1, Total: 2, Text: "Half of it."}, run.CallLogged{Call: "r/1/1", Tool: "login", Level: 4, Text: "It is slow."},
		run.CallEnd{Call: &tool.Call{ID: "r/1/1", Request: request, Arguments: arguments, Content: []content.Part{{Text: "Hello."}, {Media: "image/png", URL: "file:///a", Name: "a", Description: "A."}}, Meta: map[string]json.RawMessage{"k": json.RawMessage(`[1]`)}}},
		run.RunStopped{Result: &run.Result{Status: "waiting", WaitsFor: "answer", Calls: []run.Wait{{Call: "r/1/1", For: "answer", Request: &request, Questions: []tool.Question{number, tool.AskVisit("Go there.", "https://a.example/b"), tool.AskModel("Say it.", 5)}}}}},
		run.RunStopped{Result: &run.Result{Status: "failed", Answer: json.RawMessage(`{"a": "b"}`), Usage: run.Usage{Steps: 1}, Error: &run.Error{Kind: "deadline", Text: "it is over"}, Calls: []run.Wait{{Call: "r/1/1", For: "approval", Request: &request}}}},
		run.MessageRead{Message: llm.Message{Role: llm.RoleUser, Text: "Log me in, please.", Parts: []content.Part{{Text: "Now."}}, Calls: []tool.Request{request}}},
		run.PlanMade{Plan: p, Replanned: true}, run.StepStart{Step: p.Steps[0], Mode: run.ModeTool},
		run.StepEnd{Step: p.Steps[0], Result: run.StepResult{StepID: "1", Mode: run.ModeTool, Success: true, Result: json.RawMessage(`[1, 2]`)}},
		run.RepairAttempted{Kind: supervisor.ToolCall, Tool: "login", Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: string(arguments), Repaired: arguments, Error: "no", Attempt: 1, Time: time.Unix(1, 0)}}, Error: &run.Error{Kind: "x", Text: "y", Retry: true}},
	} {
		if diff := cmp.Diff(e, redactedEvents(nothing, e), cmpopts.IgnoreUnexported(tool.Call{})); diff != "" {
			t.Errorf("%T: %s", e, diff)
		}
	}
}

// A shape is a way in which models write a call.
var shapes = []string{
	`{"name":%[1]q,"arguments":%[2]s}`, "```json\n{\"tool\":%[1]q,\"args\":%[2]s}\n```", "Sure!\n{\"function\":{\"name\":%[1]q,\"arguments\":%[3]q}}\nDone.",
	`<tool_call>{"name":%[1]q,"arguments":%[2]s}</tool_call>`, `[{"id":"c1","type":"function","function":{"name":%[1]q,"arguments":%[3]q}}]`,
	`<function=%[1]s><parameter=%[4]s>%[5]s</parameter></function>`, "Action: %[1]s\nAction Input: %[2]s", `%[1]s(user="ada", %[4]s="%[5]s")`, `%[1]s("ada", "%[5]s")`,
	`{"tool_calls":[{"name":%[1]q,"parameters":%[2]s},{"name":"greet","parameters":{"name":"Ada"}}]}`, `{"action_requests":[{"action":%[1]q,"args":%[2]s}]}`,
	`%[2]s`, `{"arguments":%[2]s}`, `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":%[1]q,"arguments":%[2]s}]}`, `{"goal":"g","steps":[{"description":"d","action":%[1]q,"input":%[3]q}]}`,
	"I will call %[1]s with\n%[4]s: %[5]s", "I will call `%[1]s(%[4]s='%[5]s')`.", `{"a":[{"b":"{\"tool\":\"%[1]s\",\"args\":{\"%[4]s\":\"%[5]s\"}}"}]}`,
	"{\"name\":%[1]q,\"arguments\":{\"%[4]s\":\"%[5]s", "<think>I call %[1]s(%[4]s=\"%[5]s\")</think>Done.", "{'name': '%[1]s', 'arguments': {'%[4]s': '%[5]s',}}",
}

// FuzzLeak lets a model write a call with a secret in every shape, with arbitrary text around it. The
// secret must not be in any event: answers for any purpose, repairs, plans, calls, steps, answers of
// runs and errors.
func FuzzLeak(f *testing.F) {
	if testing.Short() {
		f.Skip("takes long with the race detector; the full suite runs it")
	}
	for i := range shapes {
		f.Add(uint8(i), "login", "password", "", "")
		f.Add(uint8(i), "login", "Pass_Word", "So ", "\n")
		f.Add(uint8(i), "login", "password", "{\"a\":1}\n", "greet(name='Ada')")
	}
	f.Add(uint8(0), "lgoin", "password", "", "")
	f.Add(uint8(3), "nothing", "p", "", "")
	f.Add(uint8(8), "login", "password", "{\"a\n\x00\x03\x00\xe8", "greet(\x00\x00\x00@''Ada')")
	f.Add(uint8(8), "login", "password", "{\"a\x00\x00\x03\xe8\n", "greet(nama''Ada'\x00")
	f.Add(uint8(0), "login", "password", "{\"", "gr[et(name='Ada')")
	f.Add(uint8(19), "login", "password", "{\"J??1}\n", "ga'reet(na')")
	f.Add(uint8(5), "login", "password", "{\x00\x10\":1}\n", "gr\xffet(name5'Ada7)")
	f.Fuzz(func(t *testing.T, shape uint8, name, member, before, after string) {
		known, way := fold(name) == "login" || name == "lgoin", shapes[int(shape)%len(shapes)]
		if !known && (name != "nothing" || !strings.Contains(way, "%[4]s") && !strings.Contains(way, "%[2]s") && !strings.Contains(way, "%[3]q")) {
			t.Skip() // the called tool and its arguments are unknown
		}
		if last, _ := utf8.DecodeLastRuneInString(before); strings.HasPrefix(way, "%[1]s") && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune("_-", last)) {
			t.Skip() // the name is a suffix of another one
		}
		if fold(member) != "password" || strings.ContainsAny(name+member, "\"'\\<>\n") {
			t.Skip() // in that case it is not such a call
		}
		arguments := `{"user":"ada",` + jsontext.Quote(member) + `:"` + secret + `"}`
		call := before + fmt.Sprintf(way, name, arguments, arguments, member, secret) + after
		for _, e := range carriers(name, arguments, call) {
			noSecret(t, redactedEvents(passwords, e))
		}
		for _, p := range promptsOf(call) {
			noSecret(t, redact.New(passwords).Prompt("r", tools, p))
		}
	})
}

// requests returns calls as they are read from a text.
func requests(all ...tool.Request) json.RawMessage {
	text, _ := json.Marshal(all)
	return text
}

// carriers are events that contain a call, and a text with the call.
func carriers(name, arguments, text string) (all []any) {
	for _, purpose := range []string{run.PurposePlan, run.PurposeReplan, run.PurposeArguments, run.PurposeReasoning, run.PurposeFallback, run.PurposeRepair, run.PurposeAnswer, run.PurposeTurn, run.PurposeQuestion, "new"} {
		for _, about := range []string{"", "login"} {
			all = append(all, run.ModelEnd{ModelStart: run.ModelStart{For: purpose, Tool: about}, Answer: run.Answer{
				Response: llm.Response{Text: text, Reasoning: text, Provider: json.RawMessage(text)}, Read: json.RawMessage(arguments), Error: &run.Error{Kind: "x", Text: text},
			}})
		}
	}
	for _, raw := range []json.RawMessage{json.RawMessage(arguments), json.RawMessage(jsontext.Quote(arguments)), json.RawMessage(text)} {
		r := tool.Request{Name: name, Arguments: raw}
		s := plan.Step{ID: "1", Tool: name, Description: text, Arguments: raw, Errors: []string{text}}
		e := &run.Error{Kind: "tool_failed", Text: "it is wrong: " + string(raw)}
		all = append(all, run.CallStart{Request: r}, run.CallEnd{Call: &tool.Call{Request: r, Arguments: raw, Status: tool.StatusFailed, Err: e, Note: text, Repairs: []tool.Edit{{Kind: "type", Pointer: jsontext.Join("", text), Before: string(raw), After: text}}}},
			run.ModelEnd{Answer: run.Answer{Response: llm.Response{Calls: []tool.Request{r}}}},
			run.RunStopped{Result: &run.Result{Answer: json.RawMessage(jsontext.Quote(text)), Error: e, Calls: []run.Wait{{Request: &r}}}},
			run.MessageRead{Message: llm.Message{Text: text, Parts: []content.Part{{Text: text, URL: text, Data: []byte(text), Name: text}}, Calls: []tool.Request{r}, Result: &tool.Call{Request: r}, Provider: raw}},
			run.PlanMade{Plan: plan.Plan{Goal: text, Steps: []plan.Step{s}}}, run.StepStart{Step: s},
			run.StepEnd{Step: s, Result: run.StepResult{Mode: run.ModeTool, Error: e}}, run.StepEnd{Result: run.StepResult{Mode: run.ModeLLM, Result: json.RawMessage(jsontext.Quote(text))}},
			run.RepairAttempted{Tool: name, Kind: supervisor.ToolCall, Error: e, Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: string(raw), Repaired: json.RawMessage(arguments), Error: text}}},
			run.RepairAttempted{Kind: supervisor.ToolCall, Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: text, Repaired: json.RawMessage(jsontext.Quote(text))}}},
			run.RepairAttempted{Kind: supervisor.ToolCall, Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: text, Repaired: requests(r)}}},
			run.RepairAttempted{Kind: supervisor.Plan, Actions: []supervisor.Action{{Kind: supervisor.Plan, Original: text, Error: text}}},
			run.RepairAttempted{Kind: supervisor.Step, Actions: []supervisor.Action{{Kind: supervisor.Step, Original: text, Error: text}}},
			run.RepairAttempted{Kind: supervisor.JSON, Actions: []supervisor.Action{{Kind: supervisor.JSON, Original: text, Error: text}}})
	}
	return all
}

func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}
