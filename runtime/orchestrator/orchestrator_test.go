package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestNew checks that invalid settings are rejected.
func TestNew(t *testing.T) {
	model, tools := newWorld(t), tool.NewRegistry()
	for name, made := range map[string]func() (*orchestrator.Orchestrator, error){
		"model": func() (*orchestrator.Orchestrator, error) { return orchestrator.New(nil, tools) },
		"tools": func() (*orchestrator.Orchestrator, error) { return orchestrator.New(model, nil) },
		"journal": func() (*orchestrator.Orchestrator, error) {
			return orchestrator.New(model, tools, orchestrator.Journal(nil))
		},
		"store": func() (*orchestrator.Orchestrator, error) {
			return orchestrator.New(model, tools, orchestrator.Store(nil))
		},
		"retry": func() (*orchestrator.Orchestrator, error) {
			return orchestrator.New(model, tools, orchestrator.Plan{AfterFailure: "retry"})
		},
		"recall": func() (*orchestrator.Orchestrator, error) {
			return orchestrator.New(model, tools, orchestrator.Recall(nil, "x"))
		},
	} {
		if o, err := made(); o != nil || tool.Code(err) != "invalid_input" || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, o, err)
		}
	}
}

// TestInput checks that an invalid input does not start a run.
func TestInput(t *testing.T) {
	w := newWorld(t)
	o := w.orchestrator(t)
	for name, test := range map[string]struct {
		in   orchestrator.Input
		code string
		says string
	}{
		"nothing":         {orchestrator.Input{}, "invalid_input", "neither a request nor a plan"},
		"slash":           {orchestrator.Input{ID: "a/b", Request: "x"}, "invalid_input", "no slash"},
		"kind":            {orchestrator.Input{Kind: "dance", Request: "x"}, "invalid_input", `"dance"`},
		"messages":        {orchestrator.Input{Request: "x", Messages: []llm.Message{{Text: "x"}}}, "invalid_input", "no messages"},
		"plan to talk of": {orchestrator.Input{Kind: "conversation", Plan: steps("pay")}, "invalid_input", "no plan"},
		"answer":          {orchestrator.Input{Request: "x", Answer: json.RawMessage(`{"type":7}`)}, "invalid_input", "schema of the answer"},
		"limits":          {orchestrator.Input{Request: "x", Limits: run.Limits{Steps: -1}}, "invalid_input", "must not be negative"},
		"ghost tool":      {orchestrator.Input{Plan: steps("fly")}, "invalid_plan", "fly"},
		"reference":       {orchestrator.Input{Plan: steps(`pay {"to":"<<step:2>>"}`, "pay")}, "invalid_plan", "/steps/0"},
		"too long":        {orchestrator.Input{Plan: steps("pay", "pay"), Limits: run.Limits{Steps: 1}}, "invalid_plan", "1"},
		"done already":    {orchestrator.Input{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{{ID: "1", Description: "d", Tool: "pay", Status: plan.Complete}}}}, "invalid_input", "already complete"},
	} {
		if r, err := o.Start(t.Context(), test.in); r != nil || tool.Code(err) != test.code || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for info, err := range w.Runs(t.Context(), journal.Filter{}) {
		t.Errorf("there is a run: %v, %v", info, err)
	}
}

// TestTwice checks that an ID can be used only once, even by another process.
func TestTwice(t *testing.T) {
	w := newWorld(t)
	start(t, w.orchestrator(t), orchestrator.Input{Plan: steps("pay")})
	_, err := w.orchestrator(t).Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps("pay")})
	if _, taken := errors.AsType[*journal.ConflictError](err); !taken {
		t.Errorf("the same ID begins again: %v", err)
	}
	if _, err := w.orchestrator(t).Open(t.Context(), "s"); tool.Code(err) != "journal_gone" {
		t.Errorf("a run that there is not: %v", err)
	}
	a, err := w.orchestrator(t).Start(t.Context(), orchestrator.Input{Request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.orchestrator(t).Start(t.Context(), orchestrator.Input{Request: "x"})
	if err != nil || a.ID() == "" || a.ID() == b.ID() {
		t.Errorf("two runs without an ID are %q and %q: %v", a.ID(), b.ID(), err)
	}
}

// TestBusy checks that a process executes a run only once at a time, whoever opened it.
func TestBusy(t *testing.T) {
	w := newWorld(t)
	o := w.orchestrator(t)
	r := start(t, o, orchestrator.Input{Plan: steps("pay")})
	w.during["pay"] = func(ctx context.Context) (any, error) {
		for _, r := range []*orchestrator.Run{r, open(t, o)} {
			if _, err := r.Execute(ctx); tool.Code(err) != "busy" || !tool.Retryable(err) {
				t.Errorf("a run that is being executed: %v", err)
			}
		}
		return "paid", nil
	}
	execute(t, r, run.Completed)
	execute(t, open(t, o), run.Completed)
	if len(w.effects) != 1 {
		t.Errorf("it did %q", w.effects)
	}
}

// TestConcurrent executes many plans and conversations concurrently with one orchestrator. None may
// see anything of another.
func TestConcurrent(t *testing.T) {
	w := newWorld(t)
	o, err := orchestrator.New(w, w.Registry, orchestrator.Journal(&w.Map))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			id := fmt.Sprint("run", i)
			in := orchestrator.Input{ID: id, Plan: steps("find {}", `find {"n":1}`, `pay {"to":"<<step:1>>"}`, "tag {}")}
			if i%3 == 0 {
				in = orchestrator.Input{ID: id, Kind: "conversation", Request: "hello"}
			}
			r, err := o.Start(t.Context(), in)
			if err != nil {
				t.Error(err)
				return
			}
			result, err := r.Execute(t.Context())
			if err != nil || result.Error != nil || i%3 == 0 && string(result.Answer) != `"done"` || i%3 > 0 && string(result.Answer) != strconv.Quote(id+"/4/1") {
				t.Errorf("%s: %+v, %v", id, result, err)
			}
			for k, step := range r.State().Steps {
				if want := fmt.Sprintf(`"%s/%d/1"`, id, k+1); string(step.Result) != want {
					t.Errorf("%s: step %d came to %s", id, k+1, step.Result)
				}
			}
		})
	}
	wg.Wait()
	if len(w.effects) != 40*4 {
		t.Errorf("there were %d effects", len(w.effects))
	}
}

