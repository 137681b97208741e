package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestModelOutage checks that the run can continue at the same point after any error of the model.
func TestModelOutage(t *testing.T) {
	for _, failure := range []llm.Error{{Kind: llm.ServerError, Status: 503}, {Kind: llm.Unauthorized, Status: 401}} {
		var w world
		env := w.env(new(journal.Map))
		createRun(t, env, run.Limits{})
		w.ask = map[string]func(int) (llm.Response, error){"think": func(n int) (llm.Response, error) {
			if n <= 3 {
				return llm.Response{}, &failure
			}
			return llm.Response{Text: "about think"}, nil
		}}
		for range 3 {
			result := execute(t, env, everything, run.Interrupted)
			if result.Error.Code() != failure.Kind || result.Error.Retryable() != failure.Retryable() {
				t.Errorf("the error is %+v", result.Error)
			}
		}
		execute(t, env, everything, run.Completed)
		w.check(t, failure.Kind, nil)
	}
}

// TestNoAnswer checks that an invalid answer is requested once more, and counts as usage.
func TestNoAnswer(t *testing.T) {
	for _, none := range []llm.Response{{}, {Text: " \n"}, {Text: "half", Finish: llm.FinishLength}, {Text: "no", Finish: llm.FinishRefused}} {
		for _, times := range []int{1, 2} {
			var w world
			env := w.env(new(journal.Map))
			createRun(t, env, run.Limits{})
			none.Usage = llm.Usage{Input: 3}
			w.ask = map[string]func(int) (llm.Response, error){"plan": func(n int) (llm.Response, error) {
				if n <= times {
					return none, nil
				}
				return llm.Response{Text: "a plan", Usage: llm.Usage{Input: 3}}, nil
			}}
			status := []string{run.Completed, run.Failed}[times-1]
			result := execute(t, env, func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
				a, err := fx.Model(ask("plan", ""))
				return a.Read, err
			}, status)
			if result.Usage.Tokens.Input != 6 || result.Usage.ModelCalls != 2 || (result.Error == nil) != (status == run.Completed) {
				t.Errorf("%+v %d times: %+v", none, times, result)
			}
		}
	}
}

// TestUsageEstimated checks that an endpoint that reports no usage cannot evade the limit.
func TestUsageEstimated(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{Tokens: 100})
	w.ask = map[string]func(int) (llm.Response, error){"plan": func(int) (llm.Response, error) {
		return llm.Response{Text: strings.Repeat("long ", 200)}, nil
	}}
	if result := execute(t, env, everything, run.OverBudget); !result.Usage.Estimated || result.Usage.Tokens.Output < 200 {
		t.Errorf("the usage is %+v", result.Usage)
	}
}

// TestShutdown ends the context of a worker while a tool runs that may or may not react to it.
func TestShutdown(t *testing.T) {
	for _, name := range []string{"find", "tag", "pay"} {
		for _, heeds := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " ", heeds), func(t *testing.T) {
				var w world
				env := w.env(new(journal.Map))
				env.Grace = time.Minute // for errors that end by themselves
				if heeds {
					env.Grace = time.Millisecond
				}
				createRun(t, env, run.Limits{})
				ctx, stop := context.WithCancel(t.Context())
				w.do = map[string]func(context.Context, tool.Request) (string, error){name: func(call context.Context, _ tool.Request) (string, error) {
					stop()
					if heeds {
						<-call.Done()
						return "", call.Err()
					}
					return `"done all the same"`, nil
				}}
				one := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
					calls, err := fx.Call(request("1", name, "{}"))
					if err != nil {
						return nil, err
					}
					_, err = fx.Model(ask("answer", ""))
					return calls[0].Output, err
				}
				result, err := env.Execute(ctx, "r", one, nil)
				if err != nil || result.Status != run.Interrupted || !result.Error.Retryable() {
					t.Fatalf("%+v, %v", result, err)
				}
				w.do = nil
				want, times := run.Completed, 1
				if heeds {
					times = 2
				}
				if heeds && name == "pay" {
					want, times = run.Waiting, 1
				}
				result = execute(t, env, one, want)
				if w.happened(name) != times || !heeds && string(result.Answer) != `"done all the same"` {
					t.Errorf("it is %+v after %v", result, w.effects)
				}
			})
		}
	}
}

