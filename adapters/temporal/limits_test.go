package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var finalAnswer = llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
})

// newLongTool returns tools, one of which, long, returns a given number of bytes.
func newLongTool(t *testing.T, bytes int) *tool.Registry {
	t.Helper()
	made, err := schema.Dynamic(tool.Definition{Name: "long", Description: "Is long.", Input: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.Marshal(strings.Repeat("x", bytes))
		})
	tools := tool.NewRegistry()
	if err == nil {
		err = tools.Register(made)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func planOf(tools ...string) orchestrator.Input {
	p := &plan.Plan{Goal: "test"}
	for i, name := range tools {
		p.Steps = append(p.Steps, plan.Step{ID: string(rune('1' + i)), Description: name, Tool: name, Arguments: json.RawMessage("{}")})
	}
	return orchestrator.Input{Request: "Do it.", Plan: p}
}

// runToEnd starts a run and returns its result and the length of its history.
func runToEnd(t *testing.T, c client.Client, e *temporal.Engine, in orchestrator.Input) (r *run.Result, bytes int) {
	t.Helper()
	id, err := e.Start(t.Context(), in)
	if err == nil {
		r, err = e.Result(t.Context(), id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r, len(readHistory(t, c, id))
}

// TestMaxCallBytes checks that a call with a result that is too large for Temporal fails, and that the run continues.
func TestMaxCallBytes(t *testing.T) {
	t.Parallel()
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}}) // without Storage
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for size, want := range map[int]string{3 << 20: run.Failed, 900 << 10: run.Completed} {
		e, err := temporal.New(c, url.PathEscape(t.Name()+want), finalAnswer, newLongTool(t, size), temporal.RunOptions(orchestrator.Plan{AfterFailure: orchestrator.Continue}))
		if err != nil {
			t.Fatal(err)
		}
		startWorker(t, e)
		if r, _ := runToEnd(t, c, e, planOf("long")); r.Status != want {
			t.Errorf("a result of %d bytes: %+v, want %s", size, r, want)
		}
	}
}

// TestFullHistory checks that a run whose history is full stops before the server terminates it, and reports why.
func TestFullHistory(t *testing.T) {
	e, err := temporal.New(dialServer(t, sharedServer.Address()), "queue", finalAnswer, newLongTool(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	j := new(journal.Map)
	o, err := orchestrator.New(finalAnswer, newLongTool(t, 1), orchestrator.Journal(j))
	if err != nil {
		t.Fatal(err)
	}
	talk, err := orchestrator.New(finalAnswer, newLongTool(t, 1), orchestrator.Journal(j), orchestrator.Conversation{})
	if err != nil {
		t.Fatal(err)
	}
	starts := func(o *orchestrator.Orchestrator, id string, in orchestrator.Input) *orchestrator.Run {
		in.ID = id
		r, err := o.Start(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	starts(o, "call", planOf("long"))
	starts(o, "model", orchestrator.Input{Request: "Do it."})
	if r, err := starts(talk, "wait", orchestrator.Input{Request: "Good morning."}).Execute(t.Context()); err != nil || r.Status != run.Waiting {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, effects := range map[string]int{"call": 0, "model": 0, "wait": 1} {
		var entries []any
		for entry, err := range j.Read(t.Context(), name, 0) {
			if entries = append(entries, entry); err != nil {
				t.Fatal(err)
			}
		}
		begun, err := temporal.StartInput(name, entries...)
		if err != nil {
			t.Fatal(err)
		}
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(discardLogger{})
		env := suite.NewTestWorkflowEnvironment()
		e.Register(env)
		env.SetCurrentHistoryLength(50_000)
		env.ExecuteWorkflow("aiongen.Run", begun)
		var text converter.RawValue
		var r run.Result
		if err := env.GetWorkflowResult(&text); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text.Payload().Data, &r); err != nil || r.Status != run.OverBudget || r.Error == nil || r.Error.Kind != "history" || r.Usage.ToolCalls+r.Usage.ModelCalls != effects {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestPanics checks that a panicking model is called once, and that a panic in the Events callback does not stop later
// events. The run is interrupted until it is woken.
func TestPanics(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	broken := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if asked <- struct{}{}; len(asked) > 1 {
			return llm.Response{Text: "good morning"}, nil
		}
		panic("it broke")
	})
	e := newBareEngine(t, broken, tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}),
		temporal.Events(func(context.Context, run.Event) { panic("nobody listens") }))
	id, r := executeRun(t, e, orchestrator.Input{Request: "Good morning."})
	if r.Status != run.Interrupted || *r.Error != (run.Error{Kind: "panic", Text: "the model panicked: it broke"}) || len(asked) != 1 {
		t.Fatalf("asked %d times: %+v", len(asked), r)
	}
	if err := e.Wake(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if r, err := e.Result(t.Context(), id); err != nil || r.Error != nil || len(asked) != 2 {
		t.Errorf("asked %d times: %+v, %v", len(asked), r, err)
	}
}

// TestEndedFromOutside checks the error of a run whose workflow was ended from outside. It must not contain Temporal's
// message, which names machines.
func TestEndedFromOutside(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	begun, err := temporal.StartInput("late", 1)
	if err != nil {
		t.Fatal(err)
	}
	late := client.StartWorkflowOptions{ID: "late", TaskQueue: t.Name(), WorkflowExecutionTimeout: 100 * time.Millisecond}
	if _, err := c.client.ExecuteWorkflow(t.Context(), late, "aiongen.Run", begun); err != nil {
		t.Fatal(err)
	}
	id := c.startRun("pay")
	if err := c.client.TerminateWorkflow(t.Context(), id, "", "why not"); err != nil {
		t.Fatal(err)
	}
	for id, how := range map[string]string{id: "terminated", "late": "timed out"} {
		want := run.Error{Kind: "terminated", Text: "the workflow of the run was " + how + " from outside"}
		_, err := c.Result(t.Context(), id)
		if e, is := err.(*run.Error); !is || *e != want {
			t.Errorf("result: %v, want %v", err, want)
		}
		_, err = c.Status(t.Context(), id)
		if e, is := err.(*run.Error); !is || *e != want {
			t.Errorf("status: %v, want %v", err, want)
		}
		if err := c.Send(t.Context(), id, run.Cancel("enough")); tool.Code(err) != "run_ended" {
			t.Error(err)
		}
	}
}

// TestDeadline checks that waiting for missing workers ends when ctx is done.
func TestDeadline(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	id := c.startRun("pay")
	for name, waits := range map[string]func(context.Context) error{
		"Send":   func(ctx context.Context) error { return c.Send(ctx, id, run.Cancel("enough")) },
		"Wake":   func(ctx context.Context) error { return c.Wake(ctx, id) },
		"Result": func(ctx context.Context) error { _, err := c.Result(ctx, id); return err },
		"Status": func(ctx context.Context) error { _, err := c.Status(ctx, id); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if err := waits(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %T %v", name, err, err)
		}
		cancel()
	}
}

// TestStopWithoutServer checks that a worker can be stopped while the server does not answer.
func TestStopWithoutServer(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // never accepts a connection
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	c, err := client.NewLazyClient(client.Options{HostPort: silent.Addr().String(), Logger: discardLogger{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := temporal.New(c, t.Name(), finalAnswer, tool.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Work(ctx) }()
	select {
	case err := <-ended:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(3 * time.Second): // the SDK keeps trying longer than this
		t.Error("it goes on")
	}
}

// TestCancelled checks that canceling the workflow cancels the run.
func TestCancelled(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	startWorker(t, c.Engine)
	id := c.startRun("confirm")
	if r := c.waitForResult(id); r.Status != run.Waiting {
		t.Fatalf("%+v", r)
	}
	if err := c.client.CancelWorkflow(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	c.waitUntil(func() bool { return c.waitForResult(id).Status == run.Cancelled })
}

// TestEvents checks that each event is reported once, even if another worker replays the workflow.
func TestEvents(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	var mu sync.Mutex
	calls := map[string]int{}
	engine := func() *temporal.Engine {
		e, err := newEngine(c.client, t.Name(), c.world, temporal.Events(func(_ context.Context, e run.Event) {
			if end, ok := e.What.(run.CallEnd); ok {
				mu.Lock()
				defer mu.Unlock()
				calls[end.Call.ID]++
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	stop := startWorker(t, engine())
	id := c.startRun("pay", "note", "confirm", "note")
	r := c.waitForResult(id)
	stop()
	startWorker(t, engine())
	if err := c.Send(t.Context(), id, run.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Decline())); err != nil {
		t.Fatal(err)
	}
	c.waitForResult(id)
	mu.Lock()
	defer mu.Unlock()
	for call, n := range calls {
		if n != 1 {
			t.Errorf("%s was told of %d times", call, n)
		}
	}
	if len(calls) != 4 {
		t.Errorf("there were %v", calls)
	}
}

// TestEvictedRun checks that a worker reports when it loses a run because Temporal needs the space in its cache. It
// does not run in parallel: it empties the cache of all workers of this process.
func TestEvictedRun(t *testing.T) {
	c := newCaller(t, sharedServer.Address())
	events := make(chan any, 100)
	e, err := newEngine(c.client, t.Name(), c.world, temporal.Events(func(_ context.Context, e run.Event) {
		switch e.What.(type) {
		case run.RunClaimed, run.RunDetached, run.RunStopped:
			events <- e.What
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	var id string
	c.waitAtDoor("door", func() { id = c.startRun("pay door") })
	if what, ok := (<-events).(run.RunClaimed); !ok {
		t.Fatalf("the first event is %+v", what)
	}
	sdkworker.PurgeStickyWorkflowCache()
	if what, ok := (<-events).(run.RunDetached); !ok || what.Error.Kind != "evicted" {
		t.Fatalf("after the eviction, the worker reports %+v", what)
	}
	c.openDoor("door")
	c.checkResult(c.waitForResult(id), run.Completed, 1)
	for _, want := range []any{run.RunClaimed{}, run.RunStopped{}} {
		if what := <-events; reflect.TypeOf(what) != reflect.TypeOf(want) {
			t.Errorf("then, the worker reports %+v, want a %T", what, want)
		}
	}
}

// TestPinned checks that a run is only executed by workers of the version that started it.
func TestPinned(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	version := func(build string) *temporal.Engine {
		e, err := newEngine(c.client, t.Name(), c.world, temporal.Version("desk", build))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	current := func(build string) {
		desk := c.client.WorkerDeploymentClient().GetHandle("desk")
		c.waitUntil(func() bool {
			_, err := desk.SetCurrentVersion(t.Context(), client.WorkerDeploymentSetCurrentVersionOptions{BuildID: build})
			return err == nil
		})
	}
	stop := startWorker(t, version("1"))
	current("1")
	id := c.startRun("confirm", "pay")
	r := c.waitForResult(id)
	stop()
	startWorker(t, version("2"))
	current("2")
	ctx, cancel := context.WithCancel(t.Context())
	told := make(chan error, 1)
	go func() {
		told <- c.Send(ctx, id, run.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Decline()))
	}()
	if r := c.waitForResult(c.startRun("pay")); r.Status != run.Completed { // executed by the new version
		t.Errorf("%+v", r)
	}
	select {
	case err := <-told:
		t.Errorf("a worker of another version took it: %v", err)
	default:
	}
	startWorker(t, version("1"))
	if err := <-told; err != nil {
		t.Error(err)
	}
	cancel()
	if r := c.waitForResult(id); r.Status != run.Completed {
		t.Errorf("%+v", r)
	}
}

// TestWorkerLeavesForeignRun checks that a program leaves a run that it does not understand to other workers.
func TestWorkerLeavesForeignRun(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	startWorker(t, c.Engine)
	begun, err := temporal.StartInput("newer", map[string]any{"format": 99, "kind": "begin", "by": "somebody", "status": run.Running, "data": map[string]any{"kind": "plan"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "newer", TaskQueue: t.Name()}, "aiongen.Run", begun); err != nil {
		t.Fatal(err)
	}
	c.waitUntil(func() bool {
		return strings.Contains(string(readHistory(t, c.client, "newer")), "only formats up to 1 are supported")
	})
	run, err := c.client.DescribeWorkflowExecution(t.Context(), "newer", "")
	if err != nil || run.WorkflowExecutionInfo.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		t.Errorf("%v, %v", run, err)
	}
}

// TestTooLong checks that a call which exceeds its time limit is not retried. If it is not idempotent, the run waits
// for a decision.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"pay": run.Waiting, "look": run.Failed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := dialServer(t, sharedServer.Address())
			made := make(chan struct{}, 100)
			slow, err := schema.Dynamic(tool.Definition{Name: "slow", Description: "Is slow.", Input: json.RawMessage(`{"type":"object"}`), Annotations: tool.Annotations{ReadOnly: name == "look"}},
				func(context.Context, json.RawMessage) (json.RawMessage, error) {
					made <- struct{}{}
					<-t.Context().Done() // ignores ctx
					return nil, nil
				})
			tools := tool.NewRegistry()
			if err := errors.Join(err, tools.Register(slow)); err != nil {
				t.Fatal(err)
			}
			e, err := temporal.New(c, url.PathEscape(t.Name()), finalAnswer, tools, temporal.CallTimeout(time.Second), temporal.Grace(0))
			if err != nil {
				t.Fatal(err)
			}
			startWorker(t, e)
			if r, _ := runToEnd(t, c, e, planOf("slow")); r.Status != want || len(made) != 1 {
				t.Errorf("called %d times: %+v, want %s", len(made), r, want)
			}
		})
	}
}

// TestRefusals checks that rejected signals do not count against the limit of updates.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	e, err := newEngine(c.client, t.Name(), c.world, temporal.UncheckedUpdates(3))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	id := c.startRun("confirm")
	r := c.waitForResult(id)
	before := strings.Count(string(readHistory(t, c.client, id)), "UPDATE_ACCEPTED")
	for range 10 {
		err := e.Send(t.Context(), id, run.Supply("nonsense", json.RawMessage(`1`)))
		if refused, is := errors.AsType[*run.Error](err); !is || refused.Text == "" {
			t.Fatalf("%T %v", err, err)
		}
	}
	if n := strings.Count(string(readHistory(t, c.client, id)), "UPDATE_ACCEPTED") - before; n != 3 {
		t.Errorf("%d refusals are in the history", n)
	}
	if err := e.Wake(t.Context(), id); err == nil {
		t.Error("a run that waits takes in that it is to wake")
	}
	if err := e.Send(t.Context(), id, run.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`)))); err != nil {
		t.Error(err)
	}
	if r := c.waitForResult(id); r.Status != run.Completed {
		t.Errorf("%+v", r)
	}
}
