package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

// mortal is a process that carries out one run, keeps its state after each step,
// and dies when it turns to the world for the given time. Another one goes on from
// the state that was kept.
type mortal struct {
	*world
	deny    bool // what waits for approval
	gone    bool // the model, when it shall reason
	options []orchestrator.Option

	dieAt   int // 0 is never
	touched int
	deaths  int
	ended   int // index of the event that comes then
	late    int // times that it was turned to thereafter

	interrupt func()          // in the place of death
	refused   map[string]bool // what the model was asked and too busy for, in this process

	kept        string // the state, "" if there is none
	keptSeconds int64
	keptEvents  int
}

type death struct{}

// prompt counts what is asked of the world when it is too late, unless the end came
// with the event that tells of it.
func (m *mortal) prompt(ctx context.Context) {
	last := len(m.events) - 1
	tells := m.events[last].Kind == record.ModelStart || m.events[last].Kind == record.ToolStart
	if ctx.Err() != nil && !(tells && last == m.ended) {
		m.late++
	}
}

// compact is toJSON for what is compared often.
func compact(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (m *mortal) touch() {
	if m.touched++; m.touched == m.dieAt {
		m.deaths++
		if m.interrupt == nil {
			panic(death{})
		}
		m.ended = len(m.events)
		m.interrupt()
	}
}

// mortalPlan is written as nobody keeps it: with white space, and more escapes than
// needed.
var mortalPlan = strings.NewReplacer(`,"arguments":{"to":"<ada>"}`, "", `]}`, `,
	{"step_id":"f","description":"add again","tool":"add","arguments":{ "b" : 1,  "c":"\u003c1>", "d":1 }}]}`).Replace(planned)

// Generate answers by what is asked, not by when: everything may be asked again.
// At first the model is too busy.
func (m *mortal) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	m.prompt(ctx)
	m.touch()
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	text, again := req.Prompt, len(req.Messages) > 2
	if len(req.Messages) > 0 {
		text = req.Messages[0].Text
	}
	if key := fmt.Sprint(text, again); !m.refused[key] {
		m.refused[key] = true
		return llm.Response{}, &llm.Error{Kind: llm.RateLimited, RetryAfter: 3 * time.Second}
	}
	answer := ""
	for _, a := range []struct{ asked, first, second string }{
		{"Make a plan", strings.Replace(mortalPlan, `"agent":"llm"`, `"agent":"robot"`, 1), ""},
		{"should be a plan", `{"goal":"g"}`, mortalPlan},
		{"calls a tool: send", `{ "to" : "\u003cada>" }`, ""},
		{"calls a tool: add", `{"a":1,"second":41}`, ""},
		{`"c"`, `{ "b" : 2 }`, `{"a":1,"b":1}`},
		{"arguments of the tool add", `{"b":41}`, `{"a":1,"b":41}`},
		{"cannot be carried out", "nothing", `{"step_id":"d"}`},
		{"There is no tool", "a guess: <42>", ""},
		{"Do this step", "Here:\n{\"result\": 1}", ""},
	} {
		if strings.Contains(text, a.asked) {
			if answer = a.first; again {
				answer = a.second
			}
			break
		}
	}
	if m.gone && strings.Contains(text, "Do this step") {
		return llm.Response{}, &llm.Error{Kind: llm.Unauthorized, Status: 401}
	}
	return llm.Response{Text: answer, Model: "script", Finish: llm.FinishStop, Usage: llm.Usage{Input: 10, Output: 1}}, nil
}

// Call dies before a tool ran, or after.
func (m *mortal) Call(ctx context.Context, request tool.Request) *tool.Call {
	m.prompt(ctx)
	m.touch()
	call := m.world.Call(ctx, request)
	m.touch()
	return call
}

// blind is a store that nobody may read: what others left there is none of the
// kernel's business.
type blind struct {
	*mortal
	memory.Map
}

func (s *blind) Write(ctx context.Context, key string, value any) error {
	s.touch()
	err := s.Map.Write(ctx, key, value)
	s.touch()
	return err
}

func (*blind) Read(context.Context, string) (json.RawMessage, bool, error) {
	panic("the kernel reads the store")
}

func (*blind) Search(context.Context, string) iter.Seq2[memory.Entry, error] {
	panic("the kernel searches the store")
}

