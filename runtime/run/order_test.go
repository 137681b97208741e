package run_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// batch is the function of a run that makes concurrent calls, one per step.
func batch(names ...string) run.Func {
	return func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		var requests []run.Request
		for i, name := range names {
			requests = append(requests, request(string(rune('1'+i)), name, `{}`))
		}
		_, err := fx.Call(requests...)
		return json.RawMessage(`"done"`), err
	}
}

// TestOrder lets a call of a batch wait for a person. Of the calls after it, only the read-only ones
// run before the decision. Then all run in order.
func TestOrder(t *testing.T) {
	for name, test := range map[string]struct {
		world  *world
		calls  []string
		dies   bool // stops the worker in the first call
		tell   run.Signal
		before []string
		after  []string
	}{
		"approval": {
			&world{gate: map[string]bool{"pay": true}}, []string{"find", "pay", "tag", "find", "book", "find"}, false, run.Approve("r/2/1", "ada", nil),
			[]string{"find r/1/1 {}", "find r/4/1 {}", "find r/6/1 {}"}, []string{"pay r/2/1 {}", "tag r/3/1 {}", "book r/5/1 {}"},
		},
		"answer": {
			&world{asks: map[string][]tool.Question{"pay": {tool.AskPerson("Whom?", nil)}}}, []string{"pay", "book"}, false, run.Deny("r/1/1", "no"),
			nil, []string{"book r/2/1 {}"},
		},
		"decision": {
			&world{}, []string{"pay", "book", "find"}, true, run.Supply("r/1/1", json.RawMessage("1")),
			[]string{"pay r/1/1 {}", "find r/3/1 {}"}, []string{"book r/2/1 {}"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, j := test.world, new(journal.Map)
			beginWith(t, w.env(j), "find", "pay", "tag", "book")
			if test.dies {
				_, _ = w.env(dying.Journal(j, 2, false)).Execute(t.Context(), "r", batch(test.calls...), nil)
			}
			execute(t, w.env(j), batch(test.calls...), run.Waiting)
			got := slices.Clone(w.effects)
			slices.Sort(got[min(1, len(got)):]) // neighbors run concurrently
			if !slices.Equal(got, test.before) {
				t.Errorf("before the decision it did %q, want %q", got, test.before)
			}
			send(t, j, test.tell)
			execute(t, w.env(j), batch(test.calls...), run.Completed)
			if got := w.effects[len(test.before):]; !slices.Equal(got, test.after) {
				t.Errorf("after the decision it did %q, want %q", got, test.after)
			}
			if _, err := w.env(j).Replay(t.Context(), "r", batch(test.calls...), nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// beginWith creates a run "r" with its own tools. book has no annotations, like pay.
func beginWith(t *testing.T, env *run.Env, names ...string) {
	t.Helper()
	in := run.Input{Kind: "test"}
	for _, name := range names {
		d := tool.Definition{Name: name}
		if i := slices.IndexFunc(tools, func(d tool.Definition) bool { return d.Name == name }); i >= 0 {
			d = tools[i]
		}
		in.Tools = append(in.Tools, d)
	}
	if err := env.Begin(t.Context(), "r", in); err != nil {
		t.Fatal(err)
	}
}

// TestOldOrder continues a journal of an earlier version, in which calls did not wait for those before
// them: two wait at once, and one was made.
func TestOldOrder(t *testing.T) {
	w := world{gate: map[string]bool{"pay": true}}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	var log []journal.Entry
	add := func(kind, effect string, data any) {
		text, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, journal.Entry{Format: 1, Kind: kind, By: "old", Seen: 1, Status: run.Running, Effect: effect, Data: text})
	}
	add("claim", "", struct{}{})
	for _, c := range []struct {
		id, name string
		err      error
	}{{"r/1/1", "pay", &tool.ApprovalError{Tool: "pay"}}, {"r/2/1", "pay", &tool.ApprovalError{Tool: "pay"}}, {"r/3/1", "tag", nil}} {
		r := tool.Request{ID: c.id, Name: c.name, Arguments: json.RawMessage("{}")}
		add("request", c.id, map[string]any{"attempt": 1, "request": r})
		outcome := map[string]any{"attempt": 1, "call": &tool.Call{ID: c.id, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed, Err: c.err}}
		if c.err == nil {
			outcome["call"], outcome["output"] = &tool.Call{ID: c.id, Request: r, Arguments: r.Arguments, Status: tool.StatusCompleted}, 1
		}
		add("outcome", c.id, outcome)
	}
	add("stop", "", map[string]any{"calls": []run.Wait{{Call: "r/1/1", For: run.ForApproval}, {Call: "r/2/1", For: run.ForApproval}}})
	log[len(log)-1].Status, log[len(log)-1].WaitsFor = run.Waiting, run.ForApproval
	if err := j.Append(t.Context(), "r", 1, log...); err != nil {
		t.Fatal(err)
	}
	f := batch("pay", "pay", "tag")
	if result := execute(t, w.env(j), f, run.Waiting); len(result.Calls) != 2 {
		t.Errorf("it waits for %+v", result.Calls)
	}
	send(t, j, run.Approve("r/2/1", "ada", nil))
	if result := execute(t, w.env(j), f, run.Waiting); len(result.Calls) != 1 || result.Calls[0].Call != "r/1/1" || len(w.effects) > 0 {
		t.Errorf("it waits for %+v, and did %q", result.Calls, w.effects)
	}
	send(t, j, run.Approve("r/1/1", "ada", nil))
	execute(t, w.env(j), f, run.Completed)
	if want := []string{"pay r/1/1 {}", "pay r/2/1 {}"}; !slices.Equal(w.effects, want) {
		t.Errorf("it did %q, want %q", w.effects, want)
	}
}
