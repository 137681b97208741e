package postgres_test

import (
	"net/http/httptest"
	"testing"

	"github.com/aiongen/aiongen/internal/inspecttest"
	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestInspect shows and controls the runs of workers on the inspection page.
func TestInspect(t *testing.T) {
	inspecttest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry) inspecttest.Engine {
		db := openDB(t, newSchema(t))
		o, err := orchestrator.New(model, tools, orchestrator.Journal(db.Journal()))
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(t, db, &desk{Orchestrator: o})
		startWorking(t, e)
		return inspecttest.Engine{Page: inspect.Config{Agent: o, Send: e.Send, Fork: e.Fork, Wake: e.Wake}, Start: e.Start}
	})
}

// TestInspectProcess watches a run that another process executes, and finds it complete after that process has been
// killed.
func TestInspectProcess(t *testing.T) {
	url := newSchema(t)
	c := newClient(t, url)
	handler, err := inspect.New(inspect.Config{Journal: openDB(t, url).Journal(), Send: c.Send})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	page := inspecttest.Page{URL: server.URL}
	w := newWorker(t, url)
	c.waitAtDoor("door", func() { c.startRun("r", "look", "pay door") })
	page.WatchRun(t, "r", "call: pay")
	inspecttest.CheckTexts(t, page.Get(t, "run?id=r"), "running", "call: look")
	c.openDoor("door")
	page.WatchRun(t, "r", "completed")
	if err := w.Kill(); err != nil {
		t.Fatal(err)
	}
	shown := page.Get(t, "run?id=r")
	inspecttest.CheckTexts(t, shown, run.Completed, "2 tool calls")
	inspecttest.CheckTexts(t, page.Get(t, inspecttest.FindLink(t, shown, "model: answer")), "Request, as a JSON string")
}
