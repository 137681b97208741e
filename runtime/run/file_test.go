package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestKilledOnFile is [TestKilled] with files, which every worker opens itself.
func TestKilledOnFile(t *testing.T) {
	var calm world
	whole := calm.env(new(journal.Map))
	createRun(t, whole, run.Limits{})
	execute(t, whole, everything, run.Completed)
	want := history(t, whole.Journal)
	for kill := 1; kill < 16; kill++ {
		folder := t.TempDir()
		open := func() journal.Journal {
			j, err := file.Open(folder)
			if err != nil {
				t.Fatal(err)
			}
			return j
		}
		var w world
		createRun(t, w.env(open()), run.Limits{})
		if _, err := w.env(dying.Journal(open(), kill, kill%2 == 0)).Execute(t.Context(), "r", everything, nil); err != nil && !errors.Is(err, dying.Err) {
			t.Fatal(err)
		}
		redone := decideAll(t, &w, open())
		name := fmt.Sprint("killed at append ", kill)
		if diff := cmp.Diff(want, history(t, open())); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		w.check(t, name, redone)
	}
}

// TestFlippedRequest flips each bit of the request of a call during which a process died. The run must
// not continue, and the call must not be repeated.
func TestFlippedRequest(t *testing.T) {
	folder := t.TempDir()
	open := func() journal.Journal {
		j, err := file.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	pays := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		_, err := fx.Call(request("1", "pay", `{"to":"ada"}`))
		return nil, err
	}
	var w world
	createRun(t, w.env(open()), run.Limits{})
	if _, err := w.env(dying.Journal(open(), 2, false)).Execute(t.Context(), "r", pays, nil); !errors.Is(err, dying.Err) || w.happened("pay") != 1 {
		t.Fatalf("the process did not die in the call: %v, %q", err, w.effects)
	}
	execute(t, w.env(open()), pays, run.Waiting) // a claim and the original request
	names, err := filepath.Glob(filepath.Join(folder, "*.journal"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	content, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	stop := bytes.LastIndexByte(content, '+') // the append with the wait of the run
	content = content[:stop]
	flips, j := 0, open()
	for i := 8 * bytes.LastIndexByte(content, '+'); i < 8*len(content); i++ {
		flips++
		if testing.Short() && i/8%8 != i%8 {
			continue
		}
		damaged := bytes.Clone(content)
		damaged[i/8] ^= 1 << (i % 8)
		if err := os.WriteFile(names[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := w.env(j).Execute(t.Context(), "r", pays, nil)
		if bad, ok := errors.AsType[*journal.Error](err); !ok || bad.Code() != journal.Corrupt || w.happened("pay") != 1 {
			t.Fatalf("bit %d of byte %d: %v, the call was made %d times", i%8, i/8, err, w.happened("pay"))
		}
	}
	if flips < 8*87 {
		t.Errorf("the request has %d bits", flips)
	}
}

// TestLongResult checks that a result of 8 MiB is copied at most four times.
func TestLongResult(t *testing.T) {
	const size = 8 << 20
	output := `"` + strings.Repeat("x", size-2) + `"`
	for name, j := range map[string]journal.Journal{"map": new(journal.Map), "file": func() journal.Journal { j, _ := file.Open(t.TempDir()); return j }()} {
		var w world
		w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) { return "1", nil }}
		env := w.env(j)
		env.Tools = caller(func(_ context.Context, r tool.Request) *tool.Call {
			return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage(output)[:size:size]}
		})
		createRun(t, env, run.Limits{})
		one := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			calls, err := fx.Call(request("1", "pay", "{}"))
			if err == nil && len(calls[0].Output) != size {
				err = fmt.Errorf("the result has %d bytes", len(calls[0].Output))
			}
			return nil, err
		}
		raw := json.RawMessage(output) // the caller copies it
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		execute(t, env, one, run.Completed)
		runtime.ReadMemStats(&after)
		if copies := float64(after.TotalAlloc-before.TotalAlloc)/float64(len(raw)) - 1; copies > 4 {
			t.Errorf("%s: %.1f times its size is allocated", name, copies)
		} else {
			t.Logf("%s: %.1f times its size is allocated", name, copies)
		}
	}
}

// TestLongError checks that the outcome of a call is known however long its error is.
func TestLongError(t *testing.T) {
	why := errors.New(strings.Repeat("x", journal.MaxEntry+1))
	for name, err := range map[string]error{"own": why, "tool": &tool.ToolError{Tool: "pay", Err: why}, "panic": &tool.PanicError{Tool: "pay", Value: why.Error()}} {
		var w world
		env := w.env(new(journal.Map))
		env.Tools = caller(func(_ context.Context, r tool.Request) *tool.Call {
			return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusFailed, Err: err}
		})
		createRun(t, env, run.Limits{})
		one := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			calls, err := fx.Call(request("1", "pay", "{}"))
			if err != nil {
				return nil, err
			}
			if calls[0].Err == nil {
				t.Errorf("%s: there is no error", name)
			}
			_, err = fx.Do("ends so, too", func(context.Context) (json.RawMessage, error) { return nil, why })
			return nil, err
		}
		execute(t, env, one, run.Failed)
	}
}

// BenchmarkSteps executes runs of 800 steps with results of 10 KB each, on files.
func BenchmarkSteps(b *testing.B) {
	output := `"` + strings.Repeat("x", 10<<10) + `"`
	for _, steps := range []int{200, 800} {
		for _, sink := range []func(context.Context, run.Event){nil, func(context.Context, run.Event) {}} {
			b.Run(fmt.Sprintf("%d-%t", steps, sink != nil), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					env := &run.Env{Journal: new(journal.Map), Events: sink, Model: llm.Func(nil), Repeats: -1}
					env.Tools = caller(func(_ context.Context, r tool.Request) *tool.Call {
						return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage(output)}
					})
					id := fmt.Sprint("r", i)
					if err := env.Begin(b.Context(), id, run.Input{Tools: tools}); err != nil {
						b.Fatal(err)
					}
					_, err := env.Execute(b.Context(), id, func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
						for step := range steps {
							if _, err := fx.Call(request(fmt.Sprint(step), "pay", "{}")); err != nil {
								return nil, err
							}
						}
						return nil, nil
					}, nil)
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
