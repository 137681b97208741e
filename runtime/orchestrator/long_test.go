package orchestrator_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// long has one tool with a long result, which it does not copy.
type long struct {
	*tool.Registry
	output json.RawMessage
}

func (l long) Call(_ context.Context, r tool.Request) *tool.Call {
	return &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusCompleted, Output: l.output}
}

// TestLongResult checks that a run allocates at most four times the size of a result of 8 MiB,
// including its journal and the store of its plan.
func TestLongResult(t *testing.T) {
	const size = 8 << 20
	w := newWorld(t)
	for kind, in := range map[string]orchestrator.Input{
		"plan":         {Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{{ID: "1", Description: "d", Tool: "find"}, {ID: "2", Description: "d", Agent: plan.AgentLLM}}}},
		"conversation": {Kind: "conversation", Request: "find"},
	} {
		if kind == "conversation" {
			w.answers = []llm.Response{calls("find {}"), {Text: "found"}}
		}
		j, err := file.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		tools := long{w.Registry, json.RawMessage(`"` + strings.Repeat("x", size-2) + `"`)}
		o, err := orchestrator.New(w, tools, orchestrator.Journal(j))
		if err != nil {
			t.Fatal(err)
		}
		r := start(t, o, in)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if result, err := r.Execute(t.Context()); err != nil || result.Answer == nil {
			t.Fatalf("%+v, %v", result, err)
		}
		runtime.ReadMemStats(&after)
		copies := float64(after.TotalAlloc-before.TotalAlloc) / size
		t.Logf("%s: %.2f times its size is allocated", kind, copies)
		if copies > 4 {
			t.Errorf("%s: %.2f times its size is allocated", kind, copies)
		}
	}
}
