package run_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// forkEntries forks the run "r" with entries to the run "fork".
func forkEntries(t *testing.T, w *world, entries []journal.Entry, n int) (*run.Env, error) {
	t.Helper()
	j := new(journal.Map)
	if err := j.Append(t.Context(), "r", 0, entries...); err != nil {
		t.Fatal(err)
	}
	env := w.env(j)
	return env, env.Fork(t.Context(), "fork", run.Origin{Run: "r", Entries: n}, tools)
}

// TestFork forks a run at every entry. The new run ends as the other one did, and repeats none of the
// calls whose outcomes it took over.
func TestFork(t *testing.T) {
	asks := map[string][]tool.Question{"pay": {terse}}
	w := &world{asks: asks}
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	want := execute(t, env, everything, run.Completed)
	all := entries(t, env.Journal)
	var refused []int
	for n := 1; n <= len(all); n++ {
		again := &world{asks: asks}
		env, err := forkEntries(t, again, all, n)
		if err != nil {
			if tool.Code(err) != "invalid_input" || !strings.HasPrefix(err.Error(), `run "r" cannot be forked at entry `) {
				t.Errorf("%d entries: %v", n, err)
			}
			refused = append(refused, n)
			continue
		}
		result, err := env.Execute(t.Context(), "fork", everything, nil)
		if err != nil {
			t.Fatalf("%d entries: %v", n, err)
		}
		if got := strings.ReplaceAll(string(result.Answer), "fork/", "r/"); got != string(want.Answer) {
			t.Errorf("%d entries: the answer is %s, want %s", n, got, want.Answer)
		}
		if result.Usage.ToolCalls != want.Usage.ToolCalls || result.Usage.ModelCalls != want.Usage.ModelCalls {
			t.Errorf("%d entries: the usage is %+v, want %+v", n, result.Usage, want.Usage)
		}
		for _, effect := range again.effects {
			id := strings.Fields(effect)[1]
			if final := outcomeOf(t, all[:n], strings.Replace(id, "fork/", "r/", 1)); !strings.HasPrefix(id, "fork/") || final {
				t.Errorf("%d entries: the call %s is repeated", n, effect)
			}
		}
	}
	for i, e := range all {
		if open := e.Kind == "request" || e.Kind == "end"; open != slices.Contains(refused, i+1) {
			t.Errorf("a fork after %s %s is refused: %t", e.Kind, e.Effect, !open)
		}
	}
}

// outcomeOf reports whether the entries contain an outcome of a call that is no question.
func outcomeOf(t *testing.T, entries []journal.Entry, call string) bool {
	t.Helper()
	return slices.ContainsFunc(entries, func(e journal.Entry) bool {
		if e.Kind != "outcome" || e.Effect != call {
			return false
		}
		var data struct{ Call struct{ Status string } }
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
		return data.Call.Status == string(tool.StatusCompleted)
	})
}

// TestForkWaiting checks that a fork waits for the same approval under its own call ID, and that an
// approval allows a call of one run only.
func TestForkWaiting(t *testing.T) {
	gate := map[string]bool{"pay": true}
	pay := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		calls, err := fx.Call(request("1", "pay", `{"a":1}`))
		if err != nil {
			return nil, err
		}
		return calls[0].Output, nil
	}
	w := &world{gate: gate}
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	execute(t, env, pay, run.Waiting)
	waiting := len(entries(t, env.Journal))
	send(t, env.Journal, run.Approve("r/1/1", "ann", nil))
	approved := len(entries(t, env.Journal))
	execute(t, env, pay, run.Completed)
	all := entries(t, env.Journal)

	again := &world{gate: gate}
	if _, err := forkEntries(t, again, all, approved); tool.Code(err) != "invalid_input" || !strings.Contains(err.Error(), `call "r/1/1"`) {
		t.Errorf("after the approval: %v", err)
	}
	fork, err := forkEntries(t, again, all, waiting)
	if err != nil {
		t.Fatal(err)
	}
	result, err := fork.Execute(t.Context(), "fork", pay, nil)
	if err != nil || result.Status != run.Waiting || len(result.Calls) != 1 || result.Calls[0].Call != "fork/1/1" || result.Calls[0].Request.ID != "fork/1/1" {
		t.Fatalf("it is %+v, %v", result, err)
	}
	if err := fork.Send(t.Context(), "fork", run.Approve("fork/1/1", "bob", nil)); err != nil {
		t.Fatal(err)
	}
	if result, err := fork.Execute(t.Context(), "fork", pay, nil); err != nil || result.Status != run.Completed || again.happened("pay") != 1 {
		t.Errorf("it is %+v, %v after %q", result, err, again.effects)
	}
}

// TestForkRefused checks forks that are refused.
func TestForkRefused(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	execute(t, env, everything, run.Completed)
	for _, c := range []struct {
		id      string
		from    run.Origin
		code    string
		message string
	}{
		{"a/b", run.Origin{Run: "r", Entries: 3}, "invalid_input", "a run ID must have 1 to 256 bytes and no slash"},
		{"r", run.Origin{Run: "r", Entries: 3}, "journal_taken", ""},
		{"new", run.Origin{Run: "none", Entries: 3}, "journal_gone", ""},
		{"new", run.Origin{Run: "r"}, "invalid_input", `a fork of run "r" takes over at least 1 of its entries, not 0`},
		{"new", run.Origin{Run: "r", Entries: -1}, "invalid_input", `a fork of run "r" takes over at least 1 of its entries, not -1`},
		{"new", run.Origin{Run: "r", Entries: 99}, "invalid_input", `run "r" cannot be forked at entry 16: it ends the run`},
	} {
		err := env.Fork(t.Context(), c.id, c.from, tools)
		if tool.Code(err) != c.code || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%+v to %q: %v, want the code %q and %q", c.from, c.id, err, c.code, c.message)
		}
	}
}

// TestForkIncomplete checks that a run is not executed before it has all entries that it takes over.
func TestForkIncomplete(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	execute(t, env, everything, run.Completed)
	if err := env.Fork(t.Context(), "whole", run.Origin{Run: "r", Entries: 8}, tools); err != nil {
		t.Fatal(err)
	}
	for e, err := range env.Journal.Read(t.Context(), "whole", 0) {
		if err == nil && e.N < 7 {
			err = env.Journal.Append(t.Context(), "part", e.N, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if result, err := env.Execute(t.Context(), "part", everything, nil); tool.Code(err) != "incomplete_fork" || !tool.Retryable(err) {
		t.Errorf("it is executed: %+v, %v", result, err)
	}
}
