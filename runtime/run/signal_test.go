package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// pays makes two concurrent payments and returns their outcomes.
func pays(fx run.Effects, _ run.Input) (json.RawMessage, error) {
	var told []string
	note := func(x any, err error) error {
		told = append(told, x.(string))
		return err
	}
	if err := call(fx, note, request("1", "pay", `{"a":1}`), request("2", "tag", `{"a":2}`)); err != nil {
		return nil, err
	}
	return json.Marshal(told)
}

func TestApproval(t *testing.T) {
	for name, test := range map[string]struct {
		signal  run.Signal
		answer  string
		effects []string
	}{
		"approved": {run.Approve("r/1/1", "by ada", nil), `["{\"pay\":\"r/1/1\"}","{\"tag\":\"r/2/1\"}"]`, []string{`pay r/1/1 {"a":1}`, `tag r/2/1 {"a":2}`}},
		"edited":   {run.Approve("r/1/1", "by ada", json.RawMessage(`{"a":0}`)), `["{\"pay\":\"r/1/1\"}","{\"tag\":\"r/2/1\"}"]`, []string{`pay r/1/1 {"a":0}`, `tag r/2/1 {"a":2}`}},
		"denied":   {run.Deny("r/1/1", "too <much>"), `["denied: pay: the call is not allowed: too <much>","{\"tag\":\"r/2/1\"}"]`, []string{`tag r/2/1 {"a":2}`}},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{gate: map[string]bool{"pay": true}}
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			for range 2 { // the second execution has nothing to do
				result := execute(t, w.env(j), pays, run.Waiting)
				if result.WaitsFor != run.ForApproval || len(result.Calls) != 1 {
					t.Fatalf("it waits for %+v", result)
				}
				if w := result.Calls[0]; w.Call != "r/1/1" || w.For != run.ForApproval || w.Request.Name != "pay" || string(w.Request.Arguments) != `{"a":1}` {
					t.Errorf("it waits for %+v", w.Request)
				}
				if n := len(entries(t, j)); n != 5 { // tag has not started
					t.Errorf("there are %d entries", n)
				}
			}
			for info := range j.Runs(t.Context(), journal.Filter{}) {
				if info.Status != run.Waiting || info.WaitsFor != run.ForApproval {
					t.Errorf("the journal says %+v", info)
				}
			}
			expectNotWaiting(t, run.SendSignal(t.Context(), j, "r", time.Now(), run.Redo("r/1/1"), nil))
			send(t, j, test.signal)
			expectNotWaiting(t, run.SendSignal(t.Context(), j, "r", time.Now(), run.Deny("r/1/1", "too late"), nil))
			result := execute(t, w.env(j), pays, run.Completed)
			var text []string
			if err := json.Unmarshal(result.Answer, &text); err != nil {
				t.Fatal(err)
			}
			var want []string
			_ = json.Unmarshal([]byte(test.answer), &want)
			if diff := cmp.Diff(want, text); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.effects, w.effects); diff != "" {
				t.Error(diff)
			}
			replayed, err := w.env(j).Replay(t.Context(), "r", pays, nil)
			if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
				t.Errorf("%s %v", diff, err)
			}
			if err := run.SendSignal(t.Context(), j, "r", time.Now(), run.Cancel("late"), nil); tool.Code(err) != "run_ended" {
				t.Errorf("a run that has ended is cancelled: %v", err)
			}
		})
	}
}

func expectNotWaiting(t *testing.T, err error) {
	t.Helper()
	if tool.Code(err) != "not_waiting" {
		t.Errorf("a signal about a call that nobody waits for: %v", err)
	}
}

