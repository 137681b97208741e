package orchestrator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/cyclelog"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// nested is JSON of so many levels.
func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// TestHostileModel has models answer with what a state could not keep, or what
// would be long to work through.
func TestHostileModel(t *testing.T) {
	t.Parallel()
	open := `{"type":"object"}`
	for name, test := range map[string]struct {
		plan    *plan.Plan
		answers []string
		want    string
	}{
		"deep reasoning":      {steps("llm", sum), []string{nested(9_999)}, "completed 48: complete/llm complete/tool"},
		"deep result":         {steps("llm"), []string{`{"result":` + nested(9_998) + `}`}, "completed 49: complete/llm"},
		"deep arguments":      {steps("any", sum), []string{`{"a":` + nested(9_998) + `}`, "?", "?"}, "failed 48: failed/tool complete/tool (steps_failed)"},
		"deep repair":         {steps(`any []`), []string{`{"a":` + nested(9_998) + `}`, nested(9_000)}, "failed 49: failed/tool (steps_failed)"},
		"deep step":           {steps("none"), []string{`{"step_id":"1","description":"do part 1 & more","tool":"any","arguments":{"a":` + nested(9_000) + `}}`, "?", "no"}, "completed 49: complete/fallback"},
		"a megabyte":          {steps("llm", "llm"), []string{strings.Repeat("ä", 1<<20), "ok"}, "completed 48: complete/llm complete/llm"},
		"no UTF-8":            {steps("llm", "llm"), []string{"\xff\xfe \x00 {\"a\":\"\xc3\"}", "ok"}, "completed 48: complete/llm complete/llm"},
		"arguments, no UTF-8": {steps("send"), []string{"{\"to\":\"\xff\"}"}, "waiting"},
		"brackets":            {steps("llm"), []string{strings.Repeat("[", 200_000)}, "completed 49: complete/llm"},
		"a thousand repairs":  {steps("any []"), []string{strings.Repeat("{", 50_000), strings.Repeat(`{"a":`, 50_000)}, "failed 49: failed/tool (steps_failed)"},
		"approval of its own": {steps(`send {"to":"x","approval":"yes"}`), []string{`{"to":"x"}`}, "waiting"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(test.answers...)
			w.offered = append(w.offered, tool.Definition{Name: "any", Description: "Takes anything.", Input: json.RawMessage(open)})
			result, err := w.orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Plan: test.plan})
			if test.want == "waiting" {
				if e, ok := err.(*orchestrator.Error); !ok || e.Kind != record.ApprovalNeeded || !utf8.Valid(e.State.Waiting.Arguments) {
					t.Error(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(result); got != test.want {
				t.Errorf("got %s, want %s: %.300v", got, test.want, result.Error)
			}
			if _, err := w.orchestrator().Resume(result.State); err != nil {
				t.Error(err)
			}
			for _, req := range w.asked {
				if len(req.Prompt) > 100_000 {
					t.Errorf("a prompt has %d bytes", len(req.Prompt))
				}
			}
		})
	}
}

// TestHostilePlans has a model write plans that are none.
func TestHostilePlans(t *testing.T) {
	t.Parallel()
	step := func(i int) string {
		return fmt.Sprintf(`{"step_id":%d,"description":"d","tool":"add","arguments":{"a":1,"b":2}}`, i)
	}
	var giant []string
	for i := range 10_000 {
		giant = append(giant, step(i))
	}
	whole := func(steps ...string) string { return `{"goal":"g","steps":[` + strings.Join(steps, ",") + `]}` }
	for name, test := range map[string]struct{ reply, want string }{
		"giant":             {whole(giant...), "no plan was made"},
		"as long as can be": {whole(giant[:plan.MaxSteps]...), "ttl_expired"},
		"duplicate IDs":     {whole(step(1), step(1)), "no plan was made"},
		"IDs of NUL":        {whole(`{"step_id":"\u0000","description":"d","tool":"add","arguments":{"a":1,"b":2}}`, `{"step_id":"a/b","description":"d","tool":"add","arguments":{"a":1,"b":2}}`, `{"step_id":"a","description":"d","tool":"add","arguments":{"a":1,"b":2}}`), "completed"},
		"IDs of no UTF-8":   {whole("{\"step_id\":\"\xff\",\"description\":\"d\"}", "{\"step_id\":\"\xfe\",\"description\":\"d\"}"), "no plan was made"},
		"in itself":         {whole(`{"step_id":"1","description":"d","steps":[` + step(2) + `],"tool":"add","arguments":{"a":1,"b":2}}`), "completed"},
		"deep":              {whole(`{"step_id":"1","description":"d","arguments":` + nested(9_000) + `}`), "no plan was made"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(test.reply, "no", "no")
			result, err := w.orchestrator().Execute(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
			got := fmt.Sprint(err)
			if err == nil {
				got = string(result.Status)
				consistent(t, w, result)
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got %.500s", got)
			}
			for _, req := range w.asked[1:] { // repairs show what is wrong, not each of ten thousand faults
				if text := req.Messages[0].Text; len(text) > len(test.reply)+20_000 {
					t.Errorf("a prompt has %d bytes for %d", len(text), len(test.reply))
				}
			}
		})
	}
}

