package planner_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// caller is a caller of tools.
type caller func(tool.Request) (string, error)

func (f caller) Call(_ context.Context, r tool.Request) *tool.Call {
	output, err := f(r)
	c := &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage(output)}
	if err != nil {
		c.Status, c.Output, c.Err = tool.StatusFailed, nil, err
	}
	return c
}

// TestGiven carries out a plan that was given.
func TestGiven(t *testing.T) {
	given := plan.Plan{Goal: "mail Ada", Steps: []plan.Step{
		{ID: "1", Description: "find her", Tool: "find", Arguments: json.RawMessage(`{"query":"Ada"}`)},
		{ID: "2", Description: "mail her", Tool: "mail", Arguments: json.RawMessage(`{"to":"{{step1.result.email}}"}`)},
	}}
	tools := []tool.Definition{
		{Name: "find", Output: json.RawMessage(`{"type":"object","properties":{"email":{"type":"string"}}}`)},
		{Name: "mail", Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}`)},
	}
	var mailed string
	env := &run.Env{Journal: new(journal.Map), Model: llm.Func(nil), Tools: caller(func(r tool.Request) (string, error) {
		if r.Name == "mail" {
			mailed = string(r.Arguments)
		}
		return `{"email":"ada@example.com"}`, nil
	})}
	data, err := record.Encode(task.Task{Plan: &given})
	if err != nil {
		t.Fatal(err)
	}
	if err := env.Begin(t.Context(), "r", record.Input{Kind: task.Plan, Data: data, Tools: tools}); err != nil {
		t.Fatal(err)
	}
	result, err := env.Execute(t.Context(), "r", planner.Settings{}.Run, nil)
	if err != nil || result.Status != record.Completed {
		t.Fatal(result, err)
	}
	if mailed != `{"to":"ada@example.com"}` {
		t.Error(mailed)
	}
}
