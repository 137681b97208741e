package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestOutage checks that an unavailable model interrupts a run, which continues at the same point,
// even in another process.
func TestOutage(t *testing.T) {
	for _, kind := range []string{"plan", "conversation"} {
		w := newWorld(t)
		w.answers = []llm.Response{calls("pay {}"), {Text: "paid"}}
		in := orchestrator.Input{Kind: kind, Request: "pay"}
		if kind == "plan" {
			w.answers = []llm.Response{{Text: "paid"}}
			in.Plan = steps("pay {}")
			in.Plan.Steps = append(in.Plan.Steps, plan.Step{ID: "2", Description: "say so", Agent: plan.AgentLLM})
		}
		w.during["pay"] = func(context.Context) (any, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.err = &llm.Error{Kind: llm.ServerError, Status: 503, Err: errors.New("overloaded")}
			return "ok", nil
		}
		start(t, w.orchestrator(t), in)
		result := execute(t, open(t, w.orchestrator(t)), run.Interrupted)
		if !result.Error.Retry || result.Error.Kind != llm.ServerError {
			t.Errorf("%s: it was interrupted by %+v", kind, result.Error)
		}
		r := open(t, w.orchestrator(t))
		if s := r.State(); s.Status != run.Interrupted {
			t.Errorf("%s: its state is %s", kind, s.Status)
		}
		result, err := r.Execute(t.Context())
		if err != nil || string(result.Answer) != `"paid"` || len(w.effects) != 1 {
			t.Errorf("%s: %+v after %q, %v", kind, result, w.effects, err)
		}
	}
}

// TestApproval checks that a call waits until somebody decides about it, in any process, and keeps its
// ID.
func TestApproval(t *testing.T) {
	for name, test := range map[string]struct {
		signal  run.Signal
		effects []string
		result  string
	}{
		"approved": {run.Approve("r/1/1", "ada", nil), []string{`send r/1/1 {"to":"bob"}`}, `"r/1/1"`},
		"edited":   {run.Approve("r/1/1", "ada", json.RawMessage(`{"to":"eve"}`)), []string{`send r/1/1 {"to":"eve"}`}, `"r/1/1"`},
		"denied":   {run.Deny("r/1/1", "not to bob"), nil, ``},
	} {
		w := newWorld(t)
		r := start(t, w.orchestrator(t, orchestrator.Plan{AfterFailure: orchestrator.Stop}), orchestrator.Input{Plan: steps(`send {"to":"bob"}`)})
		result := execute(t, r, run.Waiting)
		if result.WaitsFor != run.ForApproval || len(result.Calls) != 1 || string(result.Calls[0].Request.Arguments) != `{"to":"bob"}` || len(w.effects) > 0 {
			t.Fatalf("%s: it waits for %+v, and did %q", name, result, w.effects)
		}
		if err := r.Send(t.Context(), run.Redo("r/1/1")); tool.Code(err) != "not_waiting" {
			t.Errorf("%s: a decision about a call that never began: %v", name, err)
		}
		if err := open(t, w.orchestrator(t)).Send(t.Context(), test.signal); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Execute(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := r.State()
		if diff := cmp.Diff(test.effects, w.effects); diff != "" || string(s.Steps[0].Result) != test.result {
			t.Errorf("%s: %s, %+v", name, diff, s.Steps)
		}
		if failed := s.Steps[0].Error; (failed != nil) != (test.effects == nil) || failed != nil && !strings.Contains(failed.Text, "not to bob") {
			t.Errorf("%s: %v", name, failed)
		}
	}
}

// TestCancel checks that a canceled run still shows its state.
func TestCancel(t *testing.T) {
	w := newWorld(t)
	r := start(t, w.orchestrator(t), orchestrator.Input{Request: "mail bob", Plan: steps("pay {}", `send {"to":"bob"}`)})
	execute(t, r, run.Waiting)
	if err := r.Send(t.Context(), run.Cancel("enough")); err != nil {
		t.Fatal(err)
	}
	execute(t, r, run.Cancelled)
	for _, s := range []orchestrator.State{r.State(), open(t, w.orchestrator(t)).State()} {
		if s.Status != run.Cancelled || s.Request != "mail bob" || len(s.Steps) != 1 || !strings.Contains(s.Error.Text, "enough") {
			t.Errorf("its state is %+v", s)
		}
	}
}

// TestStateFromTool reads the state while tools run, and modifies what it gets. It also reads the
// state from other goroutines the whole time.
func TestStateFromTool(t *testing.T) {
	w := newWorld(t)
	o := w.orchestrator(t)
	r := start(t, o, orchestrator.Input{Plan: steps(`find {"n":1}`, `find {"n":2}`, "pay {}")})
	w.during["find"] = func(context.Context) (any, error) {
		s := r.State()
		if s.Status != run.Running || s.Plan.Steps[0].Status != plan.Running {
			t.Errorf("the state is %+v", s)
		}
		s.Plan.Steps[0].Status, s.Plan.Steps[0].Arguments[0] = plan.Failed, '!'
		return "found", nil
	}
	w.during["pay"] = func(context.Context) (any, error) {
		s := r.State()
		if s.Usage.ToolCalls != 2 || s.Plan.Steps[0].Status != plan.Complete || s.Plan.Steps[2].Status != plan.Running || len(s.Steps) != 2 {
			t.Errorf("the state is %+v", s)
		}
		if there := open(t, w.orchestrator(t)).State(); there.Status != run.Running || len(there.Steps) != 2 || there.Plan.Steps[2].Status != plan.Running {
			t.Errorf("elsewhere it is %+v", there)
		}
		return "paid", nil
	}
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_ = r.State()
			}
		}
	})
	execute(t, r, run.Completed)
	close(done)
	wg.Wait()
	if s := r.State(); s.Status != run.Completed || s.Usage.ToolCalls != 3 {
		t.Errorf("in the end it is %+v", s)
	}
}