// TestDone checks that nothing starts, and nothing is written, if the context is already done.
func TestDone(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	ctx, stop := context.WithCancel(t.Context())
	w.do = map[string]func(context.Context, tool.Request) (string, error){"find": func(context.Context, tool.Request) (string, error) { stop(); return "1", nil }}
	if result, err := env.Execute(ctx, "r", everything, nil); err != nil || result.Status != run.Interrupted || w.happened("pay") != 0 {
		t.Errorf("%+v, %v after %v", result, err, w.effects)
	}
	if _, err := env.Execute(ctx, "r", everything, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a run was read: %v", err)
	}
	w.do = nil
	execute(t, env, everything, run.Completed)
	w.check(t, "done", nil)
}

// temporaryError is an error of a tool that says whether it is temporary.
type temporaryError bool

func (temporaryError) Error() string     { return "busy" }
func (p temporaryError) Retryable() bool { return bool(p) }

func TestRetries(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		fails int
		times int
		ok    bool
	}{
		{"find", temporaryError(true), 2, 3, true},
		{"find", temporaryError(true), 3, 3, false},
		{"tag", temporaryError(true), 2, 3, true},
		{"tag", temporaryError(false), 1, 1, false},
		{"tag", errors.New("no"), 1, 1, false},
		{"pay", temporaryError(true), 1, 1, false},
	} {
		var w world
		env := w.env(new(journal.Map))
		var waits []time.Duration
		env.Sleep = func(_ context.Context, d time.Duration) { waits = append(waits, d) }
		createRun(t, env, run.Limits{})
		w.do = map[string]func(context.Context, tool.Request) (string, error){test.name: func(context.Context, tool.Request) (string, error) {
			if w.happened(test.name) <= test.fails {
				return "", test.err
			}
			return "1", nil
		}}
		var calls []*tool.Call
		execute(t, env, func(fx run.Effects, _ run.Input) (_ json.RawMessage, err error) {
			calls, err = fx.Call(request("1", test.name, "{}"))
			return nil, err
		}, run.Completed)
		if w.happened(test.name) != test.times || (calls[0].Err == nil) != test.ok || len(waits) != test.times-1 || !slices.IsSorted(waits) {
			t.Errorf("%+v: %d times, %v, after %v", test, w.happened(test.name), calls[0].Err, waits)
		}
	}
}

// TestRepeats checks that the fourth call with the same arguments is refused, even after restarts.
func TestRepeats(t *testing.T) {
	var w world
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	loop := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		var last error
		for step := range 5 {
			calls, err := fx.Call(request(fmt.Sprint(step), "tag", "{ \"a\" : 1 }"), request(fmt.Sprint(step), "find", `{"a":1}`), request(fmt.Sprint(step), "tag", fmt.Sprint(`{"a":"`, step, `"}`)))
			if err != nil {
				return nil, err
			}
			last = calls[0].Err
		}
		return json.Marshal(tool.Code(last) + ": " + tool.ModelText(last))
	}
	for kill := 3; kill < 9; kill += 2 {
		if _, err := w.env(dying.Journal(j, kill, true)).Execute(t.Context(), "r", loop, nil); !errors.Is(err, dying.Err) {
			t.Fatal(err)
		}
	}
	result := execute(t, w.env(j), loop, run.Completed)
	same := map[string]bool{}
	for _, e := range w.effects {
		if strings.HasSuffix(e, `{"a":1}`) && strings.HasPrefix(e, "tag") {
			same[e] = true
		}
	}
	if len(same) != 3 || !strings.Contains(string(result.Answer), "tag: the same call was already made 3 times") {
		t.Errorf("%v: %s", same, result.Answer)
	}
}