// live carries out the run from what was kept, to its end or its own.
func (m *mortal) live(ctx context.Context, t *testing.T, store memory.Store) (s orchestrator.State, alive bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, died := p.(death); !died {
				panic(p)
			}
		}
	}()
	m.refused, m.seconds, m.events = map[string]bool{}, m.keptSeconds, m.events[:m.keptEvents]
	model := llm.Retry{Model: m, Sleep: func(_ context.Context, d time.Duration) { m.seconds += int64(d / time.Second) }, Random: func() float64 { return 0 }}
	kernel := orchestrator.New(model, store, m, append([]orchestrator.Option{
		orchestrator.Clock(m.now),
		orchestrator.Events(func(e record.Event) { m.touch(); m.events = append(m.events, e) }),
	}, m.options...)...)
	var run *orchestrator.Run
	var err error
	if m.kept == "" {
		run, err = kernel.Start(t.Context(), orchestrator.Input{ID: "r", Request: "do <it>"})
	} else {
		if err = json.Unmarshal([]byte(m.kept), &s); err == nil {
			run, err = kernel.Resume(s)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		if s = run.State(); s.Status == orchestrator.Waiting {
			if m.deny {
				err = run.Deny(s.CurrentStep)
			} else {
				err = run.Approve(s.CurrentStep, "by <Grace>")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		more, err = run.Step(ctx)
		s = run.State()
		if err != nil {
			if !more || ctx.Err() == nil || !errors.Is(err, context.Canceled) || s.Status != orchestrator.Running {
				t.Fatalf("%v, %t, %s", err, more, s.Status)
			}
			ctx = t.Context()
		}
		more = more || s.Status == orchestrator.Waiting
		m.kept, m.keptSeconds, m.keptEvents = compact(t, s), m.seconds, len(m.events)
	}
	return s, true
}

// TestKilled kills a run wherever it turns to the world: before and after tools
// run, in calls of the model, between its retries, in writes to the store and in
// events. What goes on from the state that was kept last comes to the same end,
// with the same events; a call that is made again is the same call.
func TestKilled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		every      int // place
		deny, gone bool
		options    []orchestrator.Option
		want       string
	}{
		"approved":  {every: 1, want: "failed 44: complete/tool complete/tool failed/tool complete/fallback complete/llm complete/tool (steps_failed)"},
		"denied":    {every: 9, deny: true, want: "failed 44: complete/tool failed/tool failed/tool complete/fallback complete/llm complete/tool (steps_failed)"},
		"no model":  {every: 9, gone: true, want: "failed 45: complete/tool complete/tool failed/tool complete/fallback failed/llm pending (unauthorized)"},
		"steps":     {every: 9, options: []orchestrator.Option{orchestrator.TTL(2)}, want: "ttl_expired 0: complete/tool complete/tool pending pending pending pending (ttl_expired)"},
		"no tokens": {every: 9, options: []orchestrator.Option{orchestrator.MaxTokens(70)}, want: "ttl_expired 48: complete/tool complete/tool pending pending pending pending (token_budget)"},
	} {
		t.Run(name, func(t *testing.T) {
			live := func(dieAt int) (m *mortal, stored []memory.Entry, last orchestrator.State) {
				m = &mortal{world: newWorld(), deny: test.deny, gone: test.gone, options: test.options, dieAt: dieAt}
				store := &blind{mortal: m}
				for _, key := range []string{"a", "b", "c", "d", "e"} { // what others left
					if err := store.Map.Write(t.Context(), "run/r/"+orchestrator.ResultKey(key), "garbage"); err != nil {
						t.Fatal(err)
					}
				}
				for alive := false; !alive; {
					last, alive = m.live(t.Context(), t, store)
				}
				for entry, err := range store.Map.Search(t.Context(), "") {
					if err != nil {
						t.Fatal(err)
					}
					stored = append(stored, entry)
				}
				return m, stored, last
			}
			whole, stored, last := live(0)
			if got := summary(&orchestrator.Result{Plan: last.Plan, Status: last.Status, State: last, Error: last.Error}); got != test.want {
				t.Fatalf("got %s, want %s", got, test.want)
			}
			wantEvents := compact(t, whole.events)
			made := map[string]string{}
			for _, request := range whole.calls {
				made[request.ID] = compact(t, request) + string(request.Arguments)
			}
			for at := 1; at <= whole.touched; at += test.every {
				m, left, _ := live(at)
				if m.deaths != 1 {
					t.Fatalf("it did not die at %d", at)
				}
				if diff := cmp.Diff(whole.kept, m.kept); diff != "" {
					t.Fatalf("killed at %d, it ends with\n%s", at, diff)
				}
				if events := compact(t, m.events); events != wantEvents {
					t.Fatalf("killed at %d, it has the events\n%s", at, cmp.Diff(wantEvents, events))
				}
				if diff := cmp.Diff(stored, left); diff != "" {
					t.Fatalf("killed at %d, it stores\n%s", at, diff)
				}
				for _, request := range m.calls {
					if made[request.ID] != compact(t, request)+string(request.Arguments) {
						t.Fatalf("killed at %d, it calls %s", at, compact(t, request))
					}
				}
				if again := len(m.calls) - len(whole.calls); again < 0 || again > 1 {
					t.Fatalf("killed at %d, it makes %d calls again", at, again)
				}
			}
			t.Logf("killed at every %d. of %d places", test.every, whole.touched)
		})
	}
}

