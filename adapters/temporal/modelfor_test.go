package temporal_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// namedModel is a scripted model with a name.
type namedModel struct {
	*scripted.Model
	name string
}

func (m namedModel) Name() string { return m.name }

// TestModelFor checks that each purpose has its own model, which activities ask and events name.
func TestModelFor(t *testing.T) {
	c := dialServer(t, sharedServer.Address())
	planner := scripted.New(scripted.Text(`{"goal":"greet","steps":[{"step_id":"1","description":"Think of a greeting."}]}`))
	first, later := scripted.New(scripted.Text("Hello.")), scripted.New(scripted.Text("Hello, Ada."))
	var mu sync.Mutex
	var asked []string
	newModelEngine := func(options ...orchestrator.Option) *temporal.Engine {
		events := temporal.Events(func(_ context.Context, e run.Event) {
			if end, ok := e.What.(run.ModelEnd); ok {
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, end.For+": "+end.Model+", "+end.Answer.Response.Model)
			}
		})
		e, err := temporal.New(c, t.Name(), namedModel{first, "first"}, tool.NewRegistry(), events, temporal.RunOptions(options...))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := newModelEngine(orchestrator.ModelFor(run.PurposePlan, namedModel{planner, "planner"}), orchestrator.ModelFor(run.PurposeAnswer, namedModel{later, "later"}))
	startWorker(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Greet Ada."})
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.Result(t.Context(), id)
	if err != nil || result.Status != run.Completed || string(result.Answer) != `"Hello, Ada."` {
		t.Errorf("%+v, %v", result, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(asked, "|"); got != "plan: planner, scripted|fallback: first, scripted|answer: later, scripted" {
		t.Errorf("asked %s", got)
	}
}
