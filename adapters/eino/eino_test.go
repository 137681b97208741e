package eino_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	einotool "github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	einoschema "github.com/cloudwego/eino/schema"

	"github.com/aiongen/aiongen/adapters/eino"
	"github.com/aiongen/aiongen/example/gen"
	desk "github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// script is a model that returns given answers in order, and records its requests.
type script struct {
	answers []*einoschema.Message
	asked   [][]*einoschema.Message
	offered []*einoschema.ToolInfo
}

func (s *script) Generate(_ context.Context, messages []*einoschema.Message, options ...model.Option) (*einoschema.Message, error) {
	if tools := model.GetCommonOptions(nil, options...).Tools; tools != nil {
		s.offered = tools
	}
	s.asked = append(s.asked, messages)
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return answer, nil
}

func (s *script) Stream(ctx context.Context, messages []*einoschema.Message, options ...model.Option) (*einoschema.StreamReader[*einoschema.Message], error) {
	answer, err := s.Generate(ctx, messages, options...)
	return einoschema.StreamReaderFromArray([]*einoschema.Message{answer}), err
}

func (s *script) WithTools(tools []*einoschema.ToolInfo) (model.ToolCallingChatModel, error) {
	s.offered = tools
	return s, nil
}

func call(id, name, arguments string) einoschema.ToolCall {
	return einoschema.ToolCall{ID: id, Type: "function", Function: einoschema.FunctionCall{Name: name, Arguments: arguments}}
}

// conversation opens a ticket, the first time with wrong arguments, and ends.
func conversation() *script {
	return &script{answers: []*einoschema.Message{
		einoschema.AssistantMessage("", []einoschema.ToolCall{
			call("c1", "echo", `{"text":"hello"}`),
			call("c2", "open_ticket", `{"title":"No paper","requester":{"name":"Ada"}}`),
		}),
		einoschema.AssistantMessage("", []einoschema.ToolCall{call("c3", "open_ticket", `{"title":"No paper","priority":"low","requester":{"name":"Ada"}}`)}),
		einoschema.AssistantMessage("", []einoschema.ToolCall{call("c4", "get_ticket", `{"ticket_id":9}`)}),
		einoschema.AssistantMessage("Fine.", nil),
	}}
}

// check compares the results that the model received.
func (s *script) check(t *testing.T) {
	t.Helper()
	if len(s.asked) != 4 {
		t.Fatalf("the model was asked %d times", len(s.asked))
	}
	results := map[string]string{}
	for _, m := range s.asked[3] {
		if m.Role == einoschema.Tool {
			results[m.ToolCallID] = m.Content
		}
	}
	for id, want := range map[string]string{
		"c1": "hello",
		"c2": "The arguments of open_ticket were wrong",
		"c3": `{"id":1,"title":"No paper","status":"open"`,
		"c4": "get_ticket failed: there is no ticket 9",
	} {
		if !strings.HasPrefix(results[id], want) {
			t.Errorf("%s: %q, want %q", id, results[id], want)
		}
	}
	for _, info := range s.offered {
		if info.Name == "open_ticket" {
			return
		}
	}
	t.Errorf("offered were %v", s.offered)
}

// generated returns the generated tools of the example.
func generated(t testing.TB, options ...tool.Option) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry(options...)
	now := func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }
	if err := gen.Register(registry, gen.Deps{Desk: desk.NewDesk(now)}); err != nil {
		t.Fatal(err)
	}
	return registry
}

func tools(t testing.TB, r *tool.Registry) []einotool.BaseTool {
	t.Helper()
	all, err := eino.Tools(r, schema.OpenAI)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestReactAgent(t *testing.T) {
	m := conversation()
	agent, err := react.NewAgent(t.Context(), &react.AgentConfig{
		ToolCallingModel: m,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: tools(t, generated(t))},
	})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := agent.Generate(t.Context(), []*einoschema.Message{einoschema.UserMessage("How is the desk?")})
	if err != nil || answer.Content != "Fine." {
		t.Fatalf("%+v %v", answer, err)
	}
	m.check(t)
}

