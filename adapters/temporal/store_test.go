package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
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
