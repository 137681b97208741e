package conversation_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// weather is a model that can answer one question.
func weather(_ context.Context, req llm.Request) (llm.Response, error) {
	last := req.Messages[len(req.Messages)-1]
	if last.Role == llm.RoleTool {
		return llm.Response{Text: "In Oslo: " + last.Content()}, nil
	}
	return llm.Response{Calls: []tool.Request{{ID: "call_1", Name: "get_weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)}}}, nil
}

// A program that needs only one answer can use a journal in memory.
func ExampleSettings_Run() {
	ctx := context.Background()
	getWeather, err := schema.Dynamic(tool.Definition{
		Name: "get_weather", Description: "The weather of a city.",
		Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"snow"`), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := tool.NewRegistry()
	tools.Replace(getWeather)

	env := &run.Env{Journal: new(journal.Map), Model: llm.Func(weather), Tools: tools}
	data := json.RawMessage(`{"request":"How is the weather in Oslo?"}`)
	if err := env.Begin(ctx, "1", run.Input{Data: data, Tools: tools.All(), Messages: true}); err != nil {
		fmt.Println(err)
		return
	}
	result, err := env.Execute(ctx, "1", conversation.Settings{}.Run, nil)
	fmt.Println(result.Status, "for a", result.WaitsFor, string(result.Answer), err)
	// Output: waiting for a message "In Oslo: \"snow\"" <nil>
}