// TestCancelledAnywhere ends the context of a step wherever the kernel turns to the
// world, and goes on with another. What was done is not done again, and all comes to
// the same results.
func TestCancelledAnywhere(t *testing.T) {
	t.Parallel()
	live := func(cancelAt int) (*mortal, *blind, orchestrator.State) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := &mortal{world: newWorld(), dieAt: cancelAt, interrupt: cancel}
		store := &blind{mortal: m}
		s, _ := m.live(ctx, t, store)
		return m, store, s
	}
	whole, _, want := live(0)
	for at := 1; at <= whole.touched; at++ {
		m, store, s := live(at)
		if got, want := compact(t, s.Results), compact(t, want.Results); got != want || s.Status != orchestrator.Failed || m.deaths != 1 {
			t.Fatalf("cancelled at %d, it is %s with\n%s", at, s.Status, cmp.Diff(want, got))
		}
		if m.late > 0 {
			t.Fatalf("cancelled at %d, it asks for more", at)
		}
		if s.Usage.ToolCalls != len(m.calls) || s.Usage.ModelCalls != len(s.Outputs) {
			t.Fatalf("cancelled at %d, it counts %+v", at, s.Usage)
		}
		completed, ids := map[string]int{}, map[string]bool{}
		for _, made := range s.ToolHistory {
			if made.Call.Status == tool.StatusCompleted {
				completed[made.StepID]++
			}
			if completed[made.StepID] > 1 || ids[made.Call.ID] {
				t.Fatalf("cancelled at %d, it does call %s again", at, made.Call.ID)
			}
			ids[made.Call.ID] = true
		}
		cycles := 0
		for _, e := range m.events {
			if e.Kind != record.CycleEnd {
				continue
			}
			if cycles++; e.Cycle.Number != cycles {
				t.Fatalf("cancelled at %d, cycle %d has the number %d", at, cycles, e.Cycle.Number)
			}
		}
		for _, r := range s.Results {
			_, stored, err := store.Map.Read(t.Context(), "run/r/"+orchestrator.ResultKey(r.StepID))
			if err != nil || stored != r.Success {
				t.Fatalf("cancelled at %d: step %s is stored: %t, %v", at, r.StepID, stored, err)
			}
		}
	}
}

// TestTorn resumes what is left of a state that was not written to its end.
func TestTorn(t *testing.T) {
	drive(t, script(), func(int) bool { return false }, func(s orchestrator.State) {
		text := compact(t, s)
		for end := 0; end < len(text); end += 1 + len(text)/200 {
			for _, torn := range []string{text[:end], text[:end] + strings.Repeat("\x00", len(text)-end), text[end:]} {
				var s orchestrator.State
				if err := json.Unmarshal([]byte(torn), &s); err == nil && end > 0 {
					t.Errorf("%q is a state", torn)
				}
			}
		}
	})
	if _, err := script().orchestrator().Resume(orchestrator.State{}); tool.Code(err) != record.InvalidInput {
		t.Errorf("nothing was resumed: %v", err)
	}
}
