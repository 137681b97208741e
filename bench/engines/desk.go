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

// concurrentRuns is how many runs a worker executes at a time.
const concurrentRuns = 8

// callsPerRun is how many calls a run makes.
const callsPerRun = 5

// newTools returns a registry with a tool that has no annotations.
func newTools() (*tool.Registry, error) {
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

// unusedModel is never called.
var unusedModel = llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{}, fmt.Errorf("unexpected request to the model")
})

// newOrchestrator returns an orchestrator with the model and the tools.
func newOrchestrator(options ...orchestrator.Option) (*orchestrator.Orchestrator, error) {
	t, err := newTools()
	if err != nil {
		return nil, err
	}
	return orchestrator.New(unusedModel, t, options...)
}

// newInput returns the input of the run with number i.
func newInput(i int) orchestrator.Input {
	p := &plan.Plan{Goal: "pay"}
	for n := range callsPerRun {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(n + 1), Description: "pay", Tool: "pay", Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))})
	}
	return orchestrator.Input{ID: fmt.Sprintf("run %06d", i), Plan: p}
}
