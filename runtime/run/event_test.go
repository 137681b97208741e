package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// namedModel is a model with a name that records what it learns about its runs.
type namedModel struct {
	*world
	told []run.Event
}

func (namedModel) Name() string { return "small-1" }

func (m *namedModel) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if e, ok := run.EventFrom(ctx); ok {
		m.told = append(m.told, e)
	}
	return m.world.Generate(ctx, req)
}

// watchedEnv returns an environment whose clock advances by a second each time, and the events that its
// sink receives.
func watchedEnv(w *world, j journal.Journal) (*run.Env, *[]run.Event) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var events []run.Event
	env := w.env(j)
	env.Clock = func() time.Time { now = now.Add(time.Second); return now }
	env.Events = func(ctx context.Context, e run.Event) {
		if ctx.Value(contextKey{}) == nil {
			panic("an event without the context of its run")
		}
		events = append(events, e)
	}
	return env, &events
}

type contextKey struct{}

func traced(t *testing.T) context.Context { return context.WithValue(t.Context(), contextKey{}, 1) }

// of returns the events of one type, in order.
func of[T any](events []run.Event) (all []T) {
	for _, e := range events {
		if x, ok := e.What.(T); ok {
			all = append(all, x)
		}
	}
	return all
}

// TestModelEvents checks that sinks learn the purpose, the requested and the answering model, the
// attempt and the duration of each request, with the context of the run, and that wrappers of the
// model do, too.
func TestModelEvents(t *testing.T) {
	w := &world{ask: map[string]func(int) (llm.Response, error){"plan": func(n int) (llm.Response, error) {
		switch n {
		case 1:
			return llm.Response{}, &llm.Error{Kind: llm.ServerError, Err: errors.New("busy")}
		case 2:
			return llm.Response{Model: "small-1-2030"}, nil // empty
		}
		return llm.Response{Text: "a plan", Model: "small-1-2030"}, nil
	}}}
	j := &journal.Map{}
	env, events := watchedEnv(w, j)
	model := &namedModel{world: w}
	env.Model = llm.Retry{Model: model, Attempts: 1}
	createRun(t, env, run.Limits{Steps: 3})
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Model(run.Ask{For: "plan", Step: "7", Tool: "pay", Request: func() llm.Request { return llm.Request{Prompt: "plan"} }})
		return nil, err
	}
	for _, status := range []string{run.Interrupted, run.Completed} {
		if result, err := env.Execute(traced(t), "r", f, nil); err != nil || result.Status != status {
			t.Fatalf("%+v, %v", result, err)
		}
	}
	start := func(attempt int) run.ModelStart {
		return run.ModelStart{For: "plan", Tool: "pay", Model: "small-1", Attempt: attempt}
	}
	if diff := cmp.Diff([]run.ModelStart{start(1), start(1), start(2)}, of[run.ModelStart](*events)); diff != "" {
		t.Error(diff)
	}
	type end struct {
		run.ModelStart
		Error, Model string
		Took         time.Duration
	}
	var ends []end
	for _, e := range of[run.ModelEnd](*events) {
		x := end{e.ModelStart, "", e.Answer.Response.Model, e.Answer.Duration}
		if e.Answer.Error != nil {
			x.Error = e.Answer.Error.Kind
		}
		ends = append(ends, x)
	}
	if diff := cmp.Diff([]end{{start(1), llm.ServerError, "", time.Second}, {start(1), "empty_answer", "small-1-2030", time.Second}, {start(2), "", "small-1-2030", time.Second}}, ends); diff != "" {
		t.Error(diff)
	}
	for i, e := range model.told {
		if e.Run != "r" || e.Step != "7" || e.What != of[run.ModelStart](*events)[i] {
			t.Errorf("the model is told %+v", e)
		}
	}
	if len(model.told) != 3 {
		t.Errorf("the model is told of %d calls", len(model.told))
	}
}

