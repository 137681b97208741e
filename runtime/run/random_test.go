package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// program returns a function with random effects, which returns their outcomes and the times after
// each in the last execution.
func program(seed uint64) (f run.Func, times *[]time.Time) {
	r := rand.New(rand.NewPCG(seed, 1))
	var effects []func(fx run.Effects, note func(any, error) error) error
	for step := range 2 + r.IntN(6) {
		switch r.IntN(5) {
		case 0:
			effects = append(effects, func(fx run.Effects, note func(any, error) error) error {
				a, err := fx.Model(ask(fmt.Sprint("purpose", step), fmt.Sprint(step)))
				return note(a.Response.Text, err)
			})
		case 1:
			effects = append(effects, func(fx run.Effects, note func(any, error) error) error {
				return note(fx.Do(fmt.Sprint("do", step), func(context.Context) (json.RawMessage, error) { return json.RawMessage("1"), nil }))
			})
		case 2:
			effects = append(effects, func(fx run.Effects, note func(any, error) error) error {
				m, err := fx.Wait(run.WaitOptions{})
				return note(m, err)
			})
		default:
			var batch []run.Request
			for i := range 1 + r.IntN(4) {
				batch = append(batch, request(fmt.Sprint(step), tools[r.IntN(len(tools))].Name, fmt.Sprintf(`{"a":%d}`, i)))
			}
			effects = append(effects, func(fx run.Effects, note func(any, error) error) error { return call(fx, note, batch...) })
		}
	}
	times = new([]time.Time)
	return func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		var told []any
		*times = nil
		for _, effect := range effects {
			before := fx.Now()
			err := effect(fx, func(x any, err error) error { told = append(told, x); return err })
			if err != nil {
				return nil, err
			}
			if fx.Now().Before(before) {
				return nil, errors.New("time goes backwards")
			}
			*times = append(*times, fx.Now())
		}
		return json.Marshal(told)
	}, times
}

// executeToEnd executes a run until it has ended. It sends messages, answers, approves and repeats calls as
// required.
func executeToEnd(t *testing.T, w *world, j journal.Journal, f run.Func, chaos func(*run.Env)) (result *run.Result, redone []string) {
	t.Helper()
	for said := 0; ; {
		env := w.env(j)
		if chaos != nil {
			chaos(env)
		}
		var err error
		result, err = env.Execute(t.Context(), "r", f, nil)
		if _, over := errors.AsType[*run.TakenOverError](err); over || errors.Is(err, dying.Err) || err == nil && result.Status == run.Interrupted {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if result.Status != run.Waiting {
			return result, redone
		}
		for _, w := range result.Calls {
			switch w.For {
			case run.ForApproval:
				send(t, j, run.Approve(w.Call, "by me", nil))
			case run.ForAnswer:
				send(t, j, reply(w))
			default:
				send(t, j, run.Redo(w.Call))
				redone = append(redone, w.Call)
			}
		}
		if result.WaitsFor == run.ForMessage {
			said++
			send(t, j, run.Say(llm.Message{Role: llm.RoleUser, Text: fmt.Sprint("message ", said)}))
		}
	}
}

// TestRandom executes random runs, with tools that ask, under kills, outages, shutdowns and approvals,
// and compares them with the same runs without them.
func TestRandom(t *testing.T) {
	seeds := 200
	if testing.Short() {
		seeds = 50
	}
	for seed := range uint64(seeds) {
		f, times := program(seed)
		r := rand.New(rand.NewPCG(seed, 2))
		gate := map[string]bool{"pay": r.IntN(3) == 0, "find": r.IntN(6) == 0}
		asks := map[string][]tool.Question{}
		for _, d := range tools {
			for range max(r.IntN(5)-2, 0) {
				asks[d.Name] = append(asks[d.Name], []tool.Question{sure, whom, terse}[r.IntN(3)])
			}
		}
		calm, wild := world{gate: gate, asks: asks}, world{gate: gate, asks: asks}
		a, b := new(journal.Map), new(journal.Map)
		createRun(t, calm.env(a), run.Limits{})
		createRun(t, wild.env(b), run.Limits{})
		want, _ := executeToEnd(t, &calm, a, f, nil)
		got, redone := executeToEnd(t, &wild, b, f, func(env *run.Env) {
			env.Grace = time.Nanosecond
			if r.IntN(3) > 0 {
				env.Journal = dying.Journal(b, 1+r.IntN(8), r.IntN(2) == 0)
			}
			model := env.Model
			env.Model = llm.Func(func(ctx context.Context, req llm.Request) (llm.Response, error) {
				if r.IntN(4) == 0 {
					return llm.Response{}, &llm.Error{Kind: llm.ServerError, Status: 503}
				}
				return model.Generate(ctx, req)
			})
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if diff := cmp.Diff(history(t, a), history(t, b)); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		wild.once(t, fmt.Sprint("seed ", seed), redone)
		live := *times
		replayed, err := wild.env(b).Replay(t.Context(), "r", f, nil)
		if diff := cmp.Diff(got, replayed); diff != "" || err != nil {
			t.Errorf("seed %d, replayed: %s %v", seed, diff, err)
		}
		if diff := cmp.Diff(live, *times); diff != "" {
			t.Errorf("seed %d, replayed, it is another time: %s", seed, diff)
		}
		if t.Failed() {
			return
		}
	}
}

// once checks that calls of tools that are neither read-only nor idempotent were made at most once,
// except for repeated ones, and that an ID always has the same arguments.
func (w *world) once(t *testing.T, name string, redone []string) int {
	t.Helper()
	arguments, times := map[string]string{}, map[string]int{}
	for _, e := range w.effects {
		parts := strings.SplitN(e, " ", 3)
		if before, known := arguments[parts[1]]; known && before != parts[2] {
			t.Errorf("%s: %s ran with %s and %s", name, parts[1], before, parts[2])
		}
		arguments[parts[1]] = parts[2]
		if times[parts[1]]++; parts[0] == "pay" && times[parts[1]] > 1 && !slices.Contains(redone, parts[1]) {
			t.Errorf("%s: %s happened again", name, e)
		}
	}
	return len(arguments)
}
