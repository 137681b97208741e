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
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// events are one of each type.
var events = []any{
	record.Claimed{}, record.ModelStart{}, record.ModelEnd{}, record.Chunk{}, record.Again{}, record.CallStart{}, record.Progress{}, record.Logged{}, record.CallEnd{}, record.Dropped{}, record.Stopped{}, record.Lost{},
	event.PlanMade{}, event.StepStart{}, event.StepEnd{}, event.Repaired{}, event.StoreFailed{}, event.Heard{}, event.Compacted{},
}

// TestEveryEvent finds the types of events in the source of both packages, so that
// there is none that this package does not know: a new one belongs into the list above,
// by which the other tests go, and into [pass.what].
func TestEveryEvent(t *testing.T) {
	others := []string{"record.Event", "event.StepResult"} // which are parts of events
	var found, known []string
	for name, pattern := range map[string]string{"record": "../run/record/event.go", "event": "../orchestrator/event/*.go"} {
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
				full := name + "." + spec.Name.Name
				if _, is := spec.Type.(*ast.StructType); is && spec.Name.IsExported() && !slices.Contains(others, full) {
					found = append(found, full)
				}
				return true
			})
		}
	}
	for _, e := range events {
		known = append(known, fmt.Sprintf("%T", e))
		if got := told(passwords, e); fmt.Sprintf("%T", got) != fmt.Sprintf("%T", e) {
			t.Errorf("%T is told as %+v", e, got)
		}
	}
	slices.Sort(found)
	slices.Sort(known)
	if diff := cmp.Diff(found, known); diff != "" {
		t.Errorf("events in the source, and those known here: %s", diff)
	}
}

// shown are members that are told as they are: names, and what the program itself says.
// Of all others the rule is asked, or nobody is told.
var shown = []string{"ID", "Name", "StepID", "Tool", "Kind", "Status", "Mode", "For", "WaitsFor", "Model", "Finish", "Agent", "Call", "Pointer", "Expected", "Role", "Media", "Action"}

// fill fills all members of a value with the secret, but for names.
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

// full returns an event of each type that has the secret wherever it can, in several
// variants: kinds, modes and purposes decide how it is redacted.
func full() (all []any) {
	for _, e := range events {
		for _, kind := range []string{"login", string(event.ModeTool), string(supervisor.ToolCall), string(supervisor.Plan), event.ForPlan, event.ForArguments, event.ForTurn, record.ForQuestion, "invalid_arguments", "unreachable"} {
			v := reflect.New(reflect.TypeOf(e)).Elem()
			fill(v, "")
			replace(v, kind)
			all = append(all, v.Interface())
		}
	}
	return all
}

// replace gives members that decide how something is redacted a value.
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

// TestEverything hides everything, whatever the rule tells in its place, and finds
// nothing; a member of an event that is new is one of those that are looked at.
func TestEverything(t *testing.T) {
	for name, instead := range map[string]json.RawMessage{"a text": json.RawMessage(`"hidden"`), "an object": json.RawMessage(`{"hidden":1}`), "no JSON": json.RawMessage("hidden"), "nothing": nil} {
		t.Run(name, func(t *testing.T) {
			for _, e := range full() {
				if !strings.Contains(text(t, e), secret) && strings.Contains(fmt.Sprintf("%T", e), "ModelEnd") {
					t.Fatalf("there is no secret in %+v", e)
				}
				noSecret(t, told(func(string, string, json.RawMessage) json.RawMessage { return instead }, e))
			}
		})
	}
}

// TestUnknown withholds an event of a type that is not known, even if the rule hides
// nothing; and what is withheld stays so.
func TestUnknown(t *testing.T) {
	for _, what := range []any{secret, json.RawMessage(secret), struct{ A string }{secret}, &record.CallEnd{}, nil, []string{secret}} {
		got := told(func(_, _ string, value json.RawMessage) json.RawMessage { return value }, what)
		if _, ok := got.(redact.Withheld); !ok || strings.Contains(fmt.Sprintf("%+v", got), secret) || told(passwords, got) != got {
			t.Errorf("%T is told as %+v", what, got)
		}
	}
}

