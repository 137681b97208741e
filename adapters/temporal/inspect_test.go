package temporal_test

import (
	"testing"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/internal/inspecttest"
	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestInspect shows and controls the runs of workers on the inspection page. Temporal cannot fork runs.
func TestInspect(t *testing.T) {
	t.Parallel()
	inspecttest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry) inspecttest.Engine {
		e, err := temporal.New(dialServer(t, sharedServer.Address()), t.Name(), model, tools)
		if err != nil {
			t.Fatal(err)
		}
		startWorker(t, e)
		agent, err := orchestrator.New(model, tools, orchestrator.Journal(e.Journal()))
		if err != nil {
			t.Fatal(err)
		}
		return inspecttest.Engine{Page: inspect.Config{Agent: agent, Send: e.Send, Wake: e.Wake}, Start: e.Start}
	})
}
