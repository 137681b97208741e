package temporal_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"go.temporal.io/sdk/client"

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

// queryCounter counts the queries of a client.
type queryCounter struct{ atomic.Int64 }

// CheckCallAllowed implements the SDK's TrafficController.
func (q *queryCounter) CheckCallAllowed(_ context.Context, method string, _, _ any) error {
	if strings.HasSuffix(method, "/QueryWorkflow") {
		q.Add(1)
	}
	return nil
}

// TestInspectWithoutWorkers lists runs after the last worker has stopped. The page must not wait for each of them.
func TestInspectWithoutWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("Temporal takes ten seconds to miss a worker")
	}
	t.Parallel()
	var queries queryCounter
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}, TrafficController: &queries})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := temporal.New(c, t.Name(), finalAnswer, tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}))
	if err != nil {
		t.Fatal(err)
	}
	stop := startWorker(t, e)
	const runs = 3
	for i := range runs {
		id, err := e.Start(t.Context(), orchestrator.Input{ID: fmt.Sprint("alone-", i), Request: "Hello."})
		if err == nil {
			_, err = e.Result(t.Context(), id)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stop()
	missing := "no worker answers"
	for text := ""; !strings.Contains(text, missing); { // at first, Temporal waits for the worker that it has seen
		for _, err := range e.Journal().Read(t.Context(), "alone-0", 0) {
			text = fmt.Sprint(err)
		}
	}
	handler, err := inspect.New(inspect.Config{Journal: e.Journal(), Send: e.Send})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	before := queries.Load()
	list := inspecttest.Page{URL: server.URL}.Get(t, "runs")
	inspecttest.CheckTexts(t, list, "alone-0", "alone-1", "alone-2", "running")
	if n := strings.Count(list, missing); n != runs || queries.Load() != before {
		t.Errorf("%d queries, %d of the runs say that there is no worker:\n%s", queries.Load()-before, n, list)
	}
}