// TestNothing tells all of an event of which nothing is hidden, but for what no rule can
// be asked about.
func TestNothing(t *testing.T) {
	nothing := redact.Rule(func(_, _ string, value json.RawMessage) json.RawMessage { return value })
	arguments := json.RawMessage(`{"user": "ada", "password": "x"}`)
	number := ask.Person("Which number?", json.RawMessage(`{"type": "object"}`))
	request := tool.Request{ID: "r/1/1", Name: "login", Arguments: arguments, Meta: map[string]string{"a": "b"}, Approval: "bob"}
	p := plan.Plan{Goal: "log in", Steps: []plan.Step{{ID: "1", Description: "as Ada", Status: plan.Failed, Tool: "login", Arguments: arguments, Errors: []string{"it is closed"}}}}
	for _, e := range []any{
		record.Claimed{Kind: "plan", Status: "waiting", WaitsFor: "message", Since: time.Unix(1, 0)},
		record.ModelEnd{ModelStart: record.ModelStart{For: event.ForTurn, Model: "m", Attempt: 2}, Answer: record.Answer{
			Response: llm.Response{Text: "It is done: see [1].", Calls: []tool.Request{request}, Usage: llm.Usage{Input: 1}, Model: "m-1", Finish: "stop", Reasoning: "So be it."}, Estimated: true, Cost: 1, Duration: 1}},
		record.CallStart{Request: request, Attempt: 2},
		record.CallStart{Request: tool.Request{Name: "login", Answers: []ask.Answer{{Action: ask.Accepted, Value: json.RawMessage(`{"number": 7}`)}}}},
		record.Progress{Call: "r/1/1", Tool: "login", Done: 1, Total: 2, Text: "Half of it."}, record.Logged{Call: "r/1/1", Tool: "login", Level: 4, Text: "It is slow."},
		record.CallEnd{Call: &tool.Call{ID: "r/1/1", Request: request, Arguments: arguments, Content: []content.Part{{Text: "Hello."}, {Media: "image/png", URL: "file:///a", Name: "a", Description: "A."}}, Meta: map[string]json.RawMessage{"k": json.RawMessage(`[1]`)}}},
		record.Stopped{Result: &record.Result{Status: "waiting", WaitsFor: "answer", Calls: []record.Wait{{Call: "r/1/1", For: "answer", Request: &request, Questions: []ask.Question{number, ask.Visit("Go there.", "https://a.example/b"), ask.Model("Say it.", 5)}}}}},
		record.Stopped{Result: &record.Result{Status: "failed", Answer: json.RawMessage(`{"a": "b"}`), Usage: record.Usage{Steps: 1}, Error: &record.Error{Kind: "deadline", Text: "it is over"}, Calls: []record.Wait{{Call: "r/1/1", For: "approval", Request: &request}}}},
		event.Heard{Message: llm.Message{Role: llm.RoleUser, Text: "Log me in, please.", Parts: []content.Part{{Text: "Now."}}, Calls: []tool.Request{request}}},
		event.PlanMade{Plan: p, Anew: true}, event.StepStart{Step: p.Steps[0], Mode: event.ModeTool},
		event.StepEnd{Step: p.Steps[0], Result: event.StepResult{StepID: "1", Mode: event.ModeTool, Success: true, Result: json.RawMessage(`[1, 2]`)}},
		event.Repaired{Kind: supervisor.ToolCall, Tool: "login", Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: string(arguments), Repaired: arguments, Error: "no", Attempt: 1, Time: time.Unix(1, 0)}}, Error: &record.Error{Kind: "x", Text: "y", Retry: true}},
	} {
		if diff := cmp.Diff(e, told(nothing, e), cmpopts.IgnoreUnexported(tool.Call{})); diff != "" {
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

// FuzzLeak has a model write a call with a secret in every shape, and shows that it is
// nowhere in what is told: of answers for any purpose, of repairs, plans, calls, steps,
// answers of runs and errors. What comes before and after the call is anything.
func FuzzLeak(f *testing.F) {
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
			t.Skip() // nobody knows what is called, and what with
		}
		if last, _ := utf8.DecodeLastRuneInString(before); strings.HasPrefix(way, "%[1]s") && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune("_-", last)) {
			t.Skip() // the name is the end of another
		}
		if fold(member) != "password" || strings.ContainsAny(name+member, "\"'\\<>\n") {
			t.Skip() // then it is no such call
		}
		arguments := `{"user":"ada",` + jsontext.Quote(member) + `:"` + secret + `"}`
		call := before + fmt.Sprintf(way, name, arguments, arguments, member, secret) + after
		for _, e := range carriers(name, arguments, call) {
			noSecret(t, told(passwords, e))
		}
	})
}

