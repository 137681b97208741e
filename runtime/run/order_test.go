package run_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/note"

	question "github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/internal/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// batch is the function of a run that makes calls at once, a step each.
func batch(names ...string) run.Func {
	return func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		var requests []run.Request
		for i, name := range names {
			requests = append(requests, request(string(rune('1'+i)), name, `{}`))
		}
		_, err := fx.Call(requests...)
		return json.RawMessage(`"done"`), err
	}
}

// TestOrder has a call of a batch wait for a person: of those after it only the read-only
// ones run before it is decided, and then all in their order.
func TestOrder(t *testing.T) {
	for name, test := range map[string]struct {
		world  *world
		calls  []string
		dies   bool // a worker does, in the first call
		tell   record.Signal
		before []string
		after  []string
	}{
		"approval": {
			&world{gate: map[string]bool{"pay": true}}, []string{"find", "pay", "tag", "find", "book", "find"}, false, record.Approve("r/2/1", "ada", nil),
			[]string{"find r/1/1 {}", "find r/4/1 {}", "find r/6/1 {}"}, []string{"pay r/2/1 {}", "tag r/3/1 {}", "book r/5/1 {}"},
		},
		"answer": {
			&world{asks: map[string][]question.Question{"pay": {question.Person("Whom?", nil)}}}, []string{"pay", "book"}, false, record.Deny("r/1/1", "no"),
			nil, []string{"book r/2/1 {}"},
		},
		"decision": {
			&world{}, []string{"pay", "book", "find"}, true, record.Supply("r/1/1", json.RawMessage("1")),
			[]string{"pay r/1/1 {}", "find r/3/1 {}"}, []string{"book r/2/1 {}"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, j := test.world, new(journal.Map)
			beginWith(t, w.env(j), "find", "pay", "tag", "book")
			if test.dies {
				_, _ = w.env(dying.Journal(j, 2, false)).Execute(t.Context(), "r", batch(test.calls...), nil)
			}
			execute(t, w.env(j), batch(test.calls...), record.Waiting)
			got := slices.Clone(w.effects)
			slices.Sort(got[min(1, len(got)):]) // neighbors run concurrently
			if !slices.Equal(got, test.before) {
				t.Errorf("before the decision it did %q, want %q", got, test.before)
			}
			send(t, j, test.tell)
			execute(t, w.env(j), batch(test.calls...), record.Completed)
			if got := w.effects[len(test.before):]; !slices.Equal(got, test.after) {
				t.Errorf("after the decision it did %q, want %q", got, test.after)
			}
			if _, err := w.env(j).Replay(t.Context(), "r", batch(test.calls...), nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// beginWith makes a run "r" with tools of its own: book claims nothing, as pay.
func beginWith(t *testing.T, env *run.Env, names ...string) {
	t.Helper()
	in := record.Input{Kind: "test"}
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

// TestOldOrder goes on with a journal of the time when calls did not wait for those before
// them: two wait at once, and one was made.
func TestOldOrder(t *testing.T) {
	w := world{gate: map[string]bool{"pay": true}}
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	var log []journal.Entry
	add := func(kind, effect string, data any) {
		text, ok := data.(json.RawMessage)
		if !ok {
			var err error
			if text, err = json.Marshal(data); err != nil {
				t.Fatal(err)
			}
		}
		log = append(log, journal.Entry{Format: 1, Kind: kind, By: "old", Seen: 1, Status: record.Running, Effect: effect, Data: text})
	}
	add(note.KindClaim, "", struct{}{})
	for _, c := range []struct {
		id, name string
		err      error
	}{{"r/1/1", "pay", &tool.ApprovalError{Tool: "pay"}}, {"r/2/1", "pay", &tool.ApprovalError{Tool: "pay"}}, {"r/3/1", "tag", nil}} {
		r := tool.Request{ID: c.id, Name: c.name, Arguments: json.RawMessage("{}")}
		add(note.KindRequest, c.id, note.Asked{Attempt: 1, Request: r})
		made := &tool.Call{ID: c.id, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed, Err: c.err}
		if c.err == nil {
			made.Status, made.Output = tool.StatusCompleted, json.RawMessage("1")
		}
		data, err := note.EncodeOutcome(1, made)
		if err != nil {
			t.Fatal(err)
		}
		add(note.KindOutcome, c.id, data)
	}
	add(note.KindStop, "", note.Stopping{Calls: []record.Wait{{Call: "r/1/1", For: record.ForApproval}, {Call: "r/2/1", For: record.ForApproval}}})
	log[len(log)-1].Status, log[len(log)-1].WaitsFor = record.Waiting, record.ForApproval
	if err := j.Append(t.Context(), "r", 1, log...); err != nil {
		t.Fatal(err)
	}
	f := batch("pay", "pay", "tag")
	if result := execute(t, w.env(j), f, record.Waiting); len(result.Calls) != 2 {
		t.Errorf("it waits for %+v", result.Calls)
	}
	send(t, j, record.Approve("r/2/1", "ada", nil))
	if result := execute(t, w.env(j), f, record.Waiting); len(result.Calls) != 1 || result.Calls[0].Call != "r/1/1" || len(w.effects) > 0 {
		t.Errorf("it waits for %+v, and did %q", result.Calls, w.effects)
	}
	send(t, j, record.Approve("r/1/1", "ada", nil))
	execute(t, w.env(j), f, record.Completed)
	if want := []string{"pay r/1/1 {}", "pay r/2/1 {}"}; !slices.Equal(w.effects, want) {
		t.Errorf("it did %q, want %q", w.effects, want)
	}
}