// odd is a caller that answers as it likes.
type odd struct {
	*world
	answer func(tool.Request) *tool.Call
}

func (o odd) Call(_ context.Context, request tool.Request) *tool.Call { return o.answer(request) }

// TestHostileCaller has a caller that keeps none of its promises.
func TestHostileCaller(t *testing.T) {
	t.Parallel()
	completed := func(output string) func(tool.Request) *tool.Call {
		return func(r tool.Request) *tool.Call {
			return &tool.Call{Status: tool.StatusCompleted, Output: json.RawMessage(output)}
		}
	}
	for name, test := range map[string]struct {
		answer func(tool.Request) *tool.Call
		want   string
	}{
		"nothing":     {func(tool.Request) *tool.Call { return nil }, "failed: error"},
		"not final":   {func(r tool.Request) *tool.Call { return &tool.Call{Status: tool.StatusProcessing} }, "failed: error"},
		"completed":   {completed(`{}`), "complete: "},
		"no output":   {completed(``), "complete: "},
		"no JSON":     {completed(`{`), "failed: invalid_output"},
		"no UTF-8":    {completed("\"\xff\""), "complete: "},
		"deep output": {completed(nested(9_990)), "failed: invalid_output"},
		"a long one":  {completed(`"` + strings.Repeat("x", 1<<20) + `"`), "complete: "},
		"far future": {func(r tool.Request) *tool.Call {
			return &tool.Call{Status: tool.StatusCompleted, Started: time.Unix(1<<40, 0)}
		}, "complete: "},
		"both": {func(r tool.Request) *tool.Call {
			return &tool.Call{Status: tool.StatusCompleted, Output: []byte("1"), Err: errors.New("\xff")}
		}, "failed: error"},
		"of another": {func(r tool.Request) *tool.Call {
			return &tool.Call{ID: "x", Request: tool.Request{Name: "y"}, Arguments: []byte("{"), Status: tool.StatusCompleted}
		}, "complete: "},
		"an inner one": {func(r tool.Request) *tool.Call {
			return &tool.Call{Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "x", Err: &tool.ArgumentError{Tool: "y"}}}
		}, "failed: tool_failed"},
		"an agent": {func(r tool.Request) *tool.Call {
			return &tool.Call{Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "x", Err: &record.Error{Kind: "busy", Step: "9"}}}
		}, "failed: tool_failed"},
		"a model": {func(r tool.Request) *tool.Call {
			return &tool.Call{Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "x", Err: &llm.Error{Kind: llm.Unreachable}}}
		}, "failed: tool_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.offered = []tool.Definition{{Name: "any", Description: "Anything."}}
			o := orchestrator.New(w, w.store, odd{w, test.answer}, orchestrator.Clock(w.now), orchestrator.Events(func(e record.Event) { w.events = append(w.events, e) }))
			result, err := o.Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps("any {}", "any {}")})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range result.State.Results {
				got := string(result.Plan.Steps[i].Status) + ": "
				if r.Error != nil {
					got += r.Error.Kind
				}
				if got != test.want || r.Error != nil && r.Error.Step != fmt.Sprint(i+1) {
					t.Errorf("step %d is %s, %+v", i, got, r.Error)
				}
			}
			if len(result.State.ToolHistory) != 2 || result.State.ToolHistory[1].Call.ID != "r/2/1" {
				t.Errorf("the history is %s", toJSON(t, result.State.ToolHistory))
			}
			if _, err := o.Resume(result.State); err != nil {
				t.Error(err)
			}
		})
	}
}

