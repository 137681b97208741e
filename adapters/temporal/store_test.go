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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestStore: what a step gave is in the store of those after it, and of no other run.
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
	e, err := temporal.New(dial(t, shared.Address()), t.Name(), done, tools, temporal.Store(store))
	if err != nil {
		t.Fatal(err)
	}
	work(t, e)
	for _, id := range []string{"first", "second"} {
		in := steps("look", "look")
		in.ID = t.Name() + id
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if r, err := e.Result(t.Context(), in.ID); err != nil || r.Status != record.Completed {
			t.Fatalf("%+v, %v", r, err)
		}
		for step, want := range map[string]string{"1": "[null]", "2": "[[null]]"} {
			if value, _, err := store.Read(t.Context(), "run/"+in.ID+"/step_"+step+"_result"); err != nil || string(value) != want {
				t.Errorf("run %s, step %s: %s, %v", id, step, value, err)
			}
		}
	}
}

// out is an error of a model that may pass.
type out struct{}

func (out) Error() string   { return "out of order" }
func (out) Retryable() bool { return true }

// TestRest: a run whose model failed for longer than there is patience rests, and can be
// told something meanwhile.
func TestRest(t *testing.T) {
	t.Parallel()
	failing := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, out{} })
	e, err := temporal.New(dial(t, shared.Address()), t.Name(), failing, tool.NewRegistry(),
		temporal.Patience(time.Second), temporal.Runs(orchestrator.Conversation{}))
	if err != nil {
		t.Fatal(err)
	}
	work(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Good morning."})
	if err != nil {
		t.Fatal(err)
	}
	for status := ""; status != record.Interrupted; time.Sleep(50 * time.Millisecond) {
		s, err := e.Status(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if status = s.Result.Status; s.Idle {
			t.Fatalf("it does not go on by itself: %+v", s)
		}
	}
	if err := e.Send(t.Context(), id, record.Cancel("enough")); err != nil {
		t.Fatal(err)
	}
	if r, err := e.Result(t.Context(), id); err != nil || r.Status != record.Cancelled {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLost: a run whose workers were away for longer than there is patience goes on by itself.
func TestLost(t *testing.T) {
	t.Parallel()
	slow := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		time.Sleep(time.Second)
		return llm.Response{Text: "late"}, nil
	})
	e, err := temporal.New(dial(t, shared.Address()), t.Name(), slow, tool.NewRegistry(), temporal.Patience(200*time.Millisecond), temporal.Runs(orchestrator.Conversation{}))
	if err != nil {
		t.Fatal(err)
	}
	work(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Good morning."})
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, err := e.Status(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Result.Status == record.Interrupted {
			if s.Idle || !s.Result.Error.Retry {
				t.Errorf("%+v, %+v", s, s.Result.Error)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestImpure: what would touch the world in a workflow is refused.
func TestImpure(t *testing.T) {
	t.Parallel()
	c := dial(t, shared.Address())
	for what, option := range map[string]orchestrator.Option{
		"Recall":  orchestrator.Recall(new(memory.Map), "user/"),
		"Store":   orchestrator.Store(new(memory.Map)),
		"Journal": orchestrator.Journal(new(journal.Map)),
		"Events":  orchestrator.Events(func(context.Context, record.Event) {}),
		"Chunks":  orchestrator.Env(func(e *run.Env) { e.Chunks = func(context.Context, record.Event) {} }),
		"Clock":   orchestrator.Env(func(e *run.Env) { e.Clock = time.Now }),
		"Sleep":   orchestrator.Env(func(e *run.Env) { e.Sleep = func(context.Context, time.Duration) {} }),
		"Grace":   orchestrator.Env(func(e *run.Env) { e.Grace = time.Second }),
	} {
		_, err := temporal.New(c, t.Name(), done, tool.NewRegistry(), temporal.Runs(orchestrator.Plan{}, option))
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("with %s: %v", what, err)
		}
	}
	for _, option := range []temporal.Option{temporal.Outputs(0), temporal.Version("", "b"), temporal.Version("d", ""), temporal.Silence(0)} {
		if _, err := temporal.New(c, t.Name(), done, tool.NewRegistry(), option); err == nil {
			t.Error("an option that cannot work is taken")
		}
	}
	pure := orchestrator.Env(func(e *run.Env) { e.Parallel, e.Repeats, e.Cost = 2, 2, func(string, llm.Usage) float64 { return 0 } })
	if _, err := temporal.New(c, t.Name(), done, tool.NewRegistry(), temporal.Runs(orchestrator.Plan{}, pure, orchestrator.With(llm.Request{}))); err != nil {
		t.Error(err)
	}
}

// TestParallel: no more calls are made side by side than the run is to.
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
			time.Sleep(50 * time.Millisecond) // for one more to come, which must not
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
	e, err := temporal.New(dial(t, shared.Address()), t.Name(), model, tools,
		temporal.Runs(orchestrator.Conversation{}, orchestrator.Env(func(e *run.Env) { e.Parallel = most })))
	if err != nil {
		t.Fatal(err)
	}
	work(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{Request: "Look around."})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Result(t.Context(), id)
	if err != nil || r.Usage.ToolCalls != 6 || peak.Load() != most {
		t.Errorf("there were %d at a time; %+v, %v", peak.Load(), r, err)
	}
}
