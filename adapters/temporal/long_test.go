package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"go.temporal.io/sdk/client"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// bare returns an engine whose client has no storage, and works.
func bare(t *testing.T, model llm.Model, tools *tool.Registry, options ...temporal.Option) *temporal.Engine {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: shared.Address(), Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	e, err := temporal.New(c, url.PathEscape(t.Name()), model, tools, options...)
	if err != nil {
		t.Fatal(err)
	}
	work(t, e)
	return e
}

func carryOut(t *testing.T, e *temporal.Engine, in orchestrator.Input) (id string, r *record.Result) {
	t.Helper()
	id, err := e.Start(t.Context(), in)
	if err == nil {
		r, err = e.Result(t.Context(), id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id, r
}

// TestLongRequest: a request that Temporal would not take is one that is too long for the
// model, and the run goes on.
func TestLongRequest(t *testing.T) {
	t.Parallel()
	e := bare(t, done, tool.NewRegistry(), temporal.Runs(orchestrator.Conversation{}))
	id, r := carryOut(t, e, orchestrator.Input{Request: strings.Repeat("x", 3<<19)})
	if err := e.Send(t.Context(), id, record.Say(llm.Message{Role: llm.RoleUser, Text: strings.Repeat("y", 1<<20)})); err != nil {
		t.Fatal(r, err)
	}
	r, err := e.Result(t.Context(), id)
	if err != nil || r.Error == nil || r.Error.Kind != llm.ContextFull {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLongAnswer: an answer that Temporal would not take is none, and is not asked for over
// and over.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	e := bare(t, llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		asked.Add(1)
		return llm.Response{Text: strings.Repeat("x", 3<<20)}, nil
	}), tool.NewRegistry(), temporal.Runs(orchestrator.Conversation{}))
	_, r := carryOut(t, e, orchestrator.Input{Request: "Good morning."})
	if r.Error == nil || r.Error.Kind != "long_answer" || r.Error.Retry || asked.Load() != 1 {
		t.Errorf("it was asked %d times; %+v", asked.Load(), r)
	}
}

// TestLongArguments: a call whose arguments Temporal would not take has failed, its function
// is not called, and calls side by side go in as many parts as it takes.
func TestLongArguments(t *testing.T) {
	t.Parallel()
	tools := long(t, 900<<10)
	var told atomic.Int32
	tell, err := schema.Dynamic(tool.Definition{Name: "tell", Description: "Tells.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, json.RawMessage) (json.RawMessage, error) {
			told.Add(1)
			return json.RawMessage("null"), nil
		})
	if err := errors.Join(err, tools.Register(tell)); err != nil {
		t.Fatal(err)
	}
	e := bare(t, done, tools, temporal.Runs(orchestrator.Plan{AfterFailure: orchestrator.Continue}))
	p := &plan.Plan{Goal: "test", Steps: []plan.Step{{ID: "a", Description: "long", Tool: "long", Arguments: json.RawMessage("{}")}}}
	step := func(id, arguments string) {
		p.Steps = append(p.Steps, plan.Step{ID: id, Description: "tell", Tool: "tell", Arguments: json.RawMessage(arguments)})
	}
	for i := range 6 {
		step(fmt.Sprint(i), `{"x":"<<step:a>>"}`)
	}
	step("long", `{"x":"<<step:a>>","y":"<<step:a>>","z":"<<step:a>>"}`)
	step("last", `{}`)
	_, r := carryOut(t, e, orchestrator.Input{Request: "Do it.", Plan: p})
	if told.Load() != 7 || r.Status != record.Failed {
		t.Errorf("it was told %d times; %+v", told.Load(), r)
	}
}