// refusing is a caller whose tool takes only even numbers, which its schema does
// not say, and needs approval for 4.
type refusing struct {
	*world
	ran []string
}

func (c *refusing) Call(_ context.Context, r tool.Request) *tool.Call {
	c.calls = append(c.calls, r)
	failed := &tool.Call{Status: tool.StatusFailed}
	var x struct{ N int }
	if err := json.Unmarshal(r.Arguments, &x); err != nil {
		failed.Err = err
		return failed
	}
	switch {
	case x.N%2 != 0:
		failed.Err = &tool.ArgumentError{Tool: "even", Count: 1, Faults: []tool.Fault{{Pointer: "/n", Expected: "an even number", Found: fmt.Sprint("the number ", x.N)}}}
		return failed
	case x.N%4 == 0 && r.Approval == "":
		failed.Err = &tool.ApprovalError{Tool: "even"}
		return failed
	}
	c.ran = append(c.ran, string(r.Arguments)+r.Approval)
	return &tool.Call{Status: tool.StatusCompleted, Output: r.Arguments}
}

// TestRefused has a tool find at the call what is wrong with its arguments.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		m       int // what the model may take instead
		answers []string
		want    string
		calls   int
		ran     string
	}{
		"mended":              {2, []string{`{"n":2}`}, "completed 48: complete/tool complete/tool", 3, `{"n":2} {"n":6}`},
		"at the second":       {2, []string{`{"n":3,"m":2}`, `{"n":2}`}, "completed 48: complete/tool complete/tool", 3, `{"n":2} {"n":6}`},
		"refused again":       {5, []string{`{"n":5}`}, "failed 48: failed/tool complete/tool (steps_failed)", 3, `{"n":6}`},
		"beyond repair":       {2, []string{`{"n":8}`, `?`}, "failed 48: failed/tool complete/tool (steps_failed)", 2, `{"n":6}`},
		"without a model":     {2, []string{"!", "!"}, "failed 49: failed/tool pending (repair_failed)", 1, ""},
		"approved thereafter": {4, []string{`{"n":4}`}, "completed 48: complete/tool complete/tool", 4, `{"n":4}yes {"n":6}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(test.answers...)
			w.offered = []tool.Definition{{Name: "even", Description: "Takes even numbers.", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}}
			c := &refusing{world: w}
			run, err := orchestrator.New(w, w.store, c, orchestrator.Clock(w.now)).Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps(fmt.Sprintf(`even {"n":3,"m":%d}`, test.m), `even {"n":6}`)})
			if err != nil {
				t.Fatal(err)
			}
			for more := true; more; {
				if more, err = run.Step(t.Context()); err != nil {
					t.Fatal(err)
				}
				if run.State().Status == orchestrator.Waiting {
					if more, err = true, run.Approve("1", "yes"); err != nil {
						t.Fatal(err)
					}
				}
			}
			s := run.State()
			got := summary(&orchestrator.Result{Plan: s.Plan, Status: s.Status, State: s, Error: s.Error})
			if got != test.want || len(c.calls) != test.calls || strings.Join(c.ran, " ") != test.ran || len(s.ToolHistory) != test.calls {
				t.Errorf("got %s after %d calls, ran %q", got, len(c.calls), c.ran)
			}
		})
	}
}

// TestLastError tells later steps what a step ended with, not what was mended before.
func TestLastError(t *testing.T) {
	w := newWorld(`{"b":2}`, "hm")
	w.offered = []tool.Definition{{Name: "any", Description: "Takes anything."}}
	errs := []error{
		&tool.ArgumentError{Tool: "any", Count: 1, Faults: []tool.Fault{{Pointer: "/a", Expected: "an even number", Found: "the number 1"}}},
		&tool.ToolError{Tool: "any", Err: errors.New("out of paper")},
	}
	o := orchestrator.New(w, w.store, odd{w, func(tool.Request) *tool.Call {
		err := errs[0]
		errs = errs[1:]
		return &tool.Call{Status: tool.StatusFailed, Err: err}
	}})
	if _, err := o.Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps(`any {"a":1,"b":2}`, "llm")}); err != nil {
		t.Fatal(err)
	}
	if last := w.asked[1].Prompt; !strings.Contains(last, "failed: any failed: out of paper") || strings.Contains(last, "even") {
		t.Error(last)
	}
}

// TestApprovalOfOthers has an approval given for arguments that the tool refuses:
// it is not one for those that come instead.
func TestApprovalOfOthers(t *testing.T) {
	w := newWorld(`{"n":4}`)
	w.offered = []tool.Definition{{Name: "even", Description: "Takes even numbers.", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}}
	c := &refusing{world: w}
	o := orchestrator.New(w, w.store, c)
	run, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps(`even {"n":8}`)})
	if err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	s := run.State()
	s.Waiting.Arguments = json.RawMessage(`{"n":3,"m":4}`) // the tool became stricter meanwhile
	if run, err = o.Resume(s); err != nil {
		t.Fatal(err)
	}
	if err := run.Approve("1", "yes"); err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	if s := run.State(); s.Status != orchestrator.Waiting || string(s.Waiting.Arguments) != `{"n":4}` || s.Waiting.Approval != "" || len(c.ran) != 0 {
		t.Errorf("%s, waits with %+v, ran %q", s.Status, s.Waiting, c.ran)
	}
}

// TestDenied has a denied call told of like any other step.
func TestDenied(t *testing.T) {
	var log bytes.Buffer
	cycles := cyclelog.Old(&log)
	w := newWorld()
	o := orchestrator.New(w, w.store, w, orchestrator.Events(func(e record.Event) {
		w.events = append(w.events, e)
		cycles.Event(e)
	}))
	run, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps(`send {"to":"x"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	if err := run.Deny("1"); err != nil {
		t.Fatal(err)
	}
	if run, err = o.Resume(run.State()); err != nil { // it is kept, too
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	if s := run.State(); s.Status != orchestrator.Failed || s.TTL != 49 || s.Waiting != nil || s.Denied || len(w.calls) != 1 {
		t.Errorf("%s", toJSON(t, s))
	}
	if want := "run_start step_start tool_start tool_end run_waits cycle step_end cycle run_end"; w.kinds() != want {
		t.Errorf("got %s", w.kinds())
	}
	if lines := strings.Split(log.String(), "\n"); len(lines) != 3 || !strings.Contains(lines[1], `"code":"denied"`) {
		t.Errorf("the log is %s", log.String())
	}
}

// TestResumeHostile resumes states that were tampered with: at random, in JSON.
// They are refused, or carried out without a panic.
func TestResumeHostile(t *testing.T) {
	t.Parallel()
	var states []any
	w := script()
	drive(t, w, func(int) bool { return false }, func(s orchestrator.State) {
		var value any
		if err := json.Unmarshal([]byte(toJSON(t, s)), &value); err != nil {
			t.Fatal(err)
		}
		states = append(states, value)
	})
	random := rand.New(rand.NewPCG(1, 2))
	refused, resumed := 0, 0
	for i := range 500 {
		text := toJSON(t, spoil(random, states[i%len(states)], 0.006))
		var s orchestrator.State
		if json.Unmarshal([]byte(text), &s) != nil {
			continue
		}
		w := newWorld("?", "?", "?", "?", "?", "?", "?", "?", "?", "?")
		run, err := w.orchestrator(orchestrator.MaxTokens(1000)).Resume(s)
		if err != nil {
			if _, ok := err.(*orchestrator.Error); !ok {
				t.Fatalf("%T %v", err, err)
			}
			refused++
			continue
		}
		resumed++
		for range 20 {
			if run.State().Status == orchestrator.Waiting {
				if err := run.Approve(run.State().CurrentStep, "yes"); err != nil {
					t.Fatal(err)
				}
			}
			if more, _ := run.Step(t.Context()); !more && run.State().Status != orchestrator.Waiting {
				break
			}
		}
	}
	if refused < 50 || resumed < 50 {
		t.Errorf("%d were refused, %d resumed", refused, resumed)
	}
	for name, change := range map[string]func(*orchestrator.State){
		"no ID":        func(s *orchestrator.State) { s.ID = "" },
		"an ID":        func(s *orchestrator.State) { s.ID = "a/b" },
		"no status":    func(s *orchestrator.State) { s.Status = "" },
		"a result":     func(s *orchestrator.State) { s.Results = s.Results[1:] },
		"all results":  func(s *orchestrator.State) { s.Results = nil },
		"no plan":      func(s *orchestrator.State) { s.Plan = nil },
		"no call":      func(s *orchestrator.State) { s.ToolHistory[0].Call = nil },
		"waiting":      func(s *orchestrator.State) { s.Status = orchestrator.Waiting },
		"denied":       func(s *orchestrator.State) { s.Denied = true },
		"a call waits": func(s *orchestrator.State) { s.Waiting = &tool.Request{} },
		"current step": func(s *orchestrator.State) { s.CurrentStep = "a" },
		"run again":    func(s *orchestrator.State) { s.Plan.Steps[0].Status = plan.Pending },
		"version":      func(s *orchestrator.State) { s.Version++ },
		"format":       func(s *orchestrator.State) { s.Format++ },
	} {
		s := drive(t, script(), func(int) bool { return false })
		change(&s)
		if _, err := script().orchestrator().Resume(s); tool.Code(err) != record.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spoil returns a copy of JSON in which values are lost or others.
func spoil(random *rand.Rand, value any, chance float64) any {
	if random.Float64() < chance {
		others := []any{nil, "", "a", -1.0, 1.0, true, []any{}, map[string]any{}, "running", "complete", "pending", "waiting"}
		return others[random.IntN(len(others))]
	}
	switch v := value.(type) {
	case map[string]any:
		copied := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if random.Float64() >= chance {
				copied[key] = spoil(random, v[key], chance)
			}
		}
		return copied
	case []any:
		var copied []any
		for _, item := range v {
			for range 1 + int(random.Float64()/(1-chance/2)) - int(random.Float64()/(1-chance/2)) {
				copied = append(copied, spoil(random, item, chance))
			}
		}
		return copied
	}
	return value
}

// TestInterruptedPlan interrupts a run that has no plan yet.
func TestInterruptedPlan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(planned)
	model := llm.Func(func(ctx context.Context, req llm.Request) (llm.Response, error) {
		cancel()
		return llm.Response{}, llm.ContextError(ctx, nil)
	})
	_, err := orchestrator.New(model, w.store, w).Execute(ctx, orchestrator.Input{ID: "r", Request: "x"})
	var stopped *orchestrator.Error
	if !errors.As(err, &stopped) || stopped.State == nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %#v", err)
	}
	run, err := w.orchestrator().Resume(*stopped.State)
	if err != nil {
		t.Fatal(err)
	}
	if more, err := run.Step(t.Context()); !more || err != nil || run.State().Plan == nil {
		t.Error(more, err)
	}
}

// TestUnusableSchemas has tools whose schemas nobody can check: that is left to them.
func TestUnusableSchemas(t *testing.T) {
	w := newWorld(`{"a":1}`)
	unusable := json.RawMessage(`{"type":"object","$ref":"https://schemas.invalid/x"}`)
	w.offered = []tool.Definition{{Name: "any", Description: "Takes anything.", Input: unusable, Output: unusable}}
	o := orchestrator.New(w, w.store, odd{w, func(r tool.Request) *tool.Call {
		return &tool.Call{Status: tool.StatusCompleted, Output: r.Arguments}
	}}, orchestrator.Clock(w.now))
	result, err := o.Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps(`any {"x":1}`, "any")})
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(result); got != "completed 48: complete/tool complete/tool" || string(result.State.Results[1].Result) != `{"a":1}` {
		t.Errorf("got %s, %s", got, toJSON(t, result.State.Results))
	}
}