// TestEvents checks that sinks receive every event once, in whatever process it happens, and no events
// that only affect the state.
func TestEvents(t *testing.T) {
	w := newWorld(t)
	w.answers = []llm.Response{calls("pay {}", `send {"to":"bob"}`), {Text: "done"}}
	r := start(t, w.orchestrator(t), orchestrator.Input{Kind: "conversation", Request: "x"})
	execute(t, r, run.Waiting)
	if err := r.Send(t.Context(), run.Approve("r/1/2", "ada", nil)); err != nil {
		t.Fatal(err)
	}
	execute(t, open(t, w.orchestrator(t)), run.Waiting)
	told := map[string]int{}
	for _, e := range w.events {
		if e.Run != "r" || e.Time.IsZero() {
			t.Errorf("an event without run or time: %+v", e)
		}
		told[fmt.Sprintf("%T", e.What)]++
		if _, said := e.What.(conversation.MessagesAdded); said {
			t.Errorf("told: %+v", e)
		}
	}
	want := map[string]int{"run.MessageRead": 1, "run.RunClaimed": 2, "run.ModelStart": 2, "run.ModelEnd": 2, "run.CallStart": 3, "run.CallEnd": 2, "run.RunStopped": 2}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

// reader returns a world with tools that return and take values that JSON cannot represent.
func readerWorld(t *testing.T, answers ...llm.Response) *world {
	w := newWorld(t)
	w.answers = answers
	object := func(in string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{` + in + `},"additionalProperties":false}`)
	}
	const ref = `{"type":"string","pattern":"^<<var:[A-Za-z0-9_.-]{1,64}>>$"}`
	open := tool.NewTypedTool(&tool.Definition{Name: "open", Description: "Opens a text.", Input: object(""),
		Output: json.RawMessage(`{"type":"object","properties":{"ref":` + ref + `,"type":{"type":"string"}},"required":["ref","type"]}`)},
		wire.NoArguments, func(context.Context, struct{}) (io.Reader, error) { return strings.NewReader("some text"), nil },
		wire.EncodeRef).Tool.StoreResult("reader")
	read := tool.NewTypedTool(&tool.Definition{Name: "read", Description: "Reads a text.", Input: object(`"r":` + ref), Output: json.RawMessage(`{"type":"string"}`)},
		func(v wire.Value) io.Reader {
			o := v.Object()
			defer o.Done()
			return wire.Ref[io.Reader](o.Get("r"))
		},
		func(_ context.Context, r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err },
		(*wire.Encoder).Str).Tool.RequireVariables(wire.Fits[io.Reader])
	if err := w.Register(open, read); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestByReference checks that a value that JSON cannot represent is passed between steps, although no
// tool that takes one can be called when the plan is made.
func TestByReference(t *testing.T) {
	w := readerWorld(t)
	ctx := tool.WithScope(t.Context(), tool.NewScope())
	r, err := w.orchestrator(t).Start(ctx, orchestrator.Input{ID: "r", Plan: steps("open {}", `read {"r":"<<step:1/ref>>"}`)})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Execute(ctx)
	if err != nil || result.Status != run.Completed || string(r.State().Steps[1].Result) != `"some text"` {
		t.Errorf("%+v, %v, %+v", result, err, r.State())
	}
	if _, err := w.orchestrator(t).Start(t.Context(), orchestrator.Input{Plan: steps("open {}")}); tool.Code(err) != "invalid_plan" {
		t.Errorf("where there is no scope, no tool needs one: %v", err)
	}
}

// TestLostVariable checks that a variable in the scope of a process that has ended fails the call that
// refers to it, with the reason, with and without a new scope.
func TestLostVariable(t *testing.T) {
	for name, after := range map[string]*tool.Scope{"a new scope": tool.NewScope(), "none": nil} {
		w := readerWorld(t)
		o := w.orchestrator(t, orchestrator.Plan{AfterFailure: orchestrator.Stop})
		ctx, die := context.WithCancel(tool.WithScope(t.Context(), tool.NewScope()))
		r, err := o.Start(ctx, orchestrator.Input{ID: "r", Plan: steps("open {}", "find {}", `read {"r":"<<step:1/ref>>"}`)})
		if err != nil {
			t.Fatal(err)
		}
		w.during["find"] = func(context.Context) (any, error) { die(); return "found", nil }
		if result, err := r.Execute(ctx); err != nil || result.Status != run.Interrupted {
			t.Fatalf("%+v, %v", result, err)
		}
		ctx = t.Context()
		if after != nil {
			ctx = tool.WithScope(ctx, after)
		}
		r = open(t, w.orchestrator(t, orchestrator.Plan{AfterFailure: orchestrator.Stop}))
		result, err := r.Execute(ctx)
		if err != nil || result.Status != run.Failed {
			t.Fatalf("%s: %+v, %v", name, result, err)
		}
		last := r.State().Steps[2]
		if last.Error == nil || last.Error.Kind != "scope" || !strings.Contains(last.Error.Text, "lost with its process") {
			t.Errorf("%s: %+v", name, last.Error)
		}
	}
}

// TestOffered checks that a tool that takes a variable is offered as soon as there is one.
func TestOffered(t *testing.T) {
	w := readerWorld(t, calls("open {}"), calls(`read {"r":"<<var:reader_1>>"}`), llm.Response{Text: "done"})
	ctx := tool.WithScope(t.Context(), tool.NewScope())
	r, err := w.orchestrator(t, orchestrator.Conversation{}).Start(ctx, orchestrator.Input{Request: "read it"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Execute(ctx); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true} {
		offered := false
		for _, d := range w.asked[i].Tools {
			offered = offered || d.Name == "read"
		}
		if offered != want {
			t.Errorf("in turn %d: %t", i, offered)
		}
	}
	if m := r.State().Messages; len(m) != 6 || string(m[4].Result.Output) != `"some text"` {
		t.Errorf("it said %+v", m)
	}
}

var _ = run.StoreFailed{}
