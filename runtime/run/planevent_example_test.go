package run_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A program shows the progress of a run.
func ExampleEvent() {
	show := func(_ context.Context, e run.Event) {
		switch what := e.What.(type) {
		case run.ModelStart:
			fmt.Println("asks for", what.For)
		case run.PlanMade:
			fmt.Println("has a plan:", what.Plan.Goal)
		case run.StepStart:
			fmt.Printf("step %s (%s): %s\n", what.Step.ID, what.Mode, what.Step.Description)
		case run.StepEnd:
			fmt.Printf("step %s: %s\n", what.Step.ID, what.Result.Result)
		}
	}
	answers := []string{
		`{"goal": "Greet Ada", "steps": [{"step_id": "1", "description": "Think of a greeting", "agent": "llm"}]}`,
		"Hello, Ada!",
	}
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		answer := answers[0]
		answers = answers[1:]
		return llm.Response{Text: answer}, nil
	})
	agent, err := orchestrator.New(model, tool.NewRegistry(), orchestrator.Events(show))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	r, err := agent.Start(ctx, orchestrator.Input{Request: "Greet Ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := r.Execute(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// asks for plan
	// has a plan: Greet Ada
	// step 1 (llm): Think of a greeting
	// asks for reasoning
	// step 1: "Hello, Ada!"
}