func TestDrift(t *testing.T) {
	other := map[string]run.Func{
		"another purpose": func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, err := fx.Model(ask("plot", ""))
			return nil, err
		},
		"another effect": func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			return fx.Do("plan", nil)
		},
		"a call": func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, err := fx.Call(request("1", "find", "{}"))
			return nil, err
		},
		"another tool": func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, _ = fx.Model(ask("plan", ""))
			_, _ = fx.Do("recall", nil)
			_, err := fx.Call(request("1", "tag", "{}"))
			return nil, err
		},
		"one call less": func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, _ = fx.Model(ask("plan", ""))
			_, _ = fx.Do("recall", nil)
			_, _ = fx.Call(request("1", "find", "{}"))
			_, err := fx.Model(ask("think", "5"))
			return nil, err
		},
		"a message": func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, err := fx.Wait(run.WaitOptions{})
			return nil, err
		},
		"the end": func(run.Effects, run.Input) (json.RawMessage, error) { return nil, nil },
	}
	var w world
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	if _, err := w.env(dying.Journal(j, 4, true)).Execute(t.Context(), "r", everything, nil); !errors.Is(err, dying.Err) {
		t.Fatal(err)
	}
	before := len(entries(t, j))
	for name, f := range other {
		happened := len(w.effects) + len(w.asked)
		_, err := w.env(j).Execute(t.Context(), "r", f, nil)
		if drift, ok := errors.AsType[*run.NonDeterminismError](err); !ok || drift.Recorded == "" || drift.Got == "" {
			t.Errorf("%s: %v", name, err)
		}
		if len(entries(t, j)) != before || len(w.effects)+len(w.asked) != happened {
			t.Errorf("%s: something was done", name)
		}
	}
	w.ask = map[string]func(int) (llm.Response, error){"think": func(int) (llm.Response, error) { return llm.Response{Text: "x"}, nil }}
	decideAll(t, &w, j)
	execute(t, w.env(j), everything, run.Completed) // prompts, arguments and the reading of answers may change between versions
}

// TestEvents checks that sinks receive each event once, wherever workers are killed, and that the fold
// receives all events each time.
func TestEvents(t *testing.T) {
	for kill := 1; kill < 16; kill++ {
		for _, after := range []bool{false, true} {
			var w world
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			told := map[string]int{}
			sink := func(_ context.Context, e run.Event) {
				switch what := e.What.(type) {
				case run.CallEnd:
					told[what.Call.ID]++
				case run.ModelEnd, string:
					told[fmt.Sprintf("%T %s", what, e.Step)]++
				case run.RunStopped:
					told[what.Result.Status]++
				}
			}
			env := w.env(dying.Journal(j, kill, after))
			env.Events = sink
			_, _ = env.Execute(t.Context(), "r", everything, nil)
			decideAll(t, &w, j) // sinks do not receive these
			again := w.env(j)
			again.Events = sink
			var fold []string
			if _, err := again.Replay(t.Context(), "r", everything, func(e run.Event) { fold = append(fold, fmt.Sprintf("%T", e.What)) }); err != nil {
				t.Fatal(err)
			}
			for what, n := range told {
				if n != 1 && what != "run.ModelEnd " { // two of them have no step
					t.Errorf("killed at %d, %q is told %d times", kill, what, n)
				}
			}
			want := []string{"run.ModelEnd", "run.CallEnd", "run.CallEnd", "run.CallEnd", "run.CallEnd", "run.CallEnd", "string", "run.ModelEnd", "run.CallEnd", "run.ModelEnd"}
			if diff := cmp.Diff(want, fold); diff != "" {
				t.Errorf("killed at %d, the fold is told %s", kill, diff)
			}
		}
	}
}

// caller is a function that calls tools.
type caller func(context.Context, tool.Request) *tool.Call

func (c caller) Call(ctx context.Context, r tool.Request) *tool.Call { return c(ctx, r) }

