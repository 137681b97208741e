package orchestrator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

const sum = `add {"a":1,"b":2}`

func TestExecute(t *testing.T) {
	for name, test := range map[string]struct {
		plan    *plan.Plan
		answers []string
		options []orchestrator.Option
		want    string
		asked   int
	}{
		"tools":                          {steps(sum, sum), nil, nil, "completed 48: complete/tool complete/tool", 0},
		"a failed tool":                  {steps("fail", sum, "llm"), []string{"hm"}, nil, "failed 47: failed/tool complete/tool complete/llm (steps_failed)", 1},
		"arguments of the model":         {steps("add"), []string{"```json\n{\"a\":1,\"b\":2}\n```"}, nil, "completed 49: complete/tool", 1},
		"arguments with one reading":     {steps(`add {"a":"1","b":2}`), nil, nil, "completed 49: complete/tool", 0},
		"arguments repaired":             {steps(`add {"a":1,"second":2}`), []string{`{"b":2}`, `{"a":1,"b":2}`}, nil, "completed 49: complete/tool", 2},
		"arguments beyond repair":        {steps(`add {"a":1,"second":2}`, sum), []string{`?`, `{"a":1,"b":3}`}, nil, "failed 48: failed/tool complete/tool (steps_failed)", 2},
		"output against its schema":      {steps("now"), nil, nil, "failed 49: failed/tool (steps_failed)", 0},
		"tool and agent":                 {withAgent(steps(sum)), nil, nil, "completed 49: complete/tool", 0},
		"unknown tool repaired":          {steps(`sum {"a":1,"b":2}`), []string{`{"step_id":"1","description":"do part 1 & more","tool":"add"}`}, nil, "completed 49: complete/tool", 1},
		"unknown tool, invented twice":   {steps("sum"), []string{`{"step_id":"1","description":"do part 1 & more","tool":"sum"}`, `{}`, "three"}, nil, "completed 49: complete/fallback", 3},
		"unknown tool and agent":         {withAgent(steps("sum")), []string{`{}`, "three"}, nil, "completed 49: complete/fallback", 2},
		"neither tool nor agent":         {steps(""), []string{`{}`, "three"}, nil, "completed 49: complete/fallback", 2},
		"the model is gone":              {steps(sum, "llm", sum), []string{"!"}, nil, "failed 48: complete/tool failed/llm pending (unreachable)", 1},
		"the model is gone in fallback":  {steps("sum", sum), []string{"!", "!", "!"}, nil, "failed 49: failed/fallback pending (unreachable)", 3},
		"the model is gone in arguments": {steps("add", sum), []string{"!"}, nil, "failed 49: failed/tool pending (unreachable)", 1},
		"an empty answer":                {steps("llm", sum), []string{" "}, nil, "failed 48: failed/llm complete/tool (steps_failed)", 1},
		"ttl 2 of 2":                     {steps(sum, sum), nil, []orchestrator.Option{orchestrator.TTL(2)}, "completed 0: complete/tool complete/tool", 0},
		"ttl 2 of 3":                     {steps(sum, sum, sum), nil, []orchestrator.Option{orchestrator.TTL(2)}, "ttl_expired 0: complete/tool complete/tool pending (ttl_expired)", 0},
		"ttl 0":                          {steps(sum), nil, []orchestrator.Option{orchestrator.TTL(0)}, "ttl_expired 0: pending (ttl_expired)", 0},
		"ttl 5 of 2":                     {steps(sum, sum), nil, []orchestrator.Option{orchestrator.TTL(5)}, "completed 3: complete/tool complete/tool", 0},
		"ttl wins over failed":           {steps("fail", sum), nil, []orchestrator.Option{orchestrator.TTL(1)}, "ttl_expired 0: failed/tool pending (ttl_expired)", 0},
		"tokens to the last":             {steps("llm", "llm", "llm"), []string{"a", "b"}, []orchestrator.Option{orchestrator.MaxTokens(22)}, "ttl_expired 48: complete/llm complete/llm pending (token_budget)", 2},
		"tokens":                         {steps("llm", "llm", "llm"), []string{"a", "b"}, []orchestrator.Option{orchestrator.MaxTokens(12)}, "ttl_expired 48: complete/llm complete/llm pending (token_budget)", 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(test.answers...)
			result, err := w.orchestrator(test.options...).Execute(t.Context(), orchestrator.Input{ID: "r", Plan: test.plan})
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(result); got != test.want || len(w.asked) != test.asked {
				t.Errorf("got %s, asked %d times; want %s, %d", got, len(w.asked), test.want, test.asked)
			}
			if result.Status == orchestrator.TTLExpired && test.options != nil && result.Error.Kind == record.Expired {
				if result.State.TTL != 0 || !strings.Contains(result.Error.Text, "TTL expired") {
					t.Errorf("%d steps are left: %v", result.State.TTL, result.Error)
				}
			}
			consistent(t, w, result)
		})
	}
}

