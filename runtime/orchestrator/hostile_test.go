package orchestrator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestManyCalls checks that a model may request more calls at once than a journal accepts entries.
func TestManyCalls(t *testing.T) {
	w := newWorld(t)
	var wanted []string
	for n := range journal.MaxBatch + 100 {
		wanted = append(wanted, fmt.Sprintf(`find {"n":%d}`, n))
	}
	w.answers = []llm.Response{calls(append(wanted, "pay {}")...), {Text: "found"}}
	r := start(t, w.orchestrator(t), orchestrator.Input{Kind: "conversation", Request: "find all"})
	for range 2 {
		if result := execute(t, r, run.Waiting); string(result.Answer) != `"found"` || len(w.effects) != len(wanted)+1 {
			t.Errorf("it is %+v after %d effects", result, len(w.effects))
		}
	}
}

// TestLaterTool checks that a tool that was registered after the run had started is neither offered to
// the model nor called.
func TestLaterTool(t *testing.T) {
	w := newWorld(t)
	r := start(t, w.orchestrator(t), orchestrator.Input{Kind: "conversation", Request: "drop all"})
	if err := w.Register(w.tool(t, "drop", tool.Annotations{})); err != nil {
		t.Fatal(err)
	}
	w.answers = []llm.Response{calls(`drop {"n":1}`, `pay {"n":1}`)}
	execute(t, r, run.Waiting)
	if diff := cmp.Diff([]string{`pay r/1/2 {"n":1}`}, w.effects); diff != "" {
		t.Error(diff)
	}
	if said := r.State().Messages[2].Content(); !strings.HasPrefix(said, `There is no tool "drop".`) {
		t.Errorf("the model is told %s", said)
	}
}

// TestClockGoesBackwards checks that the times of a run and of its events never decrease.
func TestClockGoesBackwards(t *testing.T) {
	for _, kind := range []string{"plan", "conversation"} {
		w := newWorld(t)
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		backwards := orchestrator.ConfigureEnv(func(env *run.Env) {
			env.Clock = func() time.Time {
				w.mu.Lock()
				defer w.mu.Unlock()
				now = now.Add(-time.Hour)
				return now
			}
		})
		in := orchestrator.Input{Kind: kind, Request: "pay"}
		if kind == "plan" {
			in.Plan = steps(`find {"n":1}`, `pay {"n":1}`)
		} else {
			w.answers = []llm.Response{calls(`find {"n":1}`, `pay {"n":1}`), {Text: "paid"}}
		}
		if _, err := start(t, w.orchestrator(t, backwards), in).Execute(t.Context()); err != nil {
			t.Fatal(err)
		}
		var last time.Time
		for _, e := range w.events {
			if e.Time.Before(last) {
				t.Errorf("%s: %T happened at %v, after %v", kind, e.What, e.Time, last)
			}
			last = e.Time
			if end, ok := e.What.(run.ModelEnd); ok && end.Answer.Duration < 0 {
				t.Errorf("%s: the model took %v", kind, end.Answer.Duration)
			}
		}
	}
}

// TestSinkPanics checks that the run continues after the reported event, and reports nothing twice.
func TestSinkPanics(t *testing.T) {
	w := newWorld(t)
	w.answers = []llm.Response{calls("find {}", "pay {}"), {Text: "paid"}}
	told := map[string]int{}
	o := w.orchestrator(t, orchestrator.Events(func(_ context.Context, e run.Event) {
		if end, ok := e.What.(run.CallEnd); ok {
			if told[end.Call.Request.Name]++; end.Call.Request.Name == "pay" {
				panic("the sink is full")
			}
		}
	}))
	r := start(t, o, orchestrator.Input{Kind: "conversation", Request: "pay"})
	func() {
		defer func() {
			if p := recover(); p != "the sink is full" {
				t.Errorf("there was the panic %v", p)
			}
		}()
		_, err := r.Execute(t.Context())
		t.Errorf("there was no panic, and %v", err)
	}()
	execute(t, r, run.Waiting)
	if diff := cmp.Diff(map[string]int{"find": 1, "pay": 1}, told); diff != "" || len(w.effects) != 2 {
		t.Errorf("%s, and it did %q", diff, w.effects)
	}
}
