package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// weather is a model that knows one question. Others are in the packages openai
// and replay.
func weather(_ context.Context, req llm.Request) (llm.Response, error) {
	last := req.Dialogue()[len(req.Dialogue())-1]
	if last.Role == llm.RoleTool {
		return llm.Response{Text: "In Oslo: " + last.Content(), Finish: llm.FinishStop}, nil
	}
	call := tool.Request{ID: "call_1", Name: "get_weather", Arguments: json.RawMessage(`{"text":"Oslo"}`)}
	return llm.Response{Calls: []tool.Request{call}, Finish: llm.FinishCalls}, nil
}

func ExampleConverse() {
	registry := tool.NewRegistry()
	registry.Replace(textTool("get_weather", func(_ context.Context, city string) (string, error) {
		return "snow", nil
	}))
	question := llm.Message{Role: llm.RoleUser, Text: "How is the weather in Oslo?"}
	c, err := llm.Converse(context.Background(), llm.Func(weather), registry, []llm.Message{question}, llm.Turns(5))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range c.Messages {
		fmt.Printf("%s: %q\n", m.Role, m.Content())
	}
	// Output:
	// user: "How is the weather in Oslo?"
	// assistant: ""
	// tool: "\"snow\""
	// assistant: "In Oslo: \"snow\""
}

func ExampleRetry() {
	attempts := 0
	busy := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if attempts++; attempts < 3 {
			return llm.Response{}, &llm.Error{Kind: llm.RateLimited, Status: 429, Err: errors.New("slow down")}
		}
		return llm.Response{Text: "Hello."}, nil
	})
	model := llm.Retry{
		Model:  busy,
		Sleep:  func(_ context.Context, d time.Duration) { fmt.Println("wait", d) },
		Random: func() float64 { return 0 },
	}
	response, err := model.Generate(context.Background(), llm.Request{Prompt: "Hello?"})
	fmt.Println(response.Text, err)
	// Output:
	// wait 1s
	// wait 2s
	// Hello. <nil>
}
