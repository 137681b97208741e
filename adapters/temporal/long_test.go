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
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newBareEngine returns an engine with a running worker, whose client has no Storage.
func newBareEngine(t *testing.T, model llm.Model, tools *tool.Registry, options ...temporal.Option) *temporal.Engine {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	e, err := temporal.New(c, url.PathEscape(t.Name()), model, tools, options...)
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	return e
}

func executeRun(t *testing.T, e *temporal.Engine, in orchestrator.Input) (id string, r *run.Result) {
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

// TestLongRequest checks that a request which is too long for Temporal counts as too long for the model, and that the
// run continues.
func TestLongRequest(t *testing.T) {
	t.Parallel()
	e := newBareEngine(t, finalAnswer, tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}))
	id, r := executeRun(t, e, orchestrator.Input{Request: strings.Repeat("x", 3<<19)})
	if err := e.Send(t.Context(), id, run.Say(llm.Message{Role: llm.RoleUser, Text: strings.Repeat("y", 1<<20)})); err != nil {
		t.Fatal(r, err)
	}
	r, err := e.Result(t.Context(), id)
	if err != nil || r.Error == nil || r.Error.Kind != llm.ContextFull {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLongAnswer checks that an answer which is too long for Temporal is rejected and not requested again.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	e := newBareEngine(t, llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		asked.Add(1)
		return llm.Response{Text: strings.Repeat("x", 3<<20)}, nil
	}), tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}))
	_, r := executeRun(t, e, orchestrator.Input{Request: "Good morning."})
	if r.Error == nil || r.Error.Kind != "long_answer" || r.Error.Retry || asked.Load() != 1 {
		t.Errorf("it was asked %d times; %+v", asked.Load(), r)
	}
}

// TestLongArguments checks that a call whose arguments are too long for Temporal fails without calling the function,
// and that concurrent calls are split into parts that Temporal accepts.
func TestLongArguments(t *testing.T) {
	t.Parallel()
	tools := newLongTool(t, 900<<10)
	var told atomic.Int32
	tell, err := schema.Dynamic(tool.Definition{Name: "tell", Description: "Tells.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, json.RawMessage) (json.RawMessage, error) {
			told.Add(1)
			return json.RawMessage("null"), nil
		})
	if err := errors.Join(err, tools.Register(tell)); err != nil {
		t.Fatal(err)
	}
	e := newBareEngine(t, finalAnswer, tools, temporal.RunOptions(orchestrator.Plan{AfterFailure: orchestrator.Continue}))
	p := &plan.Plan{Goal: "test", Steps: []plan.Step{{ID: "a", Description: "long", Tool: "long", Arguments: json.RawMessage("{}")}}}
	step := func(id, arguments string) {
		p.Steps = append(p.Steps, plan.Step{ID: id, Description: "tell", Tool: "tell", Arguments: json.RawMessage(arguments)})
	}
	for i := range 6 {
		step(fmt.Sprint(i), `{"x":"<<step:a>>"}`)
	}
	step("long", `{"x":"<<step:a>>","y":"<<step:a>>","z":"<<step:a>>"}`)
	step("last", `{}`)
	_, r := executeRun(t, e, orchestrator.Input{Request: "Do it.", Plan: p})
	if told.Load() != 7 || r.Status != run.Failed {
		t.Errorf("it was told %d times; %+v", told.Load(), r)
	}
}
