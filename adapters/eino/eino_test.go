package eino_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	einotool "github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/aiongen/aiongen/adapters/eino"
	"github.com/aiongen/aiongen/example/gen"
	desk "github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/tool"
)

// script is a model that gives the answers that it holds, one after the other, and
// keeps what it was asked and offered.
type script struct {
	answers []*schema.Message
	asked   [][]*schema.Message
	offered []*schema.ToolInfo
}

func (s *script) Generate(_ context.Context, messages []*schema.Message, options ...model.Option) (*schema.Message, error) {
	if tools := model.GetCommonOptions(nil, options...).Tools; tools != nil {
		s.offered = tools
	}
	s.asked = append(s.asked, messages)
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return answer, nil
}

func (s *script) Stream(ctx context.Context, messages []*schema.Message, options ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	answer, err := s.Generate(ctx, messages, options...)
	return schema.StreamReaderFromArray([]*schema.Message{answer}), err
}

func (s *script) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	s.offered = tools
	return s, nil
}

func call(id, name, arguments string) schema.ToolCall {
	return schema.ToolCall{ID: id, Type: "function", Function: schema.FunctionCall{Name: name, Arguments: arguments}}
}

// conversation opens a ticket, wrongly at first, and ends.
func conversation() *script {
	return &script{answers: []*schema.Message{
		schema.AssistantMessage("", []schema.ToolCall{
			call("c1", "echo", `{"text":"hello"}`),
			call("c2", "open_ticket", `{"title":"No paper","requester":{"name":"Ada"}}`),
		}),
		schema.AssistantMessage("", []schema.ToolCall{call("c3", "open_ticket", `{"title":"No paper","priority":"low","requester":{"name":"Ada"}}`)}),
		schema.AssistantMessage("", []schema.ToolCall{call("c4", "get_ticket", `{"ticket_id":9}`)}),
		schema.AssistantMessage("Fine.", nil),
	}}
}

// check compares what the model was told of its calls.
func (s *script) check(t *testing.T) {
	t.Helper()
	if len(s.asked) != 4 {
		t.Fatalf("the model was asked %d times", len(s.asked))
	}
	results := map[string]string{}
	for _, m := range s.asked[3] {
		if m.Role == schema.Tool {
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
	all, err := eino.Tools(r)
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
	answer, err := agent.Generate(t.Context(), []*schema.Message{schema.UserMessage("How is the desk?")})
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

// TestSchema: eino hands on the schemas as they are.
func TestSchema(t *testing.T) {
	r := generated(t)
	for _, x := range tools(t, r) {
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
		d, err := r.Definitions(info.Name)
		if err != nil || d[0].Description != info.Desc {
			t.Fatalf("%+v %v", info, err)
		}
		var got, want any
		if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal(d[0].Input, &want)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", info.Name, raw, d[0].Input)
		}
	}
}

// TestRequest: the call has the id of the model, and ends with the agent.
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
	ask := schema.AssistantMessage("", []schema.ToolCall{call("c1", "ticket_statistics", "")})
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

func TestUnreadable(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewDo(&tool.Definition{Name: "odd", Input: json.RawMessage(`{"type":7}`)}, tool.Value.Any, func(context.Context, any) error { return nil }).Tool)
	if _, err := eino.Tools(r); err == nil || !strings.Contains(err.Error(), "odd") {
		t.Errorf("%v", err)
	}
}

func Example() {
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: desk.NewDesk(time.Now)}); err != nil {
		panic(err)
	}
	tools, err := eino.Tools(registry) // for compose.ToolsNodeConfig
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
