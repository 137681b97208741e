package orchestrator_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	answers := []string{
		`{"goal": "Greet Ada", "steps": [{"step_id": "1", "description": "Think of a greeting", "agent": "llm"}]}`,
		`Hello, Ada!`,
	}
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		answer := answers[0]
		answers = answers[1:]
		return llm.Response{Text: answer}, nil
	})
	o := orchestrator.New(model, &memory.Map{}, orchestrator.Tools(tool.NewRegistry()))
	result, err := o.Execute(context.Background(), orchestrator.Input{ID: "greeting", Request: "Greet Ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status, result.Usage.ModelCalls)
	for _, step := range result.State.Results {
		fmt.Println(step.StepID, step.Mode, string(step.Result))
	}
	// Output:
	// completed 2
	// 1 llm {"result":"Hello, Ada!"}
}