func withAgent(p *plan.Plan) *plan.Plan {
	for i := range p.Steps {
		p.Steps[i].Agent = plan.AgentLLM
	}
	return p
}

// consistent checks what must hold of every run.
func consistent(t *testing.T, w *world, r *orchestrator.Result) {
	t.Helper()
	s := r.State
	if len(s.Outputs) != len(w.asked) || s.Usage.ModelCalls != len(w.asked) || len(s.ToolHistory) != len(w.calls) || s.Usage.ToolCalls != len(w.calls) {
		t.Errorf("%d outputs and %d calls are kept, %+v counted; %d and %d were made", len(s.Outputs), len(s.ToolHistory), s.Usage, len(w.asked), len(w.calls))
	}
	final := 0
	for i, step := range r.Plan.Steps {
		if !step.Status.Final() {
			continue
		}
		final++
		result := s.Results[i]
		if result.StepID != step.ID || result.Success != (step.Status == plan.Complete) || result.Success == (result.Error != nil) || step.Errors != nil {
			t.Errorf("step %+v has result %+v", step, result)
		}
		stored, found, err := w.store.Read(context.Background(), "run/"+s.ID+"/"+orchestrator.ResultKey(step.ID))
		if err != nil || found != result.Success {
			t.Errorf("step %s is stored: %v, %v", step.ID, found, err)
		}
		var a, b any
		if found && (json.Unmarshal(stored, &a) != nil || json.Unmarshal(result.Result, &b) != nil || !cmp.Equal(a, b)) {
			t.Errorf("%s is stored for %s", stored, result.Result)
		}
	}
	cycles := 0
	for _, e := range w.events {
		if e.Kind == record.CycleEnd {
			cycles++
			if e.Cycle.Number != cycles {
				t.Errorf("cycle %d is the number %d", e.Cycle.Number, cycles)
			}
		}
	}
	if final != len(s.Results) || s.CurrentStep != "" || cycles != s.Cycles {
		t.Errorf("%d steps are final, %d have results; at step %q after %d cycles of %d", final, len(s.Results), s.CurrentStep, cycles, s.Cycles)
	}
}

// TestAnswers has a model do a step: what it says becomes an object with a result.
func TestAnswers(t *testing.T) {
	for said, want := range map[string]string{
		`{"result": 7, "note": "<x>"}`:      `{"result":7,"note":"<x>"}`,
		"```json\n{\"result\": null}\n```":  `{"result":null}`,
		`{"a": {"result": 1}}`:              `{"result":{"a":{"result":1}}}`,
		`[1, {"result": 2}]`:                `{"result":[1,{"result":2}]}`,
		`7`:                                 `{"result":7}`,
		`"quoted"`:                          `{"result":"quoted"}`,
		`null`:                              `{"result":null}`,
		"plain & <simple>":                  `{"result":"plain & <simple>"}`,
		`The result is {"result": 7}.`:      `{"result":"The result is {\"result\": 7}."}`,
		`{"result": "cut of`:                `{"result":"{\"result\": \"cut of"}`,
		`{"result": 1} {"result": 2}`:       `{"result":"{\"result\": 1} {\"result\": 2}"}`,
		`{"result": "ok"} but not quite`:    `{"result":"{\"result\": \"ok\"} but not quite"}`,
		"[ ] milk\n[x] cow":                 `{"result":"[ ] milk\n[x] cow"}`,
		"[1] Ada has 3. [2] Grace has none": `{"result":"[1] Ada has 3. [2] Grace has none"}`,
		"```go\n[]int{1}\n```":              "{\"result\":\"```go\\n[]int{1}\\n```\"}",
		"```\n[1]\n```\nSo much.":           "{\"result\":\"```\\n[1]\\n```\\nSo much.\"}",
		"```\nno JSON\n```":                 "{\"result\":\"```\\nno JSON\\n```\"}",
		`{"result": 1e999999}`:              `{"result":"{\"result\": 1e999999}"}`,
		`{"status": "BLOCKED", "why": "?"}`: `{"result":{"status":"BLOCKED","why":"?"}}`,
	} {
		w := newWorld(said)
		result, err := w.orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps("llm")})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(result.State.Results[0].Result); got != want {
			t.Errorf("%s became %s, want %s", said, got, want)
		}
		consistent(t, w, result)
	}
}