// TestTools checks that a run keeps its initial tools, and offers those of them that still exist.
func TestTools(t *testing.T) {
	w := newWorld(t)
	w.answers = []llm.Response{calls("pay {}"), {Text: "done"}}
	w.during["pay"] = func(context.Context) (any, error) {
		w.Unregister("find")
		return "paid", w.Register(w.tool(t, "late", tool.Annotations{}))
	}
	execute(t, start(t, w.orchestrator(t), orchestrator.Input{Kind: "conversation", Request: "x"}), run.Waiting)
	for i, want := range []string{"find pay send tag ", "pay send tag "} {
		names := ""
		for _, d := range w.asked[i].Tools {
			names += d.Name + " "
		}
		if names != want {
			t.Errorf("turn %d has the tools %s, want %s", i, names, want)
		}
	}
}

// TestMeta checks that metadata is passed to calls, but not to prompts.
func TestMeta(t *testing.T) {
	w := newWorld(t, `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"pay"}]}`)
	w.during["pay"] = func(ctx context.Context) (any, error) { return tool.CallFrom(ctx).Request.Meta["user"], nil }
	r := start(t, w.orchestrator(t), orchestrator.Input{Plan: steps("pay"), Meta: map[string]string{"user": "ada-17"}})
	execute(t, r, run.Completed)
	if got := r.State().Steps[0]; string(got.Result) != `"ada-17"` {
		t.Errorf("the tool got %s", got.Result)
	}
	for _, asked := range w.asked {
		if text, _ := json.Marshal(asked); strings.Contains(string(text), "ada-17") && !strings.Contains(asked.Prompt, "ada-17") {
			t.Errorf("the model got %s", text)
		}
	}
}

// TestKinds checks that a run has the kind that its input names, or else the last one given to New, or
// else is a plan. A run of an unknown kind is not executed.
func TestKinds(t *testing.T) {
	w := newWorld(t)
	for kind, o := range map[string]*orchestrator.Orchestrator{
		"plan":         w.orchestrator(t),
		"conversation": w.orchestrator(t, orchestrator.Plan{}, orchestrator.Conversation{}),
	} {
		for in, want := range map[string]string{"": kind, "plan": "plan", "conversation": "conversation"} {
			r, err := o.Start(t.Context(), orchestrator.Input{Kind: in, Request: "x"})
			if err != nil || r.State().Kind != want || r.State().Request != "x" || r.State().Status != run.Running {
				t.Errorf("%q where %q is usual: %+v, %v", in, kind, r.State(), err)
			}
		}
	}
	e := journal.Entry{Format: 1, Kind: "begin", By: "another program", Status: run.Running, Data: json.RawMessage(`{"kind":"dance"}`)}
	if err := w.Append(t.Context(), "d", 0, e); err != nil {
		t.Fatal(err)
	}
	if _, err := w.orchestrator(t).Open(t.Context(), "d"); tool.Code(err) != "unknown_kind" {
		t.Errorf("a dance: %v", err)
	}
}

// TestStateJSON checks that a state survives JSON in both directions.
func TestStateJSON(t *testing.T) {
	w := newWorld(t)
	r := start(t, w.orchestrator(t), orchestrator.Input{Plan: steps(`find {"n":1}`, `send {"to":"<ada>"}`)})
	execute(t, r, run.Waiting)
	state := r.State()
	text, err := jsontext.Encode(state) // otherwise all characters except letters would be escaped
	if err != nil {
		t.Fatal(err)
	}
	var again orchestrator.State
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(state, again); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(state, open(t, w.orchestrator(t)).State()); diff != "" {
		t.Errorf("in another process: %s", diff)
	}
	if w := state.Calls[0]; w.Call != "r/2/1" || w.Request.Name != "send" || string(w.Request.Arguments) != `{"to":"<ada>"}` {
		t.Errorf("it waits for %+v", w)
	}
}

// TestStartMeta checks that functions complete the Meta of new runs, which their calls and the claim
// of the run have, and that options can be combined.
func TestStartMeta(t *testing.T) {
	w := newWorld(t)
	type userKey struct{}
	var claimed map[string]string
	o := w.orchestrator(t, orchestrator.Options(
		orchestrator.StartMeta(func(ctx context.Context, in orchestrator.Input) map[string]string {
			return map[string]string{"user": ctx.Value(userKey{}).(string), "tenant": "ignored", "run": in.ID}
		}),
		orchestrator.Events(func(_ context.Context, e run.Event) {
			if c, ok := e.What.(run.RunClaimed); ok {
				claimed = c.Meta
			}
		}),
	))
	r, err := o.Start(context.WithValue(t.Context(), userKey{}, "ann"), orchestrator.Input{ID: "r", Plan: steps("find {}"), Meta: map[string]string{"tenant": "t"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"user": "ann", "tenant": "t", "run": "r"}
	if got := r.Input().Meta; !maps.Equal(got, want) {
		t.Errorf("the input has %v", got)
	}
	if _, err := r.Execute(t.Context()); err != nil || !maps.Equal(claimed, want) {
		t.Errorf("the claim has %v, %v", claimed, err)
	}
}
