package orchestrator_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/supervisor"
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

// A run stops where a person has to approve a call, and goes on from its state, in
// another process if need be.
func ExampleOrchestrator_Resume() {
	send, err := schema.Dynamic(tool.Definition{
		Name: "send", Description: "Sends a letter.",
		Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}`),
	}, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) { return arguments, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := tool.NewRegistry(tool.Use(tool.Gate(tool.Ask())))
	registry.Replace(send)
	o := orchestrator.New(nil, &memory.Map{}, orchestrator.Tools(registry)) // no step of this plan needs a model

	ctx := context.Background()
	run, err := o.Start(ctx, orchestrator.Input{ID: "1", Plan: &plan.Plan{Goal: "Write to Ada", Steps: []plan.Step{
		{ID: "1", Description: "Send it", Tool: "send", Arguments: json.RawMessage(`{"to":"Ada"}`)},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	more, err := run.Step(ctx)
	fmt.Println(more, err, run.State().Status)
	kept, err := json.Marshal(run.State())
	if err != nil {
		fmt.Println(err)
		return
	}

	var state orchestrator.State
	if err := json.Unmarshal(kept, &state); err != nil {
		fmt.Println(err)
		return
	}
	if run, err = o.Resume(state); err != nil {
		fmt.Println(err)
		return
	}
	if err := run.Approve(state.CurrentStep, "Grace"); err != nil {
		fmt.Println(err)
		return
	}
	more, err = run.Step(ctx)
	fmt.Println(more, err, run.State().Status, string(run.State().Results[0].Result))
	// Output:
	// false <nil> waiting
	// false <nil> completed {"to":"Ada"}
}

// What cannot be repaired without a model is not repaired at all.
func ExampleRepairs() {
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "Hello, there is no plan here."}, nil
	})
	o := orchestrator.New(model, &memory.Map{}, orchestrator.Tools(tool.NewRegistry()), orchestrator.Repairs(supervisor.Attempts(0)))
	_, err := o.Execute(context.Background(), orchestrator.Input{ID: "1", Request: "Greet Ada"})
	fmt.Println(err)
	// Output: no plan was made: plan_repair failed: there is no plan: 1:30: there is no JSON value in the text
}