// TestFinish has a model not finish what it says.
func TestFinish(t *testing.T) {
	for name, test := range map[string]struct {
		finish llm.Finish
		answer string
		plan   *plan.Plan
		want   string // of the step, or of the run if there is no plan
	}{
		"text cut off":    {llm.FinishLength, "First, unplug the", steps("llm"), "the answer of the model was cut off at its limit on tokens"},
		"text refused":    {llm.FinishRefused, "I can't help with that.", steps("llm"), "the model refused to answer"},
		"refused, empty":  {llm.FinishRefused, "", steps("llm"), "the model refused to answer"},
		"plan refused":    {llm.FinishRefused, "I can't help with that.", nil, "no plan was made: the model refused to answer"},
		"another finish":  {"content_sent", "Unplug it.", steps("llm"), ""},
		"whole arguments": {llm.FinishLength, `{"a":1,"b":2}`, steps("add"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(test.answer)
			w.finish = test.finish
			result, err := w.orchestrator(orchestrator.AnswerTokens(100)).Execute(t.Context(), orchestrator.Input{ID: "r", Request: "x", Plan: test.plan})
			got := ""
			switch {
			case err != nil:
				got = err.Error()
			case result.State.Results[0].Error != nil:
				got = result.State.Results[0].Error.Text
			}
			if got != test.want || w.asked[0].MaxTokens != 100 {
				t.Errorf("got %q of %d tokens, want %q", got, w.asked[0].MaxTokens, test.want)
			}
		})
	}
}

const planned = `{"goal":"g","steps":[{"step_id":"a","description":"add","tool":"add"},{"step_id":"b","description":"send <it> & wait","tool":"send","arguments":{"to":"<ada>"}},{"step_id":"c","description":"fail","tool":"fail"},{"step_id":"d","description":"guess"},{"step_id":"e","description":"tell","agent":"llm"}]}`

// misplanned names an agent that there is not.
var misplanned = strings.Replace(planned, `"agent":"llm"`, `"agent":"robot"`, 1)

// script answers a run that has a bit of everything.
func script() *world {
	return newWorld(misplanned, `{"goal":"g"}`, planned, // repaired at the second attempt
		`{"a":1,"second":41}`, `{"a":1,"b":41}`, // arguments, repaired
		`nothing`, `{"step_id":"d"}`, "a guess: <42>", // no tool for d
		"Here:\n{\"result\": 1}")
}

// drive steps a run, and kills it where kill says so: then a new orchestrator goes
// on from the state as it was stored. Those in each see every state.
func drive(t *testing.T, w *world, kill func(step int) bool, each ...func(orchestrator.State)) orchestrator.State {
	t.Helper()
	run, err := w.orchestrator().Start(t.Context(), orchestrator.Input{ID: "r", Request: "do <it>", Meta: map[string]string{"tenant": "t"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		more, err := run.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, see := range each {
			see(run.State())
		}
		if kill(i) {
			var s orchestrator.State
			if err := json.Unmarshal([]byte(toJSON(t, run.State())), &s); err != nil {
				t.Fatal(err)
			}
			if run, err = w.orchestrator().Resume(s); err != nil {
				t.Fatal(err)
			}
		}
		if run.State().Status == orchestrator.Waiting {
			if err := run.Approve("b", "by <Grace>"); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !more {
			return run.State()
		}
	}
}

func TestResume(t *testing.T) {
	whole := script()
	want := toJSON(t, drive(t, whole, func(int) bool { return false }))
	golden(t, "testdata/state.golden", want+"\n")
	golden(t, "testdata/events.golden", strings.ReplaceAll(whole.kinds(), " cycle", " cycle\n")+"\n")
	cycles := strings.Count(whole.kinds(), "cycle")
	for at := range cycles + 1 {
		w := script()
		got := toJSON(t, drive(t, w, func(i int) bool { return i == at || at == cycles }))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("killed after step %d:\n%s", at, diff)
		}
		for _, pair := range [][2]any{{whole.events, w.events}, {whole.asked, w.asked}, {whole.calls, w.calls}} {
			if a, b := toJSON(t, pair[0]), toJSON(t, pair[1]); a != b {
				t.Errorf("killed after step %d:\n%s", at, cmp.Diff(a, b))
			}
		}
	}
}

func TestPrompts(t *testing.T) {
	w := script()
	drive(t, w, func(int) bool { return false })
	var b strings.Builder
	for i, req := range w.asked {
		if len(req.Messages) == 0 { // others are the supervisor's
			fmt.Fprintf(&b, "=== %d: system ===\n%s\n=== user ===\n%s\n\n", i, req.System, req.Prompt)
		}
	}
	golden(t, "testdata/prompts.golden", b.String())
}

func TestRecentResults(t *testing.T) {
	w := newWorld("answer")
	_, err := w.orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps(sum, sum, sum, "fail", sum, sum, "llm")})
	if err != nil {
		t.Fatal(err)
	}
	prompt := w.asked[0].Prompt
	last := -1
	for _, step := range []string{"step 2,", "step 3,", "step 4, do part 4 & more, failed: fail failed: out of <paper>", "step 5,", "step 6, do part 6 & more: 3"} {
		at := strings.Index(prompt, step)
		if at <= last {
			t.Errorf("%q is not in its place", step)
		}
		last = at
	}
	if strings.Contains(prompt, "step 1,") {
		t.Error("more than five results are shown")
	}
}