// TestWaits checks that the beginning and the end of a wait are reported, even with a signal between
// them, and that the attempts of a call are counted.
func TestWaits(t *testing.T) {
	w := &world{gate: map[string]bool{"pay": true}}
	j := &journal.Map{}
	env, events := watchedEnv(w, j)
	createRun(t, env, run.Limits{Steps: 3})
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "find", "{}"), request("2", "pay", "{}"))
		return nil, err
	}
	if result, err := env.Execute(traced(t), "r", f, nil); err != nil || result.Status != run.Waiting {
		t.Fatalf("%+v, %v", result, err)
	}
	began := (*events)[len(*events)-1]
	send(t, j, run.Approve("r/2/1", "ada", nil))
	if result, err := env.Execute(traced(t), "r", f, nil); err != nil || result.Status != run.Completed {
		t.Fatalf("%+v, %v", result, err)
	}
	if diff := cmp.Diff([]run.RunClaimed{{Kind: "test", Status: run.Running}, {Kind: "test", Status: run.Waiting, WaitsFor: run.ForApproval, Since: began.Time}}, of[run.RunClaimed](*events), cmpopts.IgnoreFields(run.RunClaimed{}, "Earlier")); diff != "" {
		t.Error(diff)
	}
	claims := of[run.RunClaimed](*events)
	if first, second := claims[0].Earlier, of[run.CallEnd](claims[1].Earlier); len(first) != 0 || len(second) != 1 || second[0].Call.ID != "r/1/1" || claims[1].Earlier[0].Step != "1" {
		t.Errorf("the first worker learns %+v of the run, the second %+v", first, second)
	}
	var attempts []int
	for _, e := range of[run.CallEnd](*events) {
		attempts = append(attempts, e.Attempt)
	}
	if diff := cmp.Diff([]int{1, 2}, attempts); diff != "" {
		t.Error(diff)
	}
	for _, e := range *events {
		want := map[string]int{"1": 1, "2": 2}[e.Step]
		if e.Number != want || e.StepsLeft < 1 || e.StepsLeft > 3 || len(e.Tools) != len(tools) {
			t.Errorf("%+v", e)
		}
	}
	if last := (*events)[len(*events)-1]; last.StepsLeft != 1 {
		t.Errorf("%d steps are left", last.StepsLeft)
	}
}

// TestEventOfCall checks that the function of a call, and middleware, learn for which run they work.
func TestEventOfCall(t *testing.T) {
	w := &world{}
	var got []run.Event
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(ctx context.Context, _ tool.Request) (string, error) {
		e, _ := run.EventFrom(ctx)
		got = append(got, e)
		return "1", nil
	}}
	env, _ := watchedEnv(w, &journal.Map{})
	createRun(t, env, run.Limits{})
	if _, err := env.Execute(traced(t), "r", func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "pay", "{}"))
		return nil, err
	}, nil); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Run != "r" || got[0].Step != "1" || len(got[0].Tools) != len(tools) {
		t.Fatalf("%+v", got)
	}
	if start, ok := got[0].What.(run.CallStart); !ok || start.Request.ID != "r/1/1" || start.Attempt != 1 {
		t.Errorf("%+v", got[0].What)
	}
}

// TestLost checks that a sink is told when it will receive no more events of a run.
func TestLost(t *testing.T) {
	w := &world{}
	j := &journal.Map{}
	env, events := watchedEnv(w, j)
	createRun(t, env, run.Limits{})
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "pay", "{}"))
		return nil, err
	}
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		_, err := w.env(j).Execute(t.Context(), "r", f, nil) // another worker
		return "1", err
	}}
	if _, err := env.Execute(traced(t), "r", f, nil); tool.Code(err) != "taken_over" {
		t.Fatal(err)
	}
	lost := of[run.RunDetached](*events)
	if len(lost) != 1 || lost[0].Error.Kind != "taken_over" || len(of[run.RunStopped](*events)) != 0 || !slices.ContainsFunc(*events, func(e run.Event) bool { return e.Run == "r" }) {
		t.Errorf("%+v", *events)
	}
	before := len(*events)
	if _, err := env.Replay(traced(t), "r", func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("9", "pay", "{}"))
		return nil, err
	}, nil); tool.Code(err) != "drift" || len(*events) != before {
		t.Errorf("a replay tells %+v, %v", (*events)[before:], err)
	}
}

