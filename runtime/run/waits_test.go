package run_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestStillWaits checks that a signal that does not answer what a run waits for leaves it waiting, in
// its journal and for readers.
func TestStillWaits(t *testing.T) {
	two := func(tool string) run.Func {
		return func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, err := fx.Call(request("1", tool, `{"a":1}`), request("2", tool, `{"a":2}`))
			return json.RawMessage(`"done"`), err
		}
	}
	message := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		m, err := fx.Wait(run.WaitOptions{})
		if err != nil {
			return nil, err
		}
		return json.Marshal(m.Text)
	}
	thinks := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		a, err := fx.Model(ask("think", "1"))
		return a.Read, err
	}
	say, extend := run.Say(llm.Message{Role: llm.RoleUser, Text: "well?"}), run.Extend(run.Limits{Steps: 9})
	type told struct {
		signal run.Signal
		status string
		waits  []string // calls
	}
	for name, test := range map[string]struct {
		f      run.Func
		limits run.Limits
		gate   bool
		dies   int
		stops  string
		tell   []told
	}{
		"approval": {two("find"), run.Limits{}, true, 0, run.Waiting, []told{
			{say, "waiting approval", []string{"r/1/1", "r/2/1"}},
			{run.Deny("r/1/1", "no"), "waiting approval", []string{"r/2/1"}},
			{extend, "waiting approval", []string{"r/2/1"}},
			{run.Approve("r/2/1", "ada", nil), "running", nil},
			{say, "running", nil},
		}},
		"approved first": {two("find"), run.Limits{}, true, 0, run.Waiting, []told{
			{run.Approve("r/1/1", "ada", nil), "waiting approval", []string{"r/2/1"}},
			{run.Approve("r/2/1", "ada", nil), "running", nil},
		}},
		"decision": {two("pay"), run.Limits{}, false, 2, run.Waiting, []told{
			{say, "waiting decision", []string{"r/1/1"}},
			{extend, "waiting decision", []string{"r/1/1"}},
			{run.Supply("r/1/1", json.RawMessage("1")), "running", nil},
		}},
		"message": {message, run.Limits{}, false, 0, run.Waiting, []told{
			{extend, "waiting message", nil},
			{say, "running", nil},
		}},
		"steps": {func(fx run.Effects, in run.Input) (json.RawMessage, error) {
			_, _ = fx.Model(ask("think", "0"))
			return thinks(fx, in)
		}, run.Limits{Steps: 1}, false, 0, run.Expired, []told{
			{say, "ttl_expired", nil},
			{extend, "running", nil},
		}},
		"interrupted": {thinks, run.Limits{}, false, 0, run.Interrupted, []told{
			{say, "interrupted", nil},
			{extend, "interrupted", nil},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{gate: map[string]bool{"find": test.gate}}
			if test.stops == run.Interrupted {
				w.ask = map[string]func(int) (llm.Response, error){"think": func(n int) (llm.Response, error) {
					if n > 1 {
						return llm.Response{Text: "so"}, nil
					}
					return llm.Response{}, &llm.Error{Kind: llm.ServerError}
				}}
			}
			j := new(journal.Map)
			createRun(t, w.env(j), test.limits)
			if test.dies > 0 {
				_, _ = w.env(dying.Journal(j, test.dies, false)).Execute(t.Context(), "r", test.f, nil)
			}
			stopped := execute(t, w.env(j), test.f, test.stops)
			for _, x := range test.tell {
				send(t, j, x.signal)
				for info := range j.Runs(t.Context(), journal.Filter{}) {
					if is := strings.TrimSpace(info.Status + " " + info.WaitsFor); is != x.status {
						t.Errorf("after %s the journal says %s, want %s", x.signal.Kind, is, x.status)
					}
				}
				want := *stopped
				if want.Calls = nil; x.status == "running" {
					want.Error = nil
				}
				want.Status, want.WaitsFor, _ = strings.Cut(x.status, " ")
				for _, c := range stopped.Calls {
					if slices.Contains(x.waits, c.Call) {
						want.Calls = append(want.Calls, c)
					}
				}
				result, err := w.env(j).Replay(t.Context(), "r", test.f, nil)
				if diff := cmp.Diff(&want, result, cmpopts.IgnoreFields(run.Result{}, "Usage")); diff != "" || err != nil {
					t.Errorf("after %s it is replayed as %s %v", x.signal.Kind, diff, err)
				}
			}
			execute(t, w.env(j), test.f, run.Completed)
		})
	}
}

// TestStillWaitsWhenDriven checks that executing a run that still waits writes nothing.
func TestStillWaitsWhenDriven(t *testing.T) {
	w := world{gate: map[string]bool{"pay": true}}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	stopped := execute(t, w.env(j), pays, run.Waiting)
	send(t, j, run.Say(llm.Message{Role: llm.RoleUser, Text: "well?"}))
	n := len(entries(t, j))
	if diff := cmp.Diff(stopped, execute(t, w.env(j), pays, run.Waiting)); diff != "" || len(entries(t, j)) != n {
		t.Errorf("there are %d entries, were %d: %s", len(entries(t, j)), n, diff)
	}
	send(t, j, run.Approve("r/1/1", "ada", nil))
	execute(t, w.env(j), pays, run.Completed)
}

// TestStillWaitsAfterLateOutcome checks that a late outcome of a call affects only that call.
func TestStillWaitsAfterLateOutcome(t *testing.T) {
	pays := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "pay", `{"a":1}`), request("2", "find", `{"a":2}`))
		return nil, err
	}
	w := world{gate: map[string]bool{"find": true}}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		result := execute(t, w.env(j), pays, run.Waiting) // by another worker that considers this one dead
		if len(result.Calls) != 2 {
			t.Errorf("it waits for %+v", result.Calls)
		}
		return "1", nil
	}}
	if _, err := w.env(j).Execute(t.Context(), "r", pays, nil); tool.Code(err) != "taken_over" {
		t.Fatal(err)
	}
	for info := range j.Runs(t.Context(), journal.Filter{}) {
		if info.Kind != "outcome" || info.Status != run.Waiting || info.WaitsFor != run.ForApproval {
			t.Errorf("the journal says %+v", info)
		}
	}
	result, err := w.env(j).Replay(t.Context(), "r", pays, nil)
	if err != nil || len(result.Calls) != 1 || result.Calls[0].Call != "r/2/1" {
		t.Errorf("it is replayed as %+v, %v", result, err)
	}
	send(t, j, run.Approve("r/2/1", "ada", nil))
	execute(t, w.env(j), pays, run.Completed)
}