// TestNegativeTTL has no step executed, and no line of a log count below zero.
func TestNegativeTTL(t *testing.T) {
	w := newWorld(planned)
	result, err := w.orchestrator(orchestrator.TTL(-7)).Execute(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
	if err != nil || result.Status != orchestrator.TTLExpired || len(w.calls) > 0 || result.State.Cycles != 1 {
		t.Fatal(err, toJSON(t, result))
	}
	for _, e := range w.events {
		if e.Cycle != nil && e.Cycle.TTL != 0 {
			t.Errorf("%d steps are left", e.Cycle.TTL)
		}
	}
}

func TestNoPlan(t *testing.T) {
	for name, test := range map[string]struct {
		answers []string
		code    string
		asked   int
	}{
		"beyond repair": {[]string{"no", "no", "no"}, "repair_failed", 3},
		"empty":         {[]string{""}, "empty_answer", 1},
		"no model":      {[]string{"!"}, "unreachable", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(test.answers...)
			result, err := w.orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
			var failed *orchestrator.Error
			if result != nil || !errors.As(err, &failed) || failed.Kind != test.code || failed.State == nil || len(failed.State.Outputs) != test.asked {
				t.Fatalf("got %v, %#v", result, err)
			}
			last := w.events[len(w.events)-2].Cycle
			if last == nil || len(last.Errors) != 1 || last.Plan != nil {
				t.Errorf("the cycle is %+v", last)
			}
		})
	}
}