// TestNoCopies checks that a result of 8 MiB is stored once in the journal, and that events share it
// with the run.
func TestNoCopies(t *testing.T) {
	const size = 8 << 20
	output := json.RawMessage(`"` + strings.Repeat("x", size-2) + `"`)
	allocated := func(sink func(context.Context, run.Event)) (bytes uint64, j journal.Journal, result *tool.Call) {
		w := &world{}
		env := w.env(&journal.Map{})
		env.Events = sink
		env.Tools = caller(func(_ context.Context, r tool.Request) *tool.Call {
			return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: output}
		})
		createRun(t, env, run.Limits{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		execute(t, env, func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			calls, err := fx.Call(request("1", "pay", "{}"))
			if err == nil {
				result = calls[0]
			}
			return nil, err
		}, run.Completed)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, env.Journal, result
	}
	without, _, _ := allocated(nil)
	var told []run.Event
	with, j, result := allocated(func(_ context.Context, e run.Event) { told = append(told, e) })
	if with > without+size/16 {
		t.Errorf("%d bytes are allocated without a sink, %d with one", without, with)
	}
	if ends := of[run.CallEnd](told); len(ends) != 1 || &ends[0].Call.Output[0] != &result.Output[0] || len(result.Output) != size {
		t.Errorf("%d calls ended, with results of their own", len(ends))
	}
	long := 0
	for _, e := range entries(t, j) {
		long += len(e.Data) / size
	}
	if long != 1 {
		t.Errorf("the result is in the journal %d times", long)
	}
}

// TestExchange checks that a function knows its caller, and that its progress is reported immediately,
// only to current sinks.
func TestExchange(t *testing.T) {
	w := &world{asks: map[string][]tool.Question{"find": {}}, do: map[string]func(context.Context, tool.Request) (string, error){}}
	told, caller := true, tool.Caller{}
	w.do["find"] = func(ctx context.Context, r tool.Request) (string, error) {
		x := tool.ExchangeFrom(ctx)
		caller = x.Caller()
		x.Attach(content.Image("image/png", []byte{1, 2}))
		told = x.Progress(1, 2, "half of "+r.ID) && x.Log(int(slog.LevelWarn), "slow") && x.Reply("k", json.RawMessage("7")) == nil
		return "it", nil
	}
	j := new(journal.Map)
	env, events := watchedEnv(w, j)
	createRun(t, env, run.Limits{})
	var result *tool.Call
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		r := request("7", "find", "{}")
		r.Meta = map[string]string{"user": "ada", "session": "s", "client": "c 1", "tenant": "t"}
		calls, err := fx.Call(r)
		if err == nil {
			result = calls[0]
		}
		return nil, err
	}
	if _, err := env.Execute(traced(t), "r", f, nil); err != nil {
		t.Fatal(err)
	}
	if want := (tool.Caller{User: "ada", Session: "s", Client: "c 1"}); caller != want || !told {
		t.Errorf("%+v calls; somebody is told: %t", caller, told)
	}
	var order []string
	last := time.Time{}
	for _, e := range *events {
		if e.Step != "7" {
			continue
		}
		if e.Run != "r" || e.Number != 1 || len(e.Tools) != len(tools) || e.Time.Before(last) {
			t.Errorf("an event after %v is %+v", last, e)
		}
		last = e.Time
		order = append(order, fmt.Sprintf("%T", e.What))
	}
	if diff := cmp.Diff([]string{"run.CallStart", "run.Progress", "run.CallLogged", "run.CallEnd"}, order); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]run.Progress{{Call: "r/7/1", Tool: "find", Done: 1, Total: 2, Text: "half of r/7/1"}}, of[run.Progress](*events)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]run.CallLogged{{Call: "r/7/1", Tool: "find", Level: int(slog.LevelWarn), Text: "slow"}}, of[run.CallLogged](*events)); diff != "" {
		t.Error(diff)
	}
	live := *result
	told = false
	if _, err := env.Replay(traced(t), "r", f, func(e run.Event) {
		switch e.What.(type) {
		case run.Progress, run.CallLogged:
			t.Errorf("at replay: %+v", e)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(live.Content, result.Content); diff != "" || len(result.Content) != 1 || string(result.Meta["k"]) != "7" || told {
		t.Errorf("replayed, it has %+v %+v: %s", result.Content, result.Meta, diff)
	}

	env.Journal, env.Events = new(journal.Map), nil
	createRun(t, env, run.Limits{})
	if _, err := env.Execute(traced(t), "r", f, nil); err != nil || told {
		t.Errorf("with no sink somebody is told: %t, %v", told, err)
	}
}
