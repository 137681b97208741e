package llm_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
)

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