// TestUnknown checks a worker that dies during a payment.
func TestUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		signal run.Signal
		want   string
		paid   int
	}{
		"redo":   {run.Redo("r/1/1"), `{"pay":"r/1/1"}`, 2},
		"deny":   {run.Deny("r/1/1", ""), "denied: pay: the call is not allowed; it had started, and its outcome is unknown", 1},
		"supply": {run.Supply("r/1/1", json.RawMessage(`{"receipt":7}`)), `{"receipt":7}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var w world
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			if _, err := w.env(dying.Journal(j, 2, false)).Execute(t.Context(), "r", pays, nil); !errors.Is(err, dying.Err) {
				t.Fatal(err)
			}
			result := execute(t, w.env(j), pays, run.Waiting)
			if result.WaitsFor != run.ForDecision || w.happened("pay") != 1 || w.happened("tag") != 0 {
				t.Fatalf("%+v after %v", result, w.effects)
			}
			expectNotWaiting(t, run.SendSignal(t.Context(), j, "r", time.Now(), run.Redo("r/2/1"), nil))
			send(t, j, test.signal)
			result = execute(t, w.env(j), pays, run.Completed)
			var told []string
			if err := json.Unmarshal(result.Answer, &told); err != nil || told[0] != test.want || w.happened("pay") != test.paid || w.happened("tag") != 1 {
				t.Errorf("%q after %v", told, w.effects)
			}
		})
	}
}

// TestLate checks an outcome that a slow worker reports after another one has taken over the run.
func TestLate(t *testing.T) {
	for name, test := range map[string]struct {
		before  bool // the call was made before, and somebody decided to repeat it
		decide  bool
		paid    int
		dropped int
	}{"in time": {false, false, 1, 0}, "too late": {false, true, 2, 1}, "redone": {true, false, 2, 0}, "redone, too late": {true, true, 3, 1}} {
		t.Run(name, func(t *testing.T) {
			var w world
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			if test.before {
				_, _ = w.env(dying.Journal(j, 2, false)).Execute(t.Context(), "r", pays, nil)
				execute(t, w.env(j), pays, run.Waiting)
				send(t, j, run.Redo("r/1/1"))
			}
			w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(_ context.Context, r tool.Request) (string, error) {
				w.do = nil
				if result := execute(t, w.env(j), pays, run.Waiting); result.WaitsFor != run.ForDecision {
					t.Errorf("the second worker is %+v", result)
				}
				if test.decide {
					send(t, j, run.Redo(r.ID))
				}
				return `"slow"`, nil
			}}
			dropped := 0
			env := w.env(j)
			env.Events = func(_ context.Context, e run.Event) {
				if _, ok := e.What.(run.OutcomeDropped); ok {
					dropped++
				}
			}
			_, err := env.Execute(t.Context(), "r", pays, nil)
			if _, ok := errors.AsType[*run.TakenOverError](err); !ok || dropped != test.dropped {
				t.Errorf("the slow worker: %v, %d outcomes dropped", err, dropped)
			}
			result := execute(t, w.env(j), pays, run.Completed)
			if slow := strings.Contains(string(result.Answer), "slow"); slow == test.decide || w.happened("pay") != test.paid || w.happened("tag") != 1 {
				t.Errorf("%s after %v", result.Answer, w.effects)
			}
		})
	}
}

// TestTakenOver suspends a worker while it asks the model. When it continues, the run belongs to
// another one, and it must start nothing more.
func TestTakenOver(t *testing.T) {
	var w world
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	w.ask = map[string]func(int) (llm.Response, error){"plan": func(int) (llm.Response, error) {
		w.mu.Unlock()
		defer w.mu.Lock()
		w.ask = nil
		execute(t, w.env(j), everything, run.Completed)
		return llm.Response{Text: "slow"}, nil
	}}
	_, err := w.env(j).Execute(t.Context(), "r", everything, nil)
	if _, ok := errors.AsType[*run.TakenOverError](err); !ok {
		t.Errorf("the worker that woke up: %v", err)
	}
	w.check(t, "woken", nil)
	if w.happened("pay") != 3 || w.happened("find") != 2 {
		t.Errorf("there happened %v", w.effects)
	}
}

// TestTwoWorkers checks two workers with the same run at the same time.
func TestTwoWorkers(t *testing.T) {
	for range 50 {
		var w world
		j := new(journal.Map)
		createRun(t, w.env(j), run.Limits{})
		done := make(chan error)
		for range 4 {
			go func() {
				_, err := w.env(j).Execute(context.Background(), "r", everything, nil)
				done <- err
			}()
		}
		for range 4 {
			err := <-done
			if _, taken := errors.AsType[*run.TakenOverError](err); err != nil && !taken {
				t.Error(err)
			}
		}
		redone := decideAll(t, &w, j)
		w.check(t, "four workers", redone)
	}
}

// hookedJournal is a journal that calls a function before its first append.
type hookedJournal struct {
	journal.Journal
	first func()
}

func (j *hookedJournal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if first := j.first; first != nil {
		j.first = nil
		first()
	}
	return j.Journal.Append(ctx, run, n, entries...)
}

// TestLateClaim lets another worker append something after a worker has read the run and before it
// claims it. The worker must not repeat effects. It overrides a claim alone, because that may belong
// to a process that was killed while its append was on the way to a server.
func TestLateClaim(t *testing.T) {
	for name, test := range map[string]struct {
		kind string
		over bool
	}{"an effect": {"do", true}, "a claim": {"claim", false}, "a message": {"say", false}} {
		var w world
		j := new(journal.Map)
		createRun(t, w.env(j), run.Limits{})
		_, err := w.env(&hookedJournal{j, func() {
			err := j.Append(t.Context(), "r", 1, journal.Entry{Format: 1, Kind: test.kind, By: "another", Data: json.RawMessage(`{"message":{"role":"user"}}`)})
			if err != nil {
				t.Error(err)
			}
		}}).Execute(t.Context(), "r", everything, nil)
		_, over := errors.AsType[*run.TakenOverError](err)
		if over != test.over || over && len(w.effects)+len(w.asked) > 0 || !over && err != nil {
			t.Errorf("behind %s: %v, and %v", name, err, w.effects)
		}
		if !over {
			w.check(t, "behind "+name, nil)
		}
	}
}

// talk answers messages until one says bye, and returns where it read each message.
func talk(fx run.Effects, _ run.Input) (json.RawMessage, error) {
	var heard []string
	for turn := 0; ; turn++ {
		m, err := fx.Wait(run.WaitOptions{})
		if err != nil {
			return nil, err
		}
		heard = append(heard, fmt.Sprint("turn ", turn, ": ", m.Text))
		if m.Text == "bye" {
			return json.Marshal(heard)
		}
		for step := range 3 {
			if more, err := fx.Wait(run.WaitOptions{Poll: true}); err != nil {
				return nil, err
			} else if more != nil {
				heard = append(heard, fmt.Sprint("turn ", turn, " step ", step, ": ", more.Text))
			}
			if _, err := fx.Model(ask("reply", fmt.Sprint(turn, ".", step))); err != nil {
				return nil, err
			}
		}
	}
}

// TestSay checks that a message that arrives during an effect is read at the same point in a replay,
// wherever workers were killed.
func TestSay(t *testing.T) {
	said := func(text string) run.Signal { return run.Say(llm.Message{Role: llm.RoleUser, Text: text}) }
	for kill := range 16 {
		var w world
		j := new(journal.Map)
		createRun(t, w.env(j), run.Limits{})
		sent := []string{"turn 0: hello", ": bye"}
		w.ask = map[string]func(int) (llm.Response, error){"reply": func(n int) (llm.Response, error) {
			if n == 2 || n == 4 {
				send(t, j, said(fmt.Sprint("while ", n)))
				sent = append(sent, fmt.Sprint("while ", n))
			}
			return llm.Response{Text: "ok"}, nil
		}}
		if result := execute(t, w.env(j), talk, run.Waiting); result.WaitsFor != run.ForMessage {
			t.Fatalf("it waits for %+v", result)
		}
		send(t, j, said("hello"))
		_, err := w.env(dying.Journal(j, kill, kill%2 == 0)).Execute(t.Context(), "r", talk, nil)
		if err != nil && !errors.Is(err, dying.Err) {
			t.Fatal(err)
		}
		execute(t, w.env(j), talk, run.Waiting)
		send(t, j, said("bye"))
		result := execute(t, w.env(j), talk, run.Completed)
		for _, want := range sent {
			if strings.Count(string(result.Answer), want) != 1 {
				t.Errorf("killed at %d, %q was heard in %s", kill, want, result.Answer)
			}
		}
		replayed, err := w.env(j).Replay(t.Context(), "r", talk, nil)
		if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
			t.Errorf("killed at %d: %s %v", kill, diff, err)
		}
	}
}

func TestCancel(t *testing.T) {
	var w world
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		send(t, j, run.Cancel("enough"))
		return `"paid"`, nil
	}}
	result := execute(t, w.env(j), everything, run.Cancelled)
	if result.Error == nil || !strings.Contains(result.Error.Text, "enough") || len(w.effects) != 3 {
		t.Errorf("%+v after %v", result, w.effects)
	}
	all := entries(t, j)
	if last := all[len(all)-1]; last.Kind != "outcome" || last.Status != run.Cancelled {
		t.Errorf("the last entry is %+v", last)
	}
	execute(t, w.env(j), nil, run.Cancelled) // for any function
	drifts := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		return nil, call(fx, nil, request("9", "pay", ""))
	}
	for i, f := range []run.Func{everything, drifts} {
		told := 0
		result, err := w.env(j).Replay(t.Context(), "r", f, func(run.Event) { told++ })
		if err != nil || result.Status != run.Cancelled || told == 0 && i == 0 {
			t.Errorf("replayed, it is %+v, and tells %d things: %v", result, told, err)
		}
	}
	if err := run.SendSignal(t.Context(), j, "r", time.Now(), run.Say(llm.Message{}), nil); tool.Code(err) != "run_ended" {
		t.Errorf("a run that was cancelled hears: %v", err)
	}
}

// TestReplayStands checks that a run that is only read has the state of its journal, not the one that
// it would have if its worker were gone.
func TestReplayStands(t *testing.T) {
	var w world
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	stands := func(status, text string) {
		t.Helper()
		result, err := w.env(j).Replay(t.Context(), "r", everything, nil)
		if err != nil || result.Status != status || result.WaitsFor != "" || (result.Error != nil) != (text != "") || text != "" && !strings.Contains(result.Error.Text, text) {
			t.Errorf("it stands at %+v, %v; want %s", result, err, status)
		}
	}
	stands(run.Running, "")
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		stands(run.Running, "")
		return `"paid"`, nil
	}}
	w.ask = map[string]func(int) (llm.Response, error){"answer": func(int) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ServerError, Err: errors.New("too busy")}
	}}
	execute(t, w.env(j), everything, run.Interrupted)
	stands(run.Interrupted, "too busy")
}

func TestLimits(t *testing.T) {
	clock := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		limits run.Limits
		status string
		text   string
	}{
		"steps":    {run.Limits{Steps: 3}, run.Expired, "3 steps are allowed, and the run needs more"},
		"tokens":   {run.Limits{Tokens: 20}, run.OverBudget, "30 tokens of 20 are used"},
		"cost":     {run.Limits{Cost: 1.5}, run.OverBudget, "2 of 1.5 are spent"},
		"deadline": {run.Limits{Deadline: clock.Add(-time.Hour)}, run.OverBudget, "the deadline 2026-03-02T08:00:00Z has passed"},
	} {
		t.Run(name, func(t *testing.T) {
			var w world
			env := w.env(new(journal.Map))
			env.Clock = func() time.Time { return clock }
			env.Cost = func(string, llm.Usage) float64 { return 1 }
			createRun(t, env, test.limits)
			for range 2 {
				if result := execute(t, env, everything, test.status); result.Error.Text != test.text {
					t.Errorf("it says %q", result.Error.Text)
				}
			}
			send(t, env.Journal, run.Extend(run.Limits{}))
			execute(t, env, everything, run.Completed)
			w.check(t, name, nil)
		})
	}
}

// TestEmptySignals checks that empty signals, and limits that are too low, are refused, and that
// nothing is appended.
func TestEmptySignals(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){}}
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	w.do["pay"] = func(context.Context, tool.Request) (string, error) { panic("the worker dies") }
	pay := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "pay", "{}"))
		return nil, err
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = env.Execute(t.Context(), "r", pay, nil)
	}()
	execute(t, env, pay, run.Waiting)
	before := len(entries(t, env.Journal))
	for want, s := range map[string]run.Signal{
		"the message is empty":        run.Say(llm.Message{Role: llm.RoleUser, Text: " "}),
		"limits must not be negative": run.Extend(run.Limits{Tokens: -1}),
		"the output is missing; send null for a tool that returns nothing": run.Supply("r/1/1", nil),
	} {
		if err := env.Send(t.Context(), "r", s); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if n := len(entries(t, env.Journal)); n != before {
		t.Errorf("%d entries were appended", n-before)
	}
}

// TestSignalTime checks that signals have the time of the run, which may differ from that of the
// machine.
func TestSignalTime(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	now := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	env.Clock = func() time.Time { return now }
	createRun(t, env, run.Limits{Deadline: now.Add(time.Hour)})
	if err := env.Send(t.Context(), "r", run.Say(llm.Message{Text: "hello"})); err != nil {
		t.Fatal(err)
	}
	execute(t, env, everything, run.Completed)
	for _, e := range entries(t, env.Journal) {
		if !e.Time.Equal(now) {
			t.Errorf("%s is of %v", e.Kind, e.Time)
		}
	}
}