func TestChatModelAgent(t *testing.T) {
	m := conversation()
	agent, err := adk.NewChatModelAgent(t.Context(), &adk.ChatModelAgentConfig{
		Name: "desk", Description: "Works at a desk.", Model: m,
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools(t, generated(t))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var last string
	events := adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: agent}).Query(t.Context(), "How is the desk?")
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			t.Fatal(event.Err)
		}
		message, err := event.Output.MessageOutput.GetMessage()
		if err != nil {
			t.Fatal(err)
		}
		last = message.Content
	}
	if last != "Fine." {
		t.Errorf("%q", last)
	}
	m.check(t)
}

// TestSchema checks that eino passes on the lowered schemas.
func TestSchema(t *testing.T) {
	r := generated(t)
	for i, x := range tools(t, r) {
		info, err := x.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := info.ToJSONSchema()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		lowered, err := schema.Lower(schema.OpenAI, r.All()[i])
		if err != nil || lowered.Name != info.Name || lowered.Description != info.Desc {
			t.Fatalf("%+v %v", info, err)
		}
		var got, want any
		if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal(lowered.Input, &want)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", info.Name, raw, lowered.Input)
		}
	}
}

// TestKeywords checks that keywords without a field in eino's schemas are passed on.
func TestKeywords(t *testing.T) {
	const input = `{"type":"object","properties":{"a":{"type":"string","default":null},"b":{"const":null},"c":{"type":"array","items":{"type":["integer","null"],"minimum":1}},"d":{"type":"object","properties":{},"unevaluatedProperties":false}},"required":["a"]}`
	r := tool.NewRegistry()
	d := tool.Definition{Name: "odd", Input: json.RawMessage(input)}
	r.Replace(tool.NewTypedAction(&d, wire.Value.Any, func(context.Context, any) error { return nil }).Tool)
	for _, target := range schema.Targets() {
		all, err := eino.Tools(r, target)
		if err != nil {
			t.Fatal(err)
		}
		info, err := all[0].Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := info.ToJSONSchema()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		lowered, err := schema.Lower(target, d)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal(lowered.Input, &want)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", target, raw, lowered.Input)
		}
	}
}

// TestOddCase checks that names of keywords in another case, which encoding/json takes for keywords, do no harm.
func TestOddCase(t *testing.T) {
	for _, part := range []string{`{"AnyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"}],"AnyOf":[{"type":"string"},{"type":"null"}]}`} {
		r := tool.NewRegistry()
		d := tool.Definition{Name: "odd", Input: json.RawMessage(`{"type":"object","properties":{"x":` + part + `}}`)}
		r.Replace(tool.NewTypedAction(&d, wire.Value.Any, func(context.Context, any) error { return nil }).Tool)
		for _, target := range schema.Targets() {
			if all, err := eino.Tools(r, target); len(all) != 1 || err != nil {
				t.Errorf("%s: %v %v", part, all, err)
			}
		}
	}
}

