package planner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// chance returns numbers that are the same for the same texts.
func chance(texts ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, texts...)
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

func pickText(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// randomStep returns a step as a model may write it: some are incomplete, some are wrong.
func randomStep(r *rand.Rand, id int) string {
	before := fmt.Sprint(1 + r.IntN(max(id-1, 1)))
	switch r.IntN(12) {
	case 0:
		return step(fmt.Sprint(id), "llm", "")
	case 1:
		return step(fmt.Sprint(id), pickText(r, "weather", "Send_Email", "functions.tag"), pickText(r, "", tagIt))
	case 2, 3, 4:
		return step(fmt.Sprint(id), "find_customer", pickText(r, find, `{"query":"Bob"}`, `{"query":7}`, ""))
	case 5, 6:
		return step(fmt.Sprint(id), "list_orders", pickText(r, `{"customer_id":42}`, `{"customer_id":"<<step:`+before+`/id>>"}`, `{"customer_id":"{{step`+before+`.id}}"}`, `{"limit":3}`))
	case 7, 8:
		return step(fmt.Sprint(id), "refund", pickText(r, `{"order_id":7,"amount":9}`, `{"order_id":"<<step:`+before+`/0/id>>","amount":9}`, `{"amount":"5"}`, "{}"))
	case 9:
		return step(fmt.Sprint(id), "send_email", pickText(r, `{"to":"<<step:`+before+`/email>>","body":"Hi"}`, `{"to":"ada","body":"It is <<step:`+before+`>>."}`, `{"to":"ada"}`))
	}
	return step(fmt.Sprint(id), "tag", pickText(r, tagIt, `{"order_id":7,"tag":"<<step:`+before+`>>!"}`, `{"tag":"y"}`))
}

// randomly is a model whose answers are random, but the same for the same request.
func randomly(seed uint64) func(purpose, prompt string) string {
	return func(purpose, prompt string) string {
		r := chance(seed, purpose, prompt)
		if r.IntN(20) == 0 {
			return pickText(r, "", "I do not know.", `{"steps":[`, "{}")
		}
		switch purpose {
		case "plan", "replan":
			first := 1
			if purpose == "replan" {
				if r.IntN(4) == 0 {
					return `{"give_up":"it cannot be done"}`
				}
				first = 1 + 10*(1+strings.Count(prompt, "; it failed: ")) + r.IntN(2)
			}
			var all []string
			for i := range 1 + r.IntN(6) {
				all = append(all, randomStep(r, first+i))
			}
			return steps(all...)
		case "arguments":
			for name, answers := range map[string][]string{
				`["query"]`: {find}, `["customer_id"]`: {`{"customer_id":42}`}, `["order_id"]`: {`{"order_id":7}`, `{"order_id":"<<step:1/0/id>>"}`},
				`["body"]`: {`{"body":"Hi"}`}, `["order_id","amount"]`: {`{"order_id":7,"amount":5}`, `{"order_id":7}`},
			} {
				if strings.Contains(prompt, "What is missing: "+name) && r.IntN(5) > 0 {
					return `{"arguments":` + pickText(r, answers...) + `}`
				}
			}
			return `{"cannot":"nobody said"}`
		case "repair":
			return pickText(r, "{}", `{"tool":"tag"}`, `{"tool":"find_customer"}`)
		}
		return "about " + fmt.Sprint(r.IntN(100))
	}
}

// randomWorld returns a world in which tools fail at random. The same call always fails in the same
// way.
func randomWorld(seed uint64) *world {
	r := chance(seed, "world")
	w := &world{task: task.Task{Request: "Please Ada."}, says: randomly(seed), fails: map[string]error{}}
	w.Settings = planner.Settings{AfterFailure: planner.AfterFailure(pickText(r, "", "replan", "stop", "continue")), Parallel: r.IntN(4)}
	w.gate = [][]string{nil, {"refund"}, {"send_email", "find_customer"}}[r.IntN(3)]
	for _, name := range []string{"find_customer", "list_orders", "refund", "send_email", "tag"} {
		if r.IntN(4) == 0 {
			w.fails[name] = errors.New(name + " is down")
		}
	}
	return w
}

// TestRandom executes random plans with kills and outages, and compares the outcomes with those of the
// same plans without them.
func TestRandom(t *testing.T) {
	seeds := 250
	if testing.Short() {
		seeds = 50
	}
	ended := map[string]int{}
	for seed := range uint64(seeds) {
		calm, wild := randomWorld(seed), randomWorld(seed)
		a, b := new(journal.Map), new(journal.Map)
		calm.begin(t, a)
		want, _ := settle(t, calm, func() journal.Journal { return a })
		wild.begin(t, b)
		r := chance(seed, "chaos")
		for range r.IntN(6) {
			env := wild.env(t, dying.Journal(b, 1+r.IntN(9), r.IntN(2) == 0))
			env.Model = llm.Func(func(ctx context.Context, req llm.Request) (llm.Response, error) {
				if r.IntN(5) == 0 {
					return llm.Response{}, &llm.Error{Kind: llm.ServerError, Status: 503}
				}
				return wild.Generate(ctx, req)
			})
			if _, err := env.Execute(t.Context(), "r", wild.Run, nil); err != nil && !errors.Is(err, dying.Err) {
				t.Fatal(err)
			}
		}
		got, redone := settle(t, wild, func() journal.Journal { return b })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if diff := cmp.Diff(history(t, a), history(t, b)); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		wild.once(t, redone)
		expectSound(t, calm, a)
		if ended[got.Status]++; t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Log(ended)
}

// expectSound checks the events of a run: no step starts that refers to a failed one, IDs are used
// once, and a completed run has an answer.
func expectSound(t *testing.T, w *world, j journal.Journal) {
	t.Helper()
	failed, began := map[string]bool{}, map[string]bool{}
	var made plan.Plan
	result, err := w.env(t, j).Replay(t.Context(), "r", w.Run, func(e run.Event) {
		switch x := e.What.(type) {
		case run.PlanMade:
			made = x.Plan
		case run.StepStart:
			if began[e.Step] {
				t.Errorf("step %s began again", e.Step)
			}
			began[e.Step] = true
			for _, s := range made.Steps {
				for _, r := range s.References() {
					if s.ID == e.Step && failed[r.Step] {
						t.Errorf("step %s began, which refers to %s, which failed", e.Step, r.Step)
					}
				}
			}
			if len(x.Step.Arguments) > 0 && (strings.Contains(string(x.Step.Arguments), "<<step:") || !json.Valid(x.Step.Arguments)) {
				t.Errorf("step %s begins with %s", e.Step, x.Step.Arguments)
			}
		case run.StepEnd:
			failed[e.Step] = !x.Result.Success
		}
	})
	if err != nil {
		t.Error(err)
	} else if (result.Status == run.Completed) != (result.Error == nil) || result.Status == run.Completed && len(result.Answer) == 0 {
		t.Errorf("%+v", result)
	}
}
