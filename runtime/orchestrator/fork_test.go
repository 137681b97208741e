package orchestrator_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// entryOf returns the number of the nth entry of a kind of the run "r".
func entryOf(t *testing.T, j journal.Journal, kind string, nth int) int {
	t.Helper()
	for e, err := range j.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == kind {
			if nth--; nth == 0 {
				return e.N
			}
		}
	}
	t.Fatalf("there is no such entry of the kind %s", kind)
	return 0
}

// TestForkConversation tries another answer of the model.
func TestForkConversation(t *testing.T) {
	w := newWorld(t)
	w.answers = []llm.Response{calls(`pay {"n":1}`), calls(`pay {"n":2}`), {Text: "Paid twice."}, {Text: "Once is enough."}}
	o := w.orchestrator(t, orchestrator.Conversation{})
	r := start(t, o, orchestrator.Input{Request: "Pay.", Meta: map[string]string{"user": "ada"}})
	execute(t, r, run.Waiting)
	before := r.State()

	fork, err := o.Fork(t.Context(), "r", entryOf(t, &w.Map, "model", 2))
	if err != nil {
		t.Fatal(err)
	}
	if in := fork.Input(); in.ID != fork.ID() || in.Request != "Pay." || in.Meta["user"] != "ada" {
		t.Errorf("its input is %+v", in)
	}
	result := execute(t, fork, run.Waiting)
	if string(result.Answer) != `"Once is enough."` {
		t.Errorf("it answers %s", result.Answer)
	}
	if want := []string{`pay r/1/1 {"n":1}`, `pay r/2/1 {"n":2}`}; !slices.Equal(w.effects, want) {
		t.Errorf("the effects are %q, want %q", w.effects, want)
	}
	if after := open(t, o).State(); string(after.Answer) != string(before.Answer) {
		t.Errorf("the other run has changed: %s", after.Answer)
	}
}

// TestForkPlan checks that a fork of a plan has the results of the steps that it took over.
func TestForkPlan(t *testing.T) {
	w := newWorld(t)
	store := new(memory.Map)
	o := w.orchestrator(t, orchestrator.Store(store))
	execute(t, start(t, o, orchestrator.Input{Plan: steps(`pay {}`, `pay {"to":"<<step:1>>"}`)}), run.Completed)

	fork, err := o.Fork(t.Context(), "r", entryOf(t, &w.Map, "request", 2))
	if err != nil {
		t.Fatal(err)
	}
	if output, ok, err := store.Read(t.Context(), "run/"+fork.ID()+"/step_1_result"); err != nil || !ok || string(output) != `"r/1/1"` {
		t.Errorf("the result of step 1 is %s, %t, %v", output, ok, err)
	}
	w.effects = nil
	execute(t, fork, run.Completed)
	if want := []string{`pay ` + fork.ID() + `/2/1 {"to":"r/1/1"}`}; !slices.Equal(w.effects, want) {
		t.Errorf("the effects are %q, want %q", w.effects, want)
	}
}

// TestForkTools checks that a fork has the tools of its orchestrator, and that a fork that this
// orchestrator cannot replay leaves no run behind.
func TestForkTools(t *testing.T) {
	w := newWorld(t)
	w.answers = []llm.Response{{Text: "Nothing to do."}, {Text: "Still nothing."}}
	o := w.orchestrator(t, orchestrator.Conversation{})
	execute(t, start(t, o, orchestrator.Input{Request: "Look."}), run.Waiting)
	if err := w.Register(w.tool(t, "look", tool.Annotations{ReadOnly: true})); err != nil {
		t.Fatal(err)
	}
	fork, err := o.Fork(t.Context(), "r", entryOf(t, &w.Map, "model", 1))
	if err != nil {
		t.Fatal(err)
	}
	execute(t, fork, run.Waiting)
	offered := w.asked[len(w.asked)-1].Tools
	if !slices.ContainsFunc(offered, func(d tool.Definition) bool { return d.Name == "look" }) {
		t.Errorf("the fork is offered %d tools without the new one", len(offered))
	}

	if _, err := o.Fork(t.Context(), "r", 99); tool.Code(err) != "invalid_input" || !strings.Contains(err.Error(), "has only") {
		t.Errorf("a fork after the end: %v", err)
	}
	before := len(runsOf(t, &w.Map))
	if _, err := o.Fork(t.Context(), "none", 1); tool.Code(err) != "journal_gone" {
		t.Errorf("a fork of no run: %v", err)
	}
	if err := (&run.Env{Journal: &w.Map}).Begin(t.Context(), "strange", run.Input{Kind: "dance"}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Fork(t.Context(), "strange", 1); tool.Code(err) != "unknown_kind" {
		t.Errorf("a fork of a run of another kind: %v", err)
	}
	if after := len(runsOf(t, &w.Map)); after != before+1 {
		t.Errorf("there are %d runs, before there were %d and the strange one", after, before)
	}
}

func runsOf(t *testing.T, j journal.Journal) (ids []string) {
	t.Helper()
	for info, err := range j.Runs(t.Context(), journal.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, info.Run)
	}
	return ids
}
