package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var done = llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
})

// long are tools of which one, long, returns so many bytes.
func long(t *testing.T, bytes int) *tool.Registry {
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

func steps(tools ...string) orchestrator.Input {
	p := &plan.Plan{Goal: "test"}
	for i, name := range tools {
		p.Steps = append(p.Steps, plan.Step{ID: string(rune('1' + i)), Description: name, Tool: name, Arguments: json.RawMessage("{}")})
	}
	return orchestrator.Input{Request: "Do it.", Plan: p}
}

// finish starts a run and returns what became of it, and how long its history is.
func finish(t *testing.T, c client.Client, e *temporal.Engine, in orchestrator.Input) (r *record.Result, bytes int) {
	t.Helper()
	id, err := e.Start(t.Context(), in)
	if err == nil {
		r, err = e.Result(t.Context(), id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r, len(told(t, c, id))
}

// TestOutputs: a result that Temporal would not take is a call that failed, and the run
// goes on.
func TestOutputs(t *testing.T) {
	t.Parallel()
	c, err := client.Dial(client.Options{HostPort: shared.Address(), Logger: quiet{}}) // without storage
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for size, want := range map[int]string{3 << 20: record.Failed, 900 << 10: record.Completed} {
		e, err := temporal.New(c, url.PathEscape(t.Name()+want), done, long(t, size), temporal.Runs(orchestrator.Plan{AfterFailure: orchestrator.Continue}))
		if err != nil {
			t.Fatal(err)
		}
		work(t, e)
		if r, _ := finish(t, c, e, steps("long")); r.Status != want {
			t.Errorf("a result of %d bytes: %+v, want %s", size, r, want)
		}
	}
}

// TestFullHistory: a run whose history has no room for more stops before the server ends
// it, and says why.
func TestFullHistory(t *testing.T) {
	e, err := temporal.New(dial(t, shared.Address()), "queue", done, long(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	j := new(journal.Map)
	o, err := orchestrator.New(done, long(t, 1), orchestrator.Journal(j))
	if err != nil {
		t.Fatal(err)
	}
	talk, err := orchestrator.New(done, long(t, 1), orchestrator.Journal(j), orchestrator.Conversation{})
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
	starts(o, "call", steps("long"))
	starts(o, "model", orchestrator.Input{Request: "Do it."})
	if r, err := starts(talk, "wait", orchestrator.Input{Request: "Good morning."}).Execute(t.Context()); err != nil || r.Status != record.Waiting {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, effects := range map[string]int{"call": 0, "model": 0, "wait": 1} {
		var entries []any
		for entry, err := range j.Read(t.Context(), name, 0) {
			if entries = append(entries, entry); err != nil {
				t.Fatal(err)
			}
		}
		begun, err := temporal.Begun(name, entries...)
		if err != nil {
			t.Fatal(err)
		}
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(quiet{})
		env := suite.NewTestWorkflowEnvironment()
		e.Register(env)
		env.SetCurrentHistoryLength(50_000)
		env.ExecuteWorkflow("aiongen.Run", begun)
		var text converter.RawValue
		var r record.Result
		if err := env.GetWorkflowResult(&text); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text.Payload().Data, &r); err != nil || r.Status != record.OverBudget || r.Error == nil || r.Error.Kind != "history" || r.Usage.ToolCalls+r.Usage.ModelCalls != effects {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestPanics: a model that panics is asked once, and who is told of events by whom that
// happens is told of the next. The run is interrupted until it is woken.
func TestPanics(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	broken := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if asked <- struct{}{}; len(asked) > 1 {
			return llm.Response{Text: "good morning"}, nil
		}
		panic("it broke")
	})
	e := bare(t, broken, tool.NewRegistry(), temporal.Runs(orchestrator.Conversation{}),
		temporal.Events(func(context.Context, record.Event) { panic("nobody listens") }))
	id, r := carryOut(t, e, orchestrator.Input{Request: "Good morning."})
	if r.Status != record.Interrupted || *r.Error != (record.Error{Kind: "panic", Text: "the model panicked: it broke"}) || len(asked) != 1 {
		t.Fatalf("asked %d times: %+v", len(asked), r)
	}
	if err := e.Wake(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if r, err := e.Result(t.Context(), id); err != nil || r.Error != nil || len(asked) != 2 {
		t.Errorf("asked %d times: %+v, %v", len(asked), r, err)
	}
}

// TestEndedFromOutside: a run whose workflow did not end by itself says so, without how
// Temporal says it, which names machines.
func TestEndedFromOutside(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	begun, err := temporal.Begun("late", 1)
	if err != nil {
		t.Fatal(err)
	}
	late := client.StartWorkflowOptions{ID: "late", TaskQueue: t.Name(), WorkflowExecutionTimeout: 100 * time.Millisecond}
	if _, err := c.client.ExecuteWorkflow(t.Context(), late, "aiongen.Run", begun); err != nil {
		t.Fatal(err)
	}
	id := c.begin("pay")
	if err := c.client.TerminateWorkflow(t.Context(), id, "", "why not"); err != nil {
		t.Fatal(err)
	}
	for id, how := range map[string]string{id: "terminated", "late": "timed out"} {
		want := record.Error{Kind: "terminated", Text: "the workflow of the run was " + how + " from outside"}
		_, err := c.Result(t.Context(), id)
		if e, is := err.(*record.Error); !is || *e != want {
			t.Errorf("result: %v, want %v", err, want)
		}
		_, err = c.Status(t.Context(), id)
		if e, is := err.(*record.Error); !is || *e != want {
			t.Errorf("status: %v, want %v", err, want)
		}
		if err := c.Send(t.Context(), id, record.Cancel("enough")); tool.Code(err) != "run_ended" {
			t.Error(err)
		}
	}
}

// TestDeadline: who waits for workers that are not there is told that its time is over.
func TestDeadline(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	id := c.begin("pay")
	for name, waits := range map[string]func(context.Context) error{
		"Send":   func(ctx context.Context) error { return c.Send(ctx, id, record.Cancel("enough")) },
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

// TestUnanswered: a worker ends when it is told to, also while the server does not answer.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // and takes nobody in
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	c, err := client.NewLazyClient(client.Options{HostPort: silent.Addr().String(), Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := temporal.New(c, t.Name(), done, tool.NewRegistry())
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
	case <-time.After(3 * time.Second): // the SDK tries for longer to reach a server
		t.Error("it goes on")
	}
}

// TestCancelled: who cancels the workflow cancels the run.
func TestCancelled(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	work(t, c.Engine)
	id := c.begin("confirm")
	if r := c.result(id); r.Status != record.Waiting {
		t.Fatalf("%+v", r)
	}
	if err := c.client.CancelWorkflow(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	c.until(func() bool { return c.result(id).Status == record.Cancelled })
}

// TestEvents: what happened is told once, whoever makes the workflow again.
func TestEvents(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	var mu sync.Mutex
	calls := map[string]int{}
	engine := func() *temporal.Engine {
		e, err := newEngine(c.client, t.Name(), c.world, temporal.Events(func(_ context.Context, e record.Event) {
			if end, ok := e.What.(record.CallEnd); ok {
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
	stop := work(t, engine())
	id := c.begin("pay", "note", "confirm", "note")
	r := c.result(id)
	stop()
	work(t, engine())
	if err := c.Send(t.Context(), id, record.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Decline())); err != nil {
		t.Fatal(err)
	}
	c.result(id)
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

// TestPinned: a run is for workers of the version that it began with.
func TestPinned(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	version := func(build string) *temporal.Engine {
		e, err := newEngine(c.client, t.Name(), c.world, temporal.Version("desk", build))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	current := func(build string) {
		desk := c.client.WorkerDeploymentClient().GetHandle("desk")
		c.until(func() bool {
			_, err := desk.SetCurrentVersion(t.Context(), client.WorkerDeploymentSetCurrentVersionOptions{BuildID: build})
			return err == nil
		})
	}
	stop := work(t, version("1"))
	current("1")
	id := c.begin("confirm", "pay")
	r := c.result(id)
	stop()
	work(t, version("2"))
	current("2")
	ctx, cancel := context.WithCancel(t.Context())
	told := make(chan error, 1)
	go func() {
		told <- c.Send(ctx, id, record.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Decline()))
	}()
	if r := c.result(c.begin("pay")); r.Status != record.Completed { // by the new version
		t.Errorf("%+v", r)
	}
	select {
	case err := <-told:
		t.Errorf("a worker of another version took it: %v", err)
	default:
	}
	work(t, version("1"))
	if err := <-told; err != nil {
		t.Error(err)
	}
	cancel()
	if r := c.result(id); r.Status != record.Completed {
		t.Errorf("%+v", r)
	}
}

// TestLeft: a run that a program does not understand is left to others.
func TestLeft(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	work(t, c.Engine)
	begun, err := temporal.Begun("newer", map[string]any{"format": 99, "kind": "begin", "by": "somebody", "status": record.Running, "data": map[string]any{"kind": "plan"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "newer", TaskQueue: t.Name()}, "aiongen.Run", begun); err != nil {
		t.Fatal(err)
	}
	c.until(func() bool {
		return strings.Contains(string(told(t, c.client, "newer")), "only 1 is known")
	})
	run, err := c.client.DescribeWorkflowExecution(t.Context(), "newer", "")
	if err != nil || run.WorkflowExecutionInfo.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		t.Errorf("%v, %v", run, err)
	}
}

// TestTooLong: a call that takes too long is not made again and again. What may not be made
// again waits for a decision.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"pay": record.Waiting, "look": record.Failed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := dial(t, shared.Address())
			made := make(chan struct{}, 100)
			slow, err := schema.Dynamic(tool.Definition{Name: "slow", Description: "Is slow.", Input: json.RawMessage(`{"type":"object"}`), Annotations: tool.Annotations{ReadOnly: name == "look"}},
				func(context.Context, json.RawMessage) (json.RawMessage, error) {
					made <- struct{}{}
					<-t.Context().Done() // heeds nothing else
					return nil, nil
				})
			tools := tool.NewRegistry()
			if err := errors.Join(err, tools.Register(slow)); err != nil {
				t.Fatal(err)
			}
			e, err := temporal.New(c, url.PathEscape(t.Name()), done, tools, temporal.Longest(time.Second), temporal.Grace(0))
			if err != nil {
				t.Fatal(err)
			}
			work(t, e)
			if r, _ := finish(t, c, e, steps("slow")); r.Status != want || len(made) != 1 {
				t.Errorf("called %d times: %+v, want %s", len(made), r, want)
			}
		})
	}
}

// TestRefusals: what a run refuses leaves room for what it takes.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	e, err := newEngine(c.client, t.Name(), c.world, temporal.Untried(3))
	if err != nil {
		t.Fatal(err)
	}
	work(t, e)
	id := c.begin("confirm")
	r := c.result(id)
	before := strings.Count(string(told(t, c.client, id)), "UPDATE_ACCEPTED")
	for range 10 {
		err := e.Send(t.Context(), id, record.Supply("nonsense", json.RawMessage(`1`)))
		if refused, is := errors.AsType[*record.Error](err); !is || refused.Text == "" {
			t.Fatalf("%T %v", err, err)
		}
	}
	if n := strings.Count(string(told(t, c.client, id)), "UPDATE_ACCEPTED") - before; n != 3 {
		t.Errorf("%d refusals are in the history", n)
	}
	if err := e.Wake(t.Context(), id); err == nil {
		t.Error("a run that waits takes in that it is to wake")
	}
	if err := e.Send(t.Context(), id, record.Reply(r.Calls[0].Call, r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`)))); err != nil {
		t.Error(err)
	}
	if r := c.result(id); r.Status != record.Completed {
		t.Errorf("%+v", r)
	}
}
