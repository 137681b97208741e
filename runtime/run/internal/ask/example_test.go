package ask_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/ask"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Thoughts are no answer.
func Example() {
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "<think>So.</think>\n"}, nil
	})
	answer, err := ask.Model(context.Background(), model, ask.Question{
		Event:  record.Event{Run: "42", What: record.ModelStart{For: "answer"}},
		Chunks: func(_ context.Context, e record.Event) { fmt.Printf("%s %T %+v\n", e.Run, e.What, e.What) },
		Clock:  time.Now,
	})
	fmt.Println(answer.Error, answer.Response.Reasoning, err)
	// Output:
	// 42 record.Chunk {For:answer Text:<think>So.</think>
	//  Reasoning:}
	// 42 record.Again {For:answer}
	// the model gave no answer So. <nil>
}