// TestRaised checks that arguments in the provider's form reach the tool in its own form.
func TestRaised(t *testing.T) {
	label, err := schema.Dynamic(tool.Definition{
		Name: "label.it", Description: "Labels a ticket.",
		Input: json.RawMessage(`{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}},"note":{"type":"string"}},"required":["labels"]}`),
	}, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) { return arguments, nil })
	if err != nil {
		t.Fatal(err)
	}
	r := tool.NewRegistry()
	r.Replace(label)
	all, err := eino.Tools(r, schema.OpenAIStrict)
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"labels":[{"key":"env","value":"prod"}],"note":null}`: `{"labels":{"env":"prod"}}`,
		`{"labels":`: "The arguments of label.it were wrong",
	} {
		got, err := all[0].(einotool.InvokableTool).InvokableRun(t.Context(), arguments)
		if err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, %v, want %s", arguments, got, err, want)
		}
	}
}

// TestRequest checks that a call has the model's ID and ends with the agent.
func TestRequest(t *testing.T) {
	var ids []string
	r := generated(t, tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			ids = append(ids, c.ID)
			return next(ctx, c)
		}
	}))
	node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{Tools: tools(t, r)})
	if err != nil {
		t.Fatal(err)
	}
	ask := einoschema.AssistantMessage("", []einoschema.ToolCall{call("c1", "ticket_statistics", "")})
	results, err := node.Invoke(t.Context(), ask)
	if err != nil || results[0].Content != `{"counts":{},"longest_waiting":0}` || !reflect.DeepEqual(ids, []string{"c1"}) {
		t.Errorf("%+v %v %q", results, err, ids)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := node.Invoke(ctx, ask); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestGoexit checks that a function which calls runtime.Goexit does not end the agent's goroutine.
func TestGoexit(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "exit", Input: json.RawMessage(`{}`)}, wire.Value.Any, func(context.Context, any) error { runtime.Goexit(); return nil }).Tool)
	ended := true
	defer func() {
		if ended {
			t.Error("the goroutine of the agent was ended")
		}
	}()
	text, err := tools(t, r)[0].(einotool.InvokableTool).InvokableRun(t.Context(), "{}")
	ended = false
	if err != nil || !strings.HasPrefix(text, "exit failed because of an error in its code") {
		t.Errorf("%q %v", text, err)
	}
}

// TestUnfit checks the errors for tools that cannot be offered.
func TestUnfit(t *testing.T) {
	named := func(name, input string) tool.Tool {
		return tool.NewTypedAction(&tool.Definition{Name: name, Input: json.RawMessage(input)}, wire.Value.Any, func(context.Context, any) error { return nil }).Tool
	}
	for _, test := range []struct {
		target schema.Target
		tools  []tool.Tool
		want   string
	}{
		{schema.OpenAI, []tool.Tool{named("a/b", `{}`), named("a_b_3a8e75c1", `{}`)}, `eino: "a/b" and "a_b_3a8e75c1" would both be named a_b_3a8e75c1`},
		{"openai2", []tool.Tool{named("odd", `{}`)}, `eino: unknown target "openai2"`},
	} {
		r := tool.NewRegistry()
		if err := r.Replace(test.tools...); err != nil {
			t.Fatal(err)
		}
		if _, err := eino.Tools(r, test.target); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

func Example() {
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: desk.NewDesk(time.Now)}); err != nil {
		panic(err)
	}
	tools, err := eino.Tools(registry, schema.OpenAI) // for compose.ToolsNodeConfig
	if err != nil {
		panic(err)
	}
	for _, t := range tools[:2] {
		info, err := t.Info(context.Background())
		if err != nil {
			panic(err)
		}
		fmt.Println(info.Name)
	}
	// Output:
	// assign_ticket
	// calculator
}

// TestNote checks that a note about a result reaches the model.
func TestNote(t *testing.T) {
	r := tool.NewRegistry(tool.Use(middleware.Trim(20)))
	long := func(context.Context, any) (string, error) { return strings.Repeat("long ", 9), nil }
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "long", Input: json.RawMessage(`{}`)}, wire.Value.Any, long, (*wire.Encoder).Str).Tool)
	got, err := tools(t, r)[0].(einotool.InvokableTool).InvokableRun(t.Context(), "{}")
	if err != nil || !strings.HasPrefix(got, "long long") || !strings.Contains(got, "\nThe result was too long and has been cut: ") {
		t.Errorf("%q %v", got, err)
	}
}

// TestAttached checks that attachments are described to the model in words.
func TestAttached(t *testing.T) {
	r := tool.NewRegistry()
	draw := func(ctx context.Context, _ any) (string, error) {
		tool.ExchangeFrom(ctx).Attach(content.Link("https://example.com/cat", "a cat"))
		return "drawn", nil
	}
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "draw", Input: json.RawMessage(`{}`)}, wire.Value.Any, draw, (*wire.Encoder).Str).Tool)
	got, err := tools(t, r)[0].(einotool.InvokableTool).InvokableRun(t.Context(), "{}")
	if want := "drawn\nAttached: link (a cat, https://example.com/cat)"; err != nil || got != want {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}
