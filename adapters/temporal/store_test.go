package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestStore checks that later steps of a run, but not other runs, read the output of a step from the store.
func TestStore(t *testing.T) {
	t.Parallel()
	tools := tool.NewRegistry()
	looks, err := schema.Dynamic(tool.Definition{Name: "look", Description: "Tells what the first step gave."},
		func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			store, err := memory.Supplied(ctx)
			if err != nil {
				return nil, err
			}
			value, there, err := store.Read(ctx, "step_1_result")
			if !there {
				value = json.RawMessage("null")
			}
			return json.RawMessage("[" + string(value) + "]"), err
		})
	if err := errors.Join(err, tools.Register(looks)); err != nil {
		t.Fatal(err)
	}
	store := new(memory.Map)
	e, err := temporal.New(dialServer(t, sharedServer.Address()), t.Name(), finalAnswer, tools, temporal.Store(store))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	for _, id := range []string{"first", "second"} {
		in := planOf("look", "look")
		in.ID = t.Name() + id
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if r, err := e.Result(t.Context(), in.ID); err != nil || r.Status != run.Completed {
			t.Fatalf("%+v, %v", r, err)
		}
		for step, want := range map[string]string{"1": "[null]", "2": "[[null]]"} {
			if value, _, err := store.Read(t.Context(), "run/"+in.ID+"/step_"+step+"_result"); err != nil || string(value) != want {
				t.Errorf("run %s, step %s: %s, %v", id, step, value, err)
			}
		}
	}
}

// outOfOrderError is a transient error of a model.
type outOfOrderError struct{}

func (outOfOrderError) Error() string   { return "out of order" }
func (outOfOrderError) Retryable() bool { return true }

// TestRetryPause checks that a run pauses after its model has failed for longer than ModelRetryTimeout, and processes
// signals meanwhile.
func TestRetryPause(t *testing.T) {
	t.Parallel()
	failing := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, outOfOrderError{} })
	e, err := temporal.New(dialServer(t, sharedServer.Address()), t.Name(), failing, tool.NewRegistry(),
		temporal.ModelRetryTimeout(time.Second), temporal.RunOptions(orchestrator.Conversation{}))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Good morning."})
	if err != nil {
		t.Fatal(err)
	}
	for status := ""; status != run.Interrupted; time.Sleep(50 * time.Millisecond) {
		s, err := e.Status(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if status = s.Result.Status; s.Idle {
			t.Fatalf("it does not go on by itself: %+v", s)
		}
	}
	if err := e.Send(t.Context(), id, run.Cancel("enough")); err != nil {
		t.Fatal(err)
	}
	if r, err := e.Result(t.Context(), id); err != nil || r.Status != run.Cancelled {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLostWorkers checks that a run continues by itself after its workers were away for longer than ModelRetryTimeout.
func TestLostWorkers(t *testing.T) {
	t.Parallel()
	slow := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		time.Sleep(time.Second)
		return llm.Response{Text: "late"}, nil
	})
	e, err := temporal.New(dialServer(t, sharedServer.Address()), t.Name(), slow, tool.NewRegistry(), temporal.ModelRetryTimeout(200*time.Millisecond), temporal.RunOptions(orchestrator.Conversation{}))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Good morning."})
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, err := e.Status(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Result.Status == run.Interrupted {
			if s.Idle || !s.Result.Error.Retry {
				t.Errorf("%+v, %+v", s, s.Result.Error)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestImpure checks that options with effects outside the workflow are rejected.
func TestImpure(t *testing.T) {
	t.Parallel()
	c := dialServer(t, sharedServer.Address())
	for what, option := range map[string]orchestrator.Option{
		"Recall":  orchestrator.Recall(new(memory.Map), "user/"),
		"Store":   orchestrator.Store(new(memory.Map)),
		"Journal": orchestrator.Journal(new(journal.Map)),
		"Events":  orchestrator.Events(func(context.Context, run.Event) {}),
		"Chunks":  orchestrator.ConfigureEnv(func(e *run.Env) { e.Chunks = func(context.Context, run.Event) {} }),
		"Clock":   orchestrator.ConfigureEnv(func(e *run.Env) { e.Clock = time.Now }),
		"Sleep":   orchestrator.ConfigureEnv(func(e *run.Env) { e.Sleep = func(context.Context, time.Duration) {} }),
		"Grace":   orchestrator.ConfigureEnv(func(e *run.Env) { e.Grace = time.Second }),
	} {
		_, err := temporal.New(c, t.Name(), finalAnswer, tool.NewRegistry(), temporal.RunOptions(orchestrator.Plan{}, option))
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("with %s: %v", what, err)
		}
	}
	for _, option := range []temporal.Option{temporal.MaxCallBytes(0), temporal.Version("", "b"), temporal.Version("d", ""), temporal.HeartbeatTimeout(0)} {
		if _, err := temporal.New(c, t.Name(), finalAnswer, tool.NewRegistry(), option); err == nil {
			t.Error("an option that cannot work is taken")
		}
	}
	pure := orchestrator.ConfigureEnv(func(e *run.Env) { e.Parallel, e.Repeats, e.Cost = 2, 2, func(string, llm.Usage) float64 { return 0 } })
	if _, err := temporal.New(c, t.Name(), finalAnswer, tool.NewRegistry(), temporal.RunOptions(orchestrator.Plan{}, pure, orchestrator.BaseRequest(llm.Request{}))); err != nil {
		t.Error(err)
	}
}

// TestParallel checks that the limit of concurrent calls is respected.
func TestParallel(t *testing.T) {
	t.Parallel()
	const most = 2
	var now, peak atomic.Int32
	full, begin := context.WithCancel(t.Context())
	tools := tool.NewRegistry()
	look, err := schema.Dynamic(tool.Definition{Name: "look", Description: "Looks.", Annotations: tool.Annotations{ReadOnly: true}},
		func(context.Context, json.RawMessage) (json.RawMessage, error) {
			n := now.Add(1)
			defer now.Add(-1)
			peak.Store(max(peak.Load(), n))
			if n == most {
				begin()
			}
			<-full.Done()
			time.Sleep(50 * time.Millisecond) // time for an excess call to start
			return json.RawMessage("null"), nil
		})
	if err := errors.Join(err, tools.Register(look)); err != nil {
		t.Fatal(err)
	}
	turn := 0
	model := llm.Func(func(context.Context, llm.Request) (r llm.Response, err error) {
		if turn++; turn > 1 {
			return llm.Response{Text: "done"}, nil
		}
		for i := range 6 {
			r.Calls = append(r.Calls, tool.Request{ID: fmt.Sprint(i), Name: "look", Arguments: json.RawMessage("{}")})
		}
		return r, nil
	})
	e, err := temporal.New(dialServer(t, sharedServer.Address()), t.Name(), model, tools,
		temporal.RunOptions(orchestrator.Conversation{}, orchestrator.ConfigureEnv(func(e *run.Env) { e.Parallel = most })))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Look around."})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Result(t.Context(), id)
	if err != nil || r.Usage.ToolCalls != 6 || peak.Load() != most {
		t.Errorf("there were %d at a time; %+v, %v", peak.Load(), r, err)
	}
}