// TestHostileClock has a clock that jumps, also to where JSON knows no time: a run
// is the same but for its times, and its state can be kept.
func TestHostileClock(t *testing.T) {
	times := []time.Time{time.Unix(1<<40, 0), time.Unix(-1<<40, 0), {}, time.Unix(50, 0), time.Unix(7, 0), time.Now()}
	w, looked := script(), 0
	o := orchestrator.New(w, w.store, w, orchestrator.Clock(func() time.Time { looked++; return times[looked%len(times)] }),
		orchestrator.Events(func(e record.Event) { w.events = append(w.events, e) }))
	run, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Request: "do <it>"})
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		if more, err = run.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if run.State().Status == orchestrator.Waiting {
			if more, err = true, run.Approve("b", "yes"); err != nil {
				t.Fatal(err)
			}
		}
		if run, err = o.Resume(run.State()); err != nil {
			t.Fatal(err)
		}
	}
	s := run.State()
	if got := summary(&orchestrator.Result{Plan: s.Plan, Status: s.Status, State: s, Error: s.Error}); got != "failed 45: complete/tool complete/tool failed/tool complete/fallback complete/llm (steps_failed)" || looked < len(times) {
		t.Errorf("%s after %d looks", got, looked)
	}
	toJSON(t, w.events)
}

