package langchaingo_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"

	"github.com/aiongen/aiongen/adapters/langchaingo"
	"github.com/aiongen/aiongen/example/gen"
	desk "github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/tool"
)

// script is a model that returns given answers in order, and records its requests.
type script struct {
	answers []*llms.ContentChoice
	asked   []string
}

func (s *script) GenerateContent(_ context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	var asked strings.Builder
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case llms.TextContent:
				asked.WriteString(part.Text + "\n")
			case llms.ToolCallResponse:
				asked.WriteString(part.Content + "\n")
			}
		}
	}
	s.asked = append(s.asked, asked.String())
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{answer}}, nil
}

func (s *script) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, s, prompt, options...)
}

func newTextModel(texts ...string) *script {
	s := new(script)
	for _, text := range texts {
		s.answers = append(s.answers, &llms.ContentChoice{Content: text})
	}
	return s
}

// generated returns the generated tools of the example.
func generated(t *testing.T) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry()
	now := func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }
	if err := gen.Register(registry, gen.Deps{Desk: desk.NewDesk(now)}); err != nil {
		t.Fatal(err)
	}
	return registry
}

// run lets an agent answer, and checks what the model was shown.
func run(t *testing.T, agent agents.Agent, model *script, shown ...string) {
	t.Helper()
	answer, err := chains.Run(t.Context(), agents.NewExecutor(agent, agents.WithMaxIterations(10)), "How is the desk?")
	if err != nil || strings.TrimSpace(answer) != "Fine." {
		t.Fatalf("%q %v", answer, err)
	}
	if len(model.asked) != len(shown) {
		t.Fatalf("the model was asked %d times, want %d", len(model.asked), len(shown))
	}
	for i, want := range shown {
		if !strings.Contains(model.asked[i], want) {
			t.Errorf("turn %d lacks %q:\n%s", i, want, model.asked[i])
		}
	}
}

// TestOneShotAgent has inputs as plain text and as JSON, a wrong call, and one that fails.
func TestOneShotAgent(t *testing.T) {
	model := newTextModel(
		"Thought: an echo\nAction: echo\nAction Input: hello",
		"Thought: a ticket\nAction: open_ticket\nAction Input: "+`{"title": "No paper", "requester": {"name": "Ada"}}`,
		"Thought: the priority\nAction: open_ticket\nAction Input: "+`{"title": "No paper", "priority": "low", "requester": {"name": "Ada"}}`,
		"Thought: another\nAction: get_ticket\nAction Input: 9",
		"Thought: the first\nAction: get_ticket\nAction Input: 1",
		"I know now.\nFinal Answer: Fine.",
	)
	run(t, agents.NewOneShotAgent(model, langchaingo.Tools(generated(t))), model,
		`Input: a JSON object by this schema: {"properties":{"title"`,
		"Observation: hello\n",
		"- /priority: expected a value, found nothing",
		`Observation: {"id":1,"title":"No paper","status":"open","priority":"low"`,
		"Observation: get_ticket failed: there is no ticket 9",
		`Observation: {"id":1,`,
	)
}

func TestConversationalAgent(t *testing.T) {
	model := newTextModel(
		"Thought: Do I need to use a tool? Yes\nAction: suggest_priority\nAction Input: an outage",
		"Thought: Do I need to use a tool? No\nAI: Fine.",
	)
	run(t, agents.NewConversationalAgent(model, langchaingo.Tools(generated(t))), model,
		`Input: the text of "description" alone, or a JSON object`, "Observation: urgent")
}

// TestFunctionsAgent uses an agent that does not pass on schemas, and puts all input into one argument.
func TestFunctionsAgent(t *testing.T) {
	call := func(name, input string) *llms.ContentChoice {
		function := &llms.FunctionCall{Name: name, Arguments: input}
		return &llms.ContentChoice{FuncCall: function, ToolCalls: []llms.ToolCall{{ID: "c1", Type: "function", FunctionCall: function}}}
	}
	model := &script{answers: []*llms.ContentChoice{
		call("calculator", `{"__arg1":"{\"operation\":\"multiply\",\"a\":6,\"b\":7}"}`),
		call("echo", `{"__arg1":"hello"}`),
		{Content: "Fine."},
	}}
	run(t, agents.NewOpenAIFunctionsAgent(model, langchaingo.Tools(generated(t))), model, "How is the desk?", "42", "hello")
}
