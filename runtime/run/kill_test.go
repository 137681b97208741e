package run_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

func TestEverything(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	var events []string
	result, err := env.Execute(t.Context(), "r", everything, func(e run.Event) { events = append(events, fmt.Sprintf("%T %s", e.What, e.Step)) })
	if err != nil || result.Status != run.Completed {
		t.Fatal(result, err)
	}
	const answer = `["\"\\\"read about plan\\\"\"","\"it\"","\"{\\\"find\\\":\\\"r/1/1\\\"}\"","\"{\\\"find\\\":\\\"r/2/1\\\"}\"",` +
		`"\"{\\\"pay\\\":\\\"r/3/1\\\"}\"","\"{\\\"pay\\\":\\\"r/4/1\\\"}\"","\"{\\\"tag\\\":\\\"r/5/1\\\"}\"","\"about think\"","\"{\\\"pay\\\":\\\"r/5/2\\\"}\"","\"about answer\""]`
	if string(result.Answer) != answer {
		t.Errorf("the answer is %s", result.Answer)
	}
	if want := (run.Usage{Steps: 5, ModelCalls: 3, ToolCalls: 6}); result.Usage.Steps != want.Steps || result.Usage.ToolCalls != want.ToolCalls || result.Usage.ModelCalls != want.ModelCalls || result.Usage.Tokens.Total() != 45 {
		t.Errorf("the usage is %+v", result.Usage)
	}
	var kinds []string
	for _, e := range entries(t, env.Journal) {
		kinds = append(kinds, strings.TrimSpace(e.Kind+" "+e.Effect))
	}
	want := []string{
		"begin", "claim", "model plan/", "do recall", "outcome r/1/1", "outcome r/2/1",
		"request r/3/1", "outcome r/3/1", "request r/4/1", "outcome r/4/1", "request r/5/1", "outcome r/5/1",
		"model think/5", "request r/5/2", "outcome r/5/2", "model answer/", "end",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	var replayed []string
	again, err := env.Replay(t.Context(), "r", everything, func(e run.Event) { replayed = append(replayed, fmt.Sprintf("%T %s", e.What, e.Step)) })
	if diff := cmp.Diff(result, again); diff != "" || err != nil {
		t.Errorf("replayed it is another: %s %v", diff, err)
	}
	if diff := cmp.Diff(events, replayed); diff != "" {
		t.Errorf("replayed other things are told: %s", diff)
	}
}

// TestKilled kills workers before and after every append, and also the workers that take over.
func TestKilled(t *testing.T) { killed(t, nil, 20) }

// TestKilledAsking is TestKilled with functions that ask a person, the model or both.
func TestKilledAsking(t *testing.T) {
	killed(t, map[string][]tool.Question{"find": {terse}, "pay": {whom}, "tag": {sure, terse, whom}}, 60)
}

// killed kills workers at up to the given number of appends, which is more than there are.
func killed(t *testing.T, asks map[string][]tool.Question, appends int) {
	calm := world{asks: asks}
	whole := calm.env(new(journal.Map))
	createRun(t, whole, run.Limits{})
	decideAll(t, &calm, whole.Journal)
	want := execute(t, whole, everything, run.Completed)
	wantHistory := history(t, whole.Journal)
	if n := len(entries(t, whole.Journal)); n > appends {
		t.Errorf("there are %d entries", n)
	}
	seconds := 4
	if testing.Short() {
		seconds = 1
	}
	for kill := 1; kill < appends; kill++ {
		for second := range seconds {
			for _, after := range []bool{false, true} {
				w := world{asks: asks}
				j := new(journal.Map)
				createRun(t, w.env(j), run.Limits{})
				for _, n := range []int{kill, second} {
					if _, err := w.env(dying.Journal(j, n, after)).Execute(t.Context(), "r", everything, nil); n > 0 && err != nil && !errors.Is(err, dying.Err) {
						t.Fatal(err)
					}
				}
				redone := decideAll(t, &w, j)
				name := fmt.Sprintf("killed at append %d, then %d, after it: %t", kill, second, after)
				result := execute(t, w.env(j), everything, run.Completed)
				if diff := cmp.Diff(want.Answer, result.Answer); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				if diff := cmp.Diff(wantHistory, history(t, j)); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				w.check(t, name, redone)
			}
		}
	}
}

// decideAll repeats every call with an unknown outcome, answers the questions of functions, and
// returns the IDs of the repeated calls.
func decideAll(t *testing.T, w *world, j journal.Journal) (redone []string) {
	t.Helper()
	for {
		result, err := w.env(j).Execute(t.Context(), "r", everything, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result.Status != run.Waiting {
			return redone
		}
		for _, w := range result.Calls {
			switch w.For {
			case run.ForAnswer:
				send(t, j, reply(w))
			case run.ForDecision:
				send(t, j, run.Redo(w.Call))
				redone = append(redone, w.Call)
			default:
				t.Fatalf("it waits for %s", w.For)
			}
		}
	}
}

// check checks that every call of everything was made, and calls [world.once].
func (w *world) check(t *testing.T, name string, redone []string) {
	t.Helper()
	if n := w.once(t, name, redone); n != 6 {
		t.Errorf("%s: there are %d calls", name, n)
	}
}
