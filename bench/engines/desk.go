package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// atOnce is how many runs a worker drives at a time.
const atOnce = 8

// calls is how many calls a run makes.
const calls = 5

// tools returns a tool that claims nothing.
func tools() (*tool.Registry, error) {
	r := tool.NewRegistry()
	pay, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays.",
		Input:  json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"string"}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"paid"`), nil })
	if err != nil {
		return nil, err
	}
	return r, r.Register(pay)
}

// model is never asked.
var model = llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{}, fmt.Errorf("no run asks a model")
})

// desk returns an orchestrator.
func desk(options ...orchestrator.Option) (*orchestrator.Orchestrator, error) {
	t, err := tools()
	if err != nil {
		return nil, err
	}
	return orchestrator.New(model, t, options...)
}

// input is what a run begins with.
func input(i int) orchestrator.Input {
	p := &plan.Plan{Goal: "pay"}
	for n := range calls {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(n + 1), Description: "pay", Tool: "pay", Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))})
	}
	return orchestrator.Input{ID: fmt.Sprintf("run %06d", i), Plan: p}
}