func TestInput(t *testing.T) {
	begun := steps(sum)
	begun.Steps[0].Status = plan.Complete
	for name, in := range map[string]orchestrator.Input{
		"no id":      {Request: "x"},
		"slash":      {ID: "a/b", Request: "x"},
		"nothing":    {ID: "r", Request: " "},
		"bad plan":   {ID: "r", Plan: &plan.Plan{}},
		"begun plan": {ID: "r", Plan: begun},
	} {
		_, err := newWorld().orchestrator().Start(t.Context(), in)
		if _, ok := errors.AsType[*orchestrator.Error](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := newWorld().orchestrator().Resume(orchestrator.State{Format: 1, Version: 99}); err == nil {
		t.Error("a state of another version was resumed")
	}
}

func TestApproval(t *testing.T) {
	w := newWorld()
	run, err := w.orchestrator().Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps(`send {"to":"x"}`, `send {"to":"y"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Approve("1", "yes"); err == nil {
		t.Error("a step was approved that does not wait")
	}
	for range 2 { // nothing happens while it waits
		if more, err := run.Step(t.Context()); more || err != nil || run.State().Status != orchestrator.Waiting {
			t.Fatal(more, err, run.State().Status)
		}
	}
	if err := errors.Join(run.Approve("2", "yes"), run.Deny("")); tool.Code(err) != record.NotWaiting || w.calls[0].Approval != "" {
		t.Errorf("another step was approved: %v", err)
	}
	if err := run.Approve("1", "by \xff"); err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); !more || err != nil {
		t.Fatal(more, err)
	}
	if more, err := run.Step(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	if err := run.Deny("2"); err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	s := run.State()
	if s.Status != orchestrator.Failed || !s.Results[0].Success || s.Results[1].Error.Kind != "denied" || len(w.calls) != 3 || w.calls[1].ID != "r/1/2" || w.calls[1].Approval != "by \uFFFD" {
		t.Errorf("%s", toJSON(t, s))
	}
	_, err = newWorld().orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps(`send {"to":"x"}`)})
	var needs *orchestrator.Error
	if !errors.As(err, &needs) || needs.Kind != record.ApprovalNeeded || needs.State.Waiting == nil {
		t.Errorf("got %v", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld()
	w.during = func() {
		if len(w.calls) == 2 {
			cancel()
		}
	}
	result, err := w.orchestrator().Execute(ctx, orchestrator.Input{ID: "r", Plan: steps(sum, sum, sum)})
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(result); got != "failed 49: complete/tool running pending (cancelled)" || !errors.Is(result.Error, context.Canceled) {
		t.Errorf("got %s, %v", got, result.Error)
	}
	run, err := w.orchestrator().Resume(result.State)
	if err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(ctx); !more || !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: %v, %v", more, err)
	}
	for more := true; more; {
		if more, err = run.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if s := run.State(); s.Status != orchestrator.Completed || w.calls[2].ID != "r/2/2" || len(w.calls) != 4 {
		t.Errorf("%s after %d calls", s.Status, len(w.calls))
	}
}

// TestInterruptedCall interrupts a run while a function runs, which ends one way or
// another. It does not run again, and what it returned is stored.
func TestInterruptedCall(t *testing.T) {
	for name, test := range map[string]struct {
		ends func(ctx context.Context) (json.RawMessage, error)
		want string
	}{
		"a result":     {func(context.Context) (json.RawMessage, error) { return json.RawMessage(`{"n":1}`), nil }, "completed 49: complete/tool"},
		"an error":     {func(context.Context) (json.RawMessage, error) { return nil, errors.New("sent half") }, "failed 49: failed/tool (steps_failed)"},
		"the context":  {func(ctx context.Context) (json.RawMessage, error) { return nil, ctx.Err() }, "failed 49: failed/tool (steps_failed)"},
		"a panic":      {func(context.Context) (json.RawMessage, error) { panic("sent half") }, "failed 49: failed/tool (steps_failed)"},
		"a bad result": {func(context.Context) (json.RawMessage, error) { return json.RawMessage(`7`), nil }, "failed 49: failed/tool (steps_failed)"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			ran := 0
			work, err := schema.Dynamic(tool.Definition{Name: "work", Description: "Works.", Input: fail.Input, Output: json.RawMessage(`{"type":"object"}`)},
				func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
					ran++
					interrupt()
					return test.ends(ctx)
				})
			if err != nil {
				t.Fatal(err)
			}
			registry := tool.NewRegistry()
			if err := registry.Register(work); err != nil {
				t.Fatal(err)
			}
			w := newWorld()
			run, err := orchestrator.New(w, w.store, orchestrator.Tools(registry)).Start(ctx, orchestrator.Input{ID: "r", Plan: steps("work")})
			if err != nil {
				t.Fatal(err)
			}
			for more := true; more; {
				if more, err = run.Step(ctx); err != nil {
					ctx = t.Context()
				}
			}
			s := run.State()
			if got := summary(&orchestrator.Result{Plan: s.Plan, Status: s.Status, State: s, Error: s.Error}); got != test.want || ran != 1 || len(s.ToolHistory) != 1 {
				t.Errorf("%s; it ran %d times", got, ran)
			}
			if _, stored, err := w.store.Read(t.Context(), "run/r/step_1_result"); stored != s.Results[0].Success || err != nil {
				t.Errorf("it is stored: %t, %v", stored, err)
			}
		})
	}
}

// failingStore cannot write.
type failingStore struct{ memory.Store }

func (failingStore) Write(context.Context, string, any) error { return errors.New("disk full") }
func (failingStore) Search(context.Context, string) iter.Seq2[memory.Entry, error] {
	return nil
}

func TestStoreFails(t *testing.T) {
	w := newWorld()
	w.store = failingStore{}
	result, err := w.orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps(sum)})
	if err != nil || summary(result) != "completed 49: complete/tool" || !strings.Contains(w.kinds(), "store_failed") {
		t.Errorf("%v; %s", err, w.kinds())
	}
}

// TestStateFromTool looks at the state while a step is executed, and spoils what it
// gets.
func TestStateFromTool(t *testing.T) {
	w := newWorld()
	var run *orchestrator.Run
	w.during = func() {
		s := run.State()
		if s.CurrentStep != "1" || s.Plan.Steps[0].Status != plan.Running {
			t.Errorf("during the step: %s, %s", s.CurrentStep, s.Plan.Steps[0].Status)
		}
		s.Plan.Steps[0].Status = plan.Failed
		if _, err := run.Step(t.Context()); tool.Code(err) != record.Busy {
			t.Errorf("a second step began: %v", err)
		}
	}
	run, err := w.orchestrator().Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps(sum)})
	if err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); more || err != nil || run.State().Status != orchestrator.Completed {
		t.Error(more, err, run.State().Status)
	}
}

// TestStateFromAnywhere looks at the state whenever the kernel turns to the world:
// nothing that it touches is called with a lock held. Before the first step there
// is no plan, and what others do to a copy is theirs.
func TestStateFromAnywhere(t *testing.T) {
	w := script()
	var run *orchestrator.Run
	looked := map[string]int{}
	look := func(from string) {
		if run != nil {
			looked[from]++
			s := run.State()
			if s.Plan != nil {
				s.Plan.Goal = "spoilt"
				s.Plan.Steps[0].Arguments = append(s.Plan.Steps[0].Arguments[:0], "spoilt"...)
			}
			for _, made := range s.ToolHistory {
				made.Call.Request.Meta["tenant"] = "spoilt"
			}
		}
	}
	w.during = func() { look("tool") }
	model := llm.Func(func(ctx context.Context, req llm.Request) (llm.Response, error) {
		look("model")
		return w.Generate(ctx, req)
	})
	o := orchestrator.New(model, watched{w.store, func() { look("store") }}, w,
		orchestrator.Clock(func() time.Time { look("clock"); return w.now() }),
		orchestrator.Events(func(e record.Event) { look("events"); w.events = append(w.events, e) }),
		orchestrator.Redact(func(_, _ string, value json.RawMessage) json.RawMessage { look("redact"); return value }))
	run, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Request: "do <it>", Meta: map[string]string{"tenant": "t"}})
	if err != nil {
		t.Fatal(err)
	}
	if s := run.State(); s.Status != orchestrator.Running || s.Plan != nil || s.CurrentStep != "" || s.Cycles != 0 {
		t.Errorf("before the first step: %s", toJSON(t, s))
	}
	for more := true; more; {
		if more, err = run.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if run.State().Status == orchestrator.Waiting {
			if more, err = true, run.Approve("b", "by <Grace>"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(looked) != 6 {
		t.Errorf("looked %v", looked)
	}
	look("the end")
	golden(t, "testdata/state.golden", toJSON(t, run.State())+"\n")
}

// watched is a store that tells of writes.
type watched struct {
	memory.Store
	written func()
}

func (s watched) Write(ctx context.Context, key string, value any) error {
	s.written()
	return s.Store.Write(ctx, key, value)
}

// TestUnregistered has a tool gone between plan and call.
func TestUnregistered(t *testing.T) {
	o := orchestrator.New(newWorld(), &memory.Map{}, gone{newWorld()})
	result, err := o.Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps(sum)})
	if err != nil {
		t.Fatal(err)
	}
	if got := result.State.Results[0].Error; got.Kind != "unknown_tool" {
		t.Errorf("got %+v", got)
	}
}

type gone struct{ *world }

func (gone) Call(ctx context.Context, request tool.Request) *tool.Call {
	return tool.NewRegistry().Call(ctx, request)
}

func TestRedact(t *testing.T) {
	hide := func(name, pointer string, value json.RawMessage) json.RawMessage {
		if bytes.Contains(value, []byte("ada")) && value[0] == '"' || strings.HasPrefix(pointer, "/output") && name == "send" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	}
	w := script()
	whole := w.orchestrator(orchestrator.Redact(hide))
	run, err := whole.Start(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := run.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if run.State().Status == orchestrator.Waiting {
			if err := run.Approve("b", "yes"); err != nil {
				t.Fatal(err)
			}
		}
	}
	events := toJSON(t, w.events)
	if strings.Contains(events, "ada") || strings.Contains(events, `"sent"`) || !strings.Contains(events, "hidden") {
		t.Error("a secret is in the events")
	}
	if state := toJSON(t, run.State()); !strings.Contains(state, "ada") || strings.Contains(state, "hidden") {
		t.Error("the state was redacted")
	}
}

// TestSize counts the lines of the kernel.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	if lines == 0 || lines > 800 {
		t.Errorf("the kernel has %d lines, at most 800 are allowed", lines)
	}
}
