package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/dying"
	"github.com/aiongen/aiongen/runtime/internal/note"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// pays makes two payments at once, and tells what came of them.
func pays(fx run.Effects, _ record.Input) (json.RawMessage, error) {
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
		signal  record.Signal
		answer  string
		effects []string
	}{
		"approved": {record.Approve("r/1/1", "by ada", nil), `["{\"pay\":\"r/1/1\"}","{\"tag\":\"r/2/1\"}"]`, []string{`pay r/1/1 {"a":1}`, `tag r/2/1 {"a":2}`}},
		"edited":   {record.Approve("r/1/1", "by ada", json.RawMessage(`{"a":0}`)), `["{\"pay\":\"r/1/1\"}","{\"tag\":\"r/2/1\"}"]`, []string{`pay r/1/1 {"a":0}`, `tag r/2/1 {"a":2}`}},
		"denied":   {record.Deny("r/1/1", "too <much>"), `["denied: pay: the call is not allowed: too <much>","{\"tag\":\"r/2/1\"}"]`, []string{`tag r/2/1 {"a":2}`}},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{gate: map[string]bool{"pay": true}}
			j := new(journal.Map)
			begin(t, w.env(j), record.Limits{})
			for range 2 { // the second time there is nothing to do
				result := execute(t, w.env(j), pays, record.Waiting)
				if result.WaitsFor != record.ForApproval || len(result.Calls) != 1 {
					t.Fatalf("it waits for %+v", result)
				}
				if w := result.Calls[0]; w.Call != "r/1/1" || w.For != record.ForApproval || w.Request.Name != "pay" || string(w.Request.Arguments) != `{"a":1}` {
					t.Errorf("it waits for %+v", w.Request)
				}
				if n := len(entries(t, j)); n != 5 { // tag has not begun
					t.Errorf("there are %d entries", n)
				}
			}
			for info := range j.Runs(t.Context(), journal.Filter{}) {
				if info.Status != record.Waiting || info.WaitsFor != record.ForApproval {
					t.Errorf("the journal says %+v", info)
				}
			}
			expectNotWaiting(t, note.Send(t.Context(), j, "r", time.Now(), record.Redo("r/1/1"), nil))
			send(t, j, test.signal)
			expectNotWaiting(t, note.Send(t.Context(), j, "r", time.Now(), record.Deny("r/1/1", "too late"), nil))
			result := execute(t, w.env(j), pays, record.Completed)
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
			if err := note.Send(t.Context(), j, "r", time.Now(), record.Cancel("late"), nil); tool.Code(err) != "run_ended" {
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

// TestUnknown: a worker dies while it pays.
func TestUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		signal record.Signal
		want   string
		paid   int
	}{
		"redo":   {record.Redo("r/1/1"), `{"pay":"r/1/1"}`, 2},
		"deny":   {record.Deny("r/1/1", ""), "denied: pay: the call is not allowed; it had begun, and nobody knows what came of it", 1},
		"supply": {record.Supply("r/1/1", json.RawMessage(`{"receipt":7}`)), `{"receipt":7}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var w world
			j := new(journal.Map)
			begin(t, w.env(j), record.Limits{})
			if _, err := w.env(dying.Journal(j, 2, false)).Execute(t.Context(), "r", pays, nil); !errors.Is(err, dying.Err) {
				t.Fatal(err)
			}
			result := execute(t, w.env(j), pays, record.Waiting)
			if result.WaitsFor != record.ForDecision || w.happened("pay") != 1 || w.happened("tag") != 0 {
				t.Fatalf("%+v after %v", result, w.effects)
			}
			expectNotWaiting(t, note.Send(t.Context(), j, "r", time.Now(), record.Redo("r/2/1"), nil))
			send(t, j, test.signal)
			result = execute(t, w.env(j), pays, record.Completed)
			var told []string
			if err := json.Unmarshal(result.Answer, &told); err != nil || told[0] != test.want || w.happened("pay") != test.paid || w.happened("tag") != 1 {
				t.Errorf("%q after %v", told, w.effects)
			}
		})
	}
}

// TestLate: a worker is slow, another one takes the run over, and then its outcome
// comes.
func TestLate(t *testing.T) {
	for name, test := range map[string]struct {
		before  bool // the call was made before, and somebody had it redone
		decide  bool
		paid    int
		dropped int
	}{"in time": {false, false, 1, 0}, "too late": {false, true, 2, 1}, "redone": {true, false, 2, 0}, "redone, too late": {true, true, 3, 1}} {
		t.Run(name, func(t *testing.T) {
			var w world
			j := new(journal.Map)
			begin(t, w.env(j), record.Limits{})
			if test.before {
				_, _ = w.env(dying.Journal(j, 2, false)).Execute(t.Context(), "r", pays, nil)
				execute(t, w.env(j), pays, record.Waiting)
				send(t, j, record.Redo("r/1/1"))
			}
			w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(_ context.Context, r tool.Request) (string, error) {
				w.do = nil
				if result := execute(t, w.env(j), pays, record.Waiting); result.WaitsFor != record.ForDecision {
					t.Errorf("the second worker is %+v", result)
				}
				if test.decide {
					send(t, j, record.Redo(r.ID))
				}
				return `"slow"`, nil
			}}
			dropped := 0
			env := w.env(j)
			env.Events = func(_ context.Context, e record.Event) {
				if _, ok := e.What.(record.Dropped); ok {
					dropped++
				}
			}
			_, err := env.Execute(t.Context(), "r", pays, nil)
			if _, ok := errors.AsType[*record.TakenOver](err); !ok || dropped != test.dropped {
				t.Errorf("the slow worker: %v, %d outcomes dropped", err, dropped)
			}
			result := execute(t, w.env(j), pays, record.Completed)
			if slow := strings.Contains(string(result.Answer), "slow"); slow == test.decide || w.happened("pay") != test.paid || w.happened("tag") != 1 {
				t.Errorf("%s after %v", result.Answer, w.effects)
			}
		})
	}
}

// TestTakenOver stops a worker while it asks the model: when it wakes, the run is
// another one's, and it begins nothing more.
func TestTakenOver(t *testing.T) {
	var w world
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	w.ask = map[string]func(int) (llm.Response, error){"plan": func(int) (llm.Response, error) {
		w.mu.Unlock()
		defer w.mu.Lock()
		w.ask = nil
		execute(t, w.env(j), everything, record.Completed)
		return llm.Response{Text: "slow"}, nil
	}}
	_, err := w.env(j).Execute(t.Context(), "r", everything, nil)
	if _, ok := errors.AsType[*record.TakenOver](err); !ok {
		t.Errorf("the worker that woke up: %v", err)
	}
	w.check(t, "woken", nil)
	if w.happened("pay") != 3 || w.happened("find") != 2 {
		t.Errorf("there happened %v", w.effects)
	}
}

// TestTwoWorkers has workers with one run at the same time.
func TestTwoWorkers(t *testing.T) {
	for range 50 {
		var w world
		j := new(journal.Map)
		begin(t, w.env(j), record.Limits{})
		done := make(chan error)
		for range 4 {
			go func() {
				_, err := w.env(j).Execute(context.Background(), "r", everything, nil)
				done <- err
			}()
		}
		for range 4 {
			err := <-done
			if _, taken := errors.AsType[*record.TakenOver](err); err != nil && !taken {
				t.Error(err)
			}
		}
		redone := decideAll(t, &w, j)
		w.check(t, "four workers", redone)
	}
}

// hooked is a journal of which the first append comes behind what somebody else does.
type hooked struct {
	journal.Journal
	first func()
}

func (j *hooked) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if first := j.first; first != nil {
		j.first = nil
		first()
	}
	return j.Journal.Append(ctx, run, n, entries...)
}

// TestLateClaim has another worker append something after a worker has read the run and
// before it claims it. The worker does not repeat effects. A claim alone it overrides: it
// may be that of a process that was killed while its append was on the way to a server.
func TestLateClaim(t *testing.T) {
	for name, test := range map[string]struct {
		kind string
		over bool
	}{"an effect": {note.KindDo, true}, "a claim": {note.KindClaim, false}, "a message": {note.KindSay, false}} {
		var w world
		j := new(journal.Map)
		begin(t, w.env(j), record.Limits{})
		_, err := w.env(&hooked{j, func() {
			err := j.Append(t.Context(), "r", 1, journal.Entry{Format: 1, Kind: test.kind, By: "another", Data: json.RawMessage(`{"message":{"role":"user"}}`)})
			if err != nil {
				t.Error(err)
			}
		}}).Execute(t.Context(), "r", everything, nil)
		_, over := errors.AsType[*record.TakenOver](err)
		if over != test.over || over && len(w.effects)+len(w.asked) > 0 || !over && err != nil {
			t.Errorf("behind %s: %v, and %v", name, err, w.effects)
		}
		if !over {
			w.check(t, "behind "+name, nil)
		}
	}
}

// talk answers messages until one says bye, and tells where it heard what.
func talk(fx run.Effects, _ record.Input) (json.RawMessage, error) {
	var heard []string
	for turn := 0; ; turn++ {
		m, err := fx.Wait(run.For{})
		if err != nil {
			return nil, err
		}
		heard = append(heard, fmt.Sprint("turn ", turn, ": ", m.Text))
		if m.Text == "bye" {
			return json.Marshal(heard)
		}
		for step := range 3 {
			if more, err := fx.Wait(run.For{Poll: true}); err != nil {
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

// TestSay: what is said while a run does something it hears at the same place when it
// is replayed, wherever workers were killed.
func TestSay(t *testing.T) {
	said := func(text string) record.Signal { return record.Say(llm.Message{Role: llm.RoleUser, Text: text}) }
	for kill := range 16 {
		var w world
		j := new(journal.Map)
		begin(t, w.env(j), record.Limits{})
		sent := []string{"turn 0: hello", ": bye"}
		w.ask = map[string]func(int) (llm.Response, error){"reply": func(n int) (llm.Response, error) {
			if n == 2 || n == 4 {
				send(t, j, said(fmt.Sprint("while ", n)))
				sent = append(sent, fmt.Sprint("while ", n))
			}
			return llm.Response{Text: "ok"}, nil
		}}
		if result := execute(t, w.env(j), talk, record.Waiting); result.WaitsFor != record.ForMessage {
			t.Fatalf("it waits for %+v", result)
		}
		send(t, j, said("hello"))
		_, err := w.env(dying.Journal(j, kill, kill%2 == 0)).Execute(t.Context(), "r", talk, nil)
		if err != nil && !errors.Is(err, dying.Err) {
			t.Fatal(err)
		}
		execute(t, w.env(j), talk, record.Waiting)
		send(t, j, said("bye"))
		result := execute(t, w.env(j), talk, record.Completed)
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
	begin(t, w.env(j), record.Limits{})
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		send(t, j, record.Cancel("enough"))
		return `"paid"`, nil
	}}
	result := execute(t, w.env(j), everything, record.Cancelled)
	if result.Error == nil || !strings.Contains(result.Error.Text, "enough") || len(w.effects) != 3 {
		t.Errorf("%+v after %v", result, w.effects)
	}
	all := entries(t, j)
	if last := all[len(all)-1]; last.Kind != "outcome" || last.Status != record.Cancelled {
		t.Errorf("the last entry is %+v", last)
	}
	execute(t, w.env(j), nil, record.Cancelled) // whatever the function is
	drifts := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		return nil, call(fx, nil, request("9", "pay", ""))
	}
	for i, f := range []run.Func{everything, drifts} {
		told := 0
		result, err := w.env(j).Replay(t.Context(), "r", f, func(record.Event) { told++ })
		if err != nil || result.Status != record.Cancelled || told == 0 && i == 0 {
			t.Errorf("replayed, it is %+v, and tells %d things: %v", result, told, err)
		}
	}
	if err := note.Send(t.Context(), j, "r", time.Now(), record.Say(llm.Message{}), nil); tool.Code(err) != "run_ended" {
		t.Errorf("a run that was cancelled hears: %v", err)
	}
}

// TestReplayStands: a run that is only read stands where its journal says, not where it
// would be if its worker were gone.
func TestReplayStands(t *testing.T) {
	var w world
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	stands := func(status, text string) {
		t.Helper()
		result, err := w.env(j).Replay(t.Context(), "r", everything, nil)
		if err != nil || result.Status != status || result.WaitsFor != "" || (result.Error != nil) != (text != "") || text != "" && !strings.Contains(result.Error.Text, text) {
			t.Errorf("it stands at %+v, %v; want %s", result, err, status)
		}
	}
	stands(record.Running, "")
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		stands(record.Running, "")
		return `"paid"`, nil
	}}
	w.ask = map[string]func(int) (llm.Response, error){"answer": func(int) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ServerError, Err: errors.New("too busy")}
	}}
	execute(t, w.env(j), everything, record.Interrupted)
	stands(record.Interrupted, "too busy")
}

func TestLimits(t *testing.T) {
	clock := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		limits record.Limits
		status string
		text   string
	}{
		"steps":    {record.Limits{Steps: 3}, record.Expired, "3 steps are allowed, and there are more to do"},
		"tokens":   {record.Limits{Tokens: 20}, record.OverBudget, "30 tokens of 20 are used"},
		"cost":     {record.Limits{Cost: 1.5}, record.OverBudget, "2 of 1.5 are spent"},
		"deadline": {record.Limits{Deadline: clock.Add(-time.Hour)}, record.OverBudget, "the time until 2026-03-02T08:00:00Z is over"},
	} {
		t.Run(name, func(t *testing.T) {
			var w world
			env := w.env(new(journal.Map))
			env.Clock = func() time.Time { return clock }
			env.Cost = func(string, llm.Usage) float64 { return 1 }
			begin(t, env, test.limits)
			for range 2 {
				if result := execute(t, env, everything, test.status); result.Error.Text != test.text {
					t.Errorf("it says %q", result.Error.Text)
				}
			}
			send(t, env.Journal, record.Extend(record.Limits{}))
			execute(t, env, everything, record.Completed)
			w.check(t, name, nil)
		})
	}
}

// TestEmptySignals: what says nothing is refused, or too little for a limit, and nothing is appended.
func TestEmptySignals(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){}}
	env := w.env(new(journal.Map))
	begin(t, env, record.Limits{})
	w.do["pay"] = func(context.Context, tool.Request) (string, error) { panic("the worker dies") }
	pay := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "pay", "{}"))
		return nil, err
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = env.Execute(t.Context(), "r", pay, nil)
	}()
	execute(t, env, pay, record.Waiting)
	before := len(entries(t, env.Journal))
	for want, s := range map[string]record.Signal{
		"the message is empty":                                          record.Say(llm.Message{Role: llm.RoleUser, Text: " "}),
		"limits must not be negative":                                   record.Extend(record.Limits{Tokens: -1}),
		"there is no output; of a tool that returns nothing it is null": record.Supply("r/1/1", nil),
	} {
		if err := env.Send(t.Context(), "r", s); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if n := len(entries(t, env.Journal)); n != before {
		t.Errorf("%d entries were appended", n-before)
	}
}

// TestSignalTime: signals have the time of the run, which need not be that of the
// machine.
func TestSignalTime(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	now := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	env.Clock = func() time.Time { return now }
	begin(t, env, record.Limits{Deadline: now.Add(time.Hour)})
	if err := env.Send(t.Context(), "r", record.Say(llm.Message{Text: "hello"})); err != nil {
		t.Fatal(err)
	}
	execute(t, env, everything, record.Completed)
	for _, e := range entries(t, env.Journal) {
		if !e.Time.Equal(now) {
			t.Errorf("%s is of %v", e.Kind, e.Time)
		}
	}
}