// TestCallers checks callers that return arbitrary calls.
func TestCallers(t *testing.T) {
	for name, test := range map[string]struct {
		call *tool.Call
		want string
	}{
		"nothing":    {nil, "no_call"},
		"not final":  {&tool.Call{Status: tool.StatusProcessing}, "no_call"},
		"no output":  {&tool.Call{Status: tool.StatusCompleted}, "invalid_output"},
		"no JSON":    {&tool.Call{Status: tool.StatusCompleted, Output: []byte("{")}, "invalid_output"},
		"bad UTF-8":  {&tool.Call{Status: tool.StatusCompleted, Output: []byte("\"\xff\"")}, "invalid_output"},
		"too long":   {&tool.Call{Status: tool.StatusCompleted, Output: []byte(`"` + strings.Repeat("x", 25<<20) + `"`)}, "invalid_output"},
		"attached":   {&tool.Call{Status: tool.StatusCompleted, Output: []byte("1"), Content: []content.Part{content.Text("so")}}, ""},
		"too much":   {&tool.Call{Status: tool.StatusCompleted, Output: []byte("1"), Content: []content.Part{content.Image("image/png", make([]byte, 19<<20))}}, "invalid_output"},
		"odd reply":  {&tool.Call{Status: tool.StatusCompleted, Output: []byte("1"), Meta: map[string]json.RawMessage{"k": json.RawMessage("{")}}, "invalid_output"},
		"many lines": {&tool.Call{Status: tool.StatusCompleted, Output: []byte("[\n1]")}, ""},
		"any error":  {&tool.Call{Status: tool.StatusFailed, Err: errors.New("bad \xff")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			env := new(world).env(new(journal.Map))
			env.Tools = caller(func(context.Context, tool.Request) *tool.Call { return test.call })
			createRun(t, env, run.Limits{})
			f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
				calls, err := fx.Call(request("a/../\xff"+strings.Repeat("long", 999), "pay", "not JSON"))
				if err != nil {
					return nil, err
				}
				if tool.Code(calls[0].Err) != test.want || !strings.HasPrefix(calls[0].ID, "r/") {
					return nil, fmt.Errorf("%s: %v", calls[0].ID, calls[0].Err)
				}
				return json.Marshal(calls[0])
			}
			result := execute(t, env, f, run.Completed)
			replayed, err := env.Replay(t.Context(), "r", f, nil)
			if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
				t.Errorf("replayed it is another: %s %v", diff, err)
			}
		})
	}
}

func TestBegin(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	for _, id := range []string{"", "a/b", strings.Repeat("r", 257)} {
		if err := env.Begin(t.Context(), id, run.Input{}); tool.Code(err) != "invalid_input" {
			t.Errorf("the ID %.9q: %v", id, err)
		}
	}
	createRun(t, env, run.Limits{})
	if _, taken := errors.AsType[*journal.ConflictError](env.Begin(t.Context(), "r", run.Input{})); !taken {
		t.Error("an ID is used twice")
	}
	if _, err := env.Execute(t.Context(), "none", everything, nil); tool.Code(err) != "journal_gone" {
		t.Errorf("a run that is not there: %v", err)
	}
	result, err := env.Replay(t.Context(), "r", everything, nil)
	if err != nil || result.Status != run.Running || len(w.effects)+len(w.asked) != 0 || len(entries(t, env.Journal)) != 1 {
		t.Errorf("a replay did something: %+v, %v", result, err)
	}
	if err := env.Journal.Append(t.Context(), "r", 1, journal.Entry{Format: 99, Kind: "x", By: "y"}); err != nil {
		t.Fatal(err)
	}
	if _, err := env.Execute(t.Context(), "r", everything, nil); tool.Code(err) != journal.Corrupt || !strings.Contains(err.Error(), "format 99") {
		t.Errorf("an entry that nobody understands: %v", err)
	}
	send(t, env.Journal, run.Cancel("it is no use"))
	execute(t, env, everything, run.Cancelled)
}
