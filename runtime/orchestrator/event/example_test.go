package event_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A program shows what a run is at while it goes on.
func Example() {
	show := func(_ context.Context, e record.Event) {
		switch what := e.What.(type) {
		case record.ModelStart:
			fmt.Println("asks for", what.For)
		case event.PlanMade:
			fmt.Println("has a plan:", what.Plan.Goal)
		case event.StepStart:
			fmt.Printf("step %s (%s): %s\n", what.Step.ID, what.Mode, what.Step.Description)
		case event.StepEnd:
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
	run, err := agent.Start(ctx, orchestrator.Input{Request: "Greet Ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := run.Execute(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// asks for plan
	// has a plan: Greet Ada
	// step 1 (llm): Think of a greeting
	// asks for reasoning
	// step 1: "Hello, Ada!"
}
