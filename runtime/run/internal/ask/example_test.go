package ask_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/ask"
)

// Thoughts are no answer.
func Example() {
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "<think>So.</think>\n"}, nil
	})
	tell := func(what any) { fmt.Printf("%T %+v\n", what, what) }
	answer, err := ask.Model(context.Background(), model, ask.Question{For: "answer", Tell: tell})
	fmt.Println(answer.Error, answer.Response.Reasoning, err)
	// Output:
	// record.Chunk {For:answer Text:<think>So.</think>
	//  Reasoning:}
	// record.Again {For:answer}
	// the model gave no answer So. <nil>
}
