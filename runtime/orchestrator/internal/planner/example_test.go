package planner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A model plans to look up a person and to greet her, and answers.
func Example() {
	find, err := schema.Dynamic(tool.Definition{
		Name: "find_customer", Description: "Finds a customer.", Annotations: tool.Annotations{ReadOnly: true},
		Input:  json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"city":"London"}`), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := tool.NewRegistry()
	if err := registry.Register(find); err != nil {
		fmt.Println(err)
		return
	}
	env := &run.Env{
		Journal: new(journal.Map),
		Tools:   registry,
		Model: llm.Func(func(_ context.Context, req llm.Request) (llm.Response, error) {
			if strings.HasPrefix(req.Prompt, "Make a plan") {
				return llm.Response{Text: `{"goal":"greet Ada","steps":[
					{"step_id":"1","description":"find Ada","tool":"find_customer","arguments":{"name":"Ada"}},
					{"step_id":"2","description":"greet her","agent":"llm"}]}`}, nil
			}
			return llm.Response{Text: "Hello Ada in London!"}, nil
		}),
	}
	data, err := json.Marshal(task.Task{Request: "Greet Ada."})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if err := env.Begin(ctx, "42", run.Input{Kind: task.Plan, Data: data, Tools: registry.Available(nil), Messages: true}); err != nil {
		fmt.Println(err)
		return
	}
	result, err := env.Execute(ctx, "42", planner.Settings{}.Run, func(e run.Event) {
		if end, ok := e.What.(run.StepEnd); ok {
			fmt.Println(e.Step, end.Result.Mode, string(end.Result.Result))
		}
	})
	fmt.Println(result.Status, string(result.Answer), err)
	// Output:
	// 1 tool {"city":"London"}
	// 2 llm "Hello Ada in London!"
	// completed "Hello Ada in London!" <nil>
}
