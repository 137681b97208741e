package scripted_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestModel runs the tests that all models have in common.
func TestModel(t *testing.T) {
	llmtest.Test(t, llmtest.Provider{
		Name:  "scripted",
		Model: func(_ testing.TB, d *llmtest.Double) llm.Model { return scripted.NewFunc(d.Generate) },
	})
}

// Example lets a model call a tool and then answer.
func Example() {
	model := scripted.New(
		scripted.Call("get_weather", `{"city":"Oslo"}`),
		scripted.Text("It snows.").Want(`
			user: How is the weather in Oslo?
			call call_1: get_weather({"city":"Oslo"})
			result call_1: "snow"
		`),
	)
	messages := []llm.Message{{Role: llm.RoleUser, Text: "How is the weather in Oslo?"}}
	for range 2 {
		response, err := model.Generate(context.Background(), llm.Request{Messages: messages})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("finish:", response.Finish)
		messages = append(messages, response.Message())
		for _, call := range response.Calls {
			result := &tool.Call{ID: call.ID, Status: tool.StatusCompleted, Output: []byte(`"rain"`)}
			messages = append(messages, llm.Message{Role: llm.RoleTool, Result: result})
		}
	}
	// Output:
	// finish: calls
	// model: unexpected request: request 2 is not the expected one:
	//   user: How is the weather in Oslo?
	//   call call_1: get_weather({"city":"Oslo"})
	// - result call_1: "snow"
	// + result call_1: "rain"
}

// TestFormat checks the text of a request that has everything.
func TestFormat(t *testing.T) {
	got := scripted.Format(llm.Request{
		System: "Be brief.", Prompt: "And?",
		Messages: []llm.Message{
			{Role: llm.RoleUser, Text: "One.\nTwo.", Parts: []content.Part{content.Image("image/png", []byte("12345678"))}},
			{Role: llm.RoleAssistant, Text: "I see.", Calls: []tool.Request{{ID: "a", Name: "now"}}},
			{Role: llm.RoleTool, Result: &tool.Call{ID: "a", Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "now", Err: errors.New("no clock")}}},
			{Role: llm.RoleAssistant},
		},
	})
	const want = `system: Be brief.
user: One.
| Two.
user part: image (image/png, 8 bytes)
assistant: I see.
call a: now()
result a: now failed: no clock
assistant:
user: And?`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestErr checks the faults that a test sees at its end.
func TestErr(t *testing.T) {
	ask := func(m llm.Model, prompt string) error {
		_, err := m.Generate(t.Context(), llm.Request{Prompt: prompt})
		return err
	}
	var long []string
	for i := range 9 {
		long = append(long, fmt.Sprint("| line ", i))
	}
	wanted := "user: " + strings.Join(long[:4], "\n") + "\n| other\n" + strings.Join(long[5:], "\n")
	for name, test := range map[string]struct {
		model   *scripted.Model
		prompts []string
		want    string
	}{
		"expected":    {scripted.New(scripted.Text("x").Want("user: Hi.")), []string{"Hi."}, ""},
		"unused":      {scripted.New(scripted.Text("x"), scripted.Text("y")), nil, "the script has 2 answers that no request has used"},
		"none left":   {scripted.New(), []string{"Hi."}, "model: no answer: the script has no answer left for request 1:\nuser: Hi."},
		"other":       {scripted.New(scripted.Text("x").Want("\n\tuser: Ho.\n")), []string{"Hi."}, "model: unexpected request: request 1 is not the expected one:\n- user: Ho.\n+ user: Hi."},
		"excerpt":     {scripted.New(scripted.Text("x").Want(wanted)), []string{strings.ReplaceAll(strings.Join(long, "\n"), "\n| ", "\n")}, "model: unexpected request: request 1 is not the expected one:\n  …\n  | line 1\n  | line 2\n  | line 3\n- | other\n+ | line 4\n  | line 5\n  | line 6\n  | line 7\n  …"},
		"own failure": {scripted.New(scripted.Fail(errors.New("down"))), []string{"Hi."}, ""},
	} {
		for _, prompt := range test.prompts {
			err := ask(test.model, prompt)
			if _, ok := errors.AsType[*llm.Error](err); !ok && err != nil {
				t.Errorf("%s: %T", name, err)
			}
		}
		got := ""
		if err := test.model.Err(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// TestComplete checks what the model adds to responses.
func TestComplete(t *testing.T) {
	calls := []tool.Request{{Name: "a"}, {ID: "x", Name: "b"}, {Name: "c"}}
	m := scripted.New(scripted.Respond(llm.Response{Calls: calls}), scripted.Respond(llm.Response{Text: "x", Model: "m", Finish: llm.FinishLength}))
	got, err := m.Generate(t.Context(), llm.Request{})
	if err != nil || got.Finish != llm.FinishCalls || got.Model != "scripted" || got.Calls[0].ID != "call_1" || got.Calls[1].ID != "x" || got.Calls[2].ID != "call_3" {
		t.Errorf("%+v, %v", got, err)
	}
	if calls[0].ID != "" {
		t.Error("the script was changed")
	}
	if got, err = m.Generate(t.Context(), llm.Request{}); err != nil || got.Finish != llm.FinishLength || got.Model != "m" || len(m.Requests()) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestConcurrent uses a model on many goroutines, for the race detector.
func TestConcurrent(t *testing.T) {
	answers := make([]scripted.Answer, 20)
	for i := range answers {
		answers[i] = scripted.Call("now", "{}")
	}
	m := scripted.New(answers...)
	var wait sync.WaitGroup
	for range answers {
		wait.Go(func() {
			if _, err := m.Generate(t.Context(), llm.Request{Prompt: "?"}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if err := m.Err(); err != nil {
		t.Error(err)
	}
}