// requests writes calls as they are read out of a text.
func requests(all ...tool.Request) json.RawMessage {
	text, _ := json.Marshal(all)
	return text
}

// carriers are events that carry a call, and a text that has it.
func carriers(name, arguments, text string) (all []any) {
	for _, purpose := range []string{event.ForPlan, event.ForReplan, event.ForArguments, event.ForReasoning, event.ForFallback, event.ForRepair, event.ForAnswer, event.ForTurn, record.ForQuestion, "new"} {
		for _, about := range []string{"", "login"} {
			all = append(all, record.ModelEnd{ModelStart: record.ModelStart{For: purpose, Tool: about}, Answer: record.Answer{
				Response: llm.Response{Text: text, Reasoning: text, Provider: json.RawMessage(text)}, Read: json.RawMessage(arguments), Error: &record.Error{Kind: "x", Text: text},
			}})
		}
	}
	for _, raw := range []json.RawMessage{json.RawMessage(arguments), json.RawMessage(jsontext.Quote(arguments)), json.RawMessage(text)} {
		r := tool.Request{Name: name, Arguments: raw}
		s := plan.Step{ID: "1", Tool: name, Description: text, Arguments: raw, Errors: []string{text}}
		e := &record.Error{Kind: "tool_failed", Text: "it is wrong: " + string(raw)}
		all = append(all, record.CallStart{Request: r}, record.CallEnd{Call: &tool.Call{Request: r, Arguments: raw, Status: tool.StatusFailed, Err: e, Note: text, Repairs: []tool.Edit{{Kind: "type", Pointer: jsontext.Join("", text), Before: string(raw), After: text}}}},
			record.ModelEnd{Answer: record.Answer{Response: llm.Response{Calls: []tool.Request{r}}}},
			record.Stopped{Result: &record.Result{Answer: json.RawMessage(jsontext.Quote(text)), Error: e, Calls: []record.Wait{{Request: &r}}}},
			event.Heard{Message: llm.Message{Text: text, Parts: []content.Part{{Text: text, URL: text, Data: []byte(text), Name: text}}, Calls: []tool.Request{r}, Result: &tool.Call{Request: r}, Provider: raw}},
			event.PlanMade{Plan: plan.Plan{Goal: text, Steps: []plan.Step{s}}}, event.StepStart{Step: s},
			event.StepEnd{Step: s, Result: event.StepResult{Mode: event.ModeTool, Error: e}}, event.StepEnd{Result: event.StepResult{Mode: event.ModeLLM, Result: json.RawMessage(jsontext.Quote(text))}},
			event.Repaired{Tool: name, Kind: supervisor.ToolCall, Error: e, Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: string(raw), Repaired: json.RawMessage(arguments), Error: text}}},
			event.Repaired{Kind: supervisor.ToolCall, Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: text, Repaired: json.RawMessage(jsontext.Quote(text))}}},
			event.Repaired{Kind: supervisor.ToolCall, Actions: []supervisor.Action{{Kind: supervisor.ToolCall, Original: text, Repaired: requests(r)}}},
			event.Repaired{Kind: supervisor.Plan, Actions: []supervisor.Action{{Kind: supervisor.Plan, Original: text, Error: text}}},
			event.Repaired{Kind: supervisor.Step, Actions: []supervisor.Action{{Kind: supervisor.Step, Original: text, Error: text}}},
			event.Repaired{Kind: supervisor.JSON, Actions: []supervisor.Action{{Kind: supervisor.JSON, Original: text, Error: text}}})
	}
	return all
}

func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}