// TestHostileUsage has a model deny what it used.
func TestHostileUsage(t *testing.T) {
	w := newWorld()
	asked := 0
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		asked++
		return llm.Response{Text: "x", Usage: []llm.Usage{{Input: 60}, {Input: -1 << 40}, {Output: 50}, {Input: 1}}[asked-1]}, nil
	})
	result, err := orchestrator.New(model, w.store, w, orchestrator.MaxTokens(100)).Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps("llm", "llm", "llm", "llm")})
	if err != nil || asked != 3 || result.Error.Kind != record.TokenBudget {
		t.Errorf("it was asked %d times: %v", asked, err)
	}
}

// TestOtherModelError has a model fail with an error that is not of package llm.
func TestOtherModelError(t *testing.T) {
	w := newWorld()
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, io.ErrClosedPipe })
	result, err := orchestrator.New(model, w.store, w).Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps("llm", sum)})
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(result); got != "failed 49: failed/llm pending (server_error)" {
		t.Error(got)
	}
}

// TestMeta has metadata go with calls, and nowhere else.
func TestMeta(t *testing.T) {
	w := script()
	drive(t, w, func(int) bool { return false })
	for _, req := range w.asked {
		if strings.Contains(toJSON(t, req), "tenant") {
			t.Errorf("metadata is in a prompt: %s", toJSON(t, req))
		}
	}
	for _, call := range w.calls {
		if call.Meta["tenant"] != "t" {
			t.Errorf("call %s has metadata %v", call.ID, call.Meta)
		}
	}
}

// TestKernelSource reads the kernel, and what only it uses: it does no input or
// output, starts nothing, and waits for nothing.
func TestKernelSource(t *testing.T) {
	files, clocks := 0, []string(nil)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && path == "cyclelog" { // which writes a log
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			for _, prefix := range []string{"os", "net", "log", "math/rand", "syscall", "unsafe"} {
				if name := strings.Trim(spec.Path.Value, `"`); name == prefix || strings.HasPrefix(name, prefix+"/") {
					t.Errorf("%s imports %s", path, name)
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			what := ""
			switch n := n.(type) {
			case *ast.GoStmt:
				what = "a goroutine"
			case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				what = "a channel"
			case *ast.SelectorExpr:
				on, ok := n.X.(*ast.Ident)
				if ok && on.Name == "context" && strings.HasPrefix(n.Sel.Name, "With") {
					what = "a context of its own"
				}
				if ok && on.Name == "time" && n.Sel.Name != "Time" && n.Sel.Name != "Duration" {
					clocks = append(clocks, path+": time."+n.Sel.Name)
				}
			}
			if what != "" {
				t.Errorf("%s: %s", set.Position(n.Pos()), what)
			}
			return true
		})
		return nil
	})
	if err != nil || files < 5 {
		t.Errorf("%d files, %v", files, err)
	}
	if want := []string{"orchestrator.go: time.Now"}; !slices.Equal(clocks, want) { // what Clock replaces
		t.Errorf("the kernel looks at %q", clocks)
	}
}
