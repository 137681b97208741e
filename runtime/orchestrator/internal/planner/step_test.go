package planner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// batches are effects that record which calls are made together.
type batches struct {
	run.Effects
	made []string
}

func (b *batches) Call(requests ...run.Request) ([]*tool.Call, error) {
	var steps []string
	for _, r := range requests {
		steps = append(steps, r.Step)
	}
	b.made = append(b.made, strings.Join(steps, " "))
	return b.Effects.Call(requests...)
}

// TestBeside checks that consecutive read-only steps run in parallel, unless one needs the result of
// another, or a question comes first.
func TestBeside(t *testing.T) {
	const orders = `{"customer_id":42}`
	for name, test := range map[string]struct {
		steps    []plan.Step
		parallel int
		want     []string
	}{
		"all":                {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "list_orders", orders), newStep("3", "find_customer", find)}, 0, []string{"1 2 3"}},
		"two at most":        {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "list_orders", orders), newStep("3", "find_customer", find)}, 2, []string{"1 2", "3"}},
		"none":               {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "list_orders", orders)}, 1, []string{"1", "2"}},
		"one refers":         {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "find_customer", find), newStep("3", "list_orders", `{"customer_id":"<<step:1/id>>"}`), newStep("4", "find_customer", find)}, 0, []string{"1 2", "3 4"}},
		"through another":    {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "list_orders", `{"customer_id":"<<step:1/id>>"}`), newStep("3", "list_orders", `{"customer_id":"<<step:2/0/id>>"}`)}, 0, []string{"1", "2", "3"}},
		"one writes":         {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "tag", tagIt), newStep("3", "list_orders", orders), newStep("4", "find_customer", find)}, 0, []string{"1", "2", "3 4"}},
		"something to ask":   {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "list_orders", "{}"), newStep("3", "find_customer", find)}, 0, []string{"1", "2 3"}},
		"a model in between": {[]plan.Step{newStep("1", "find_customer", find), newStep("2", "llm", ""), newStep("3", "find_customer", find), newStep("4", "find_customer", find)}, 0, []string{"1", "3 4"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{Settings: planner.Settings{Parallel: test.parallel}, task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: test.steps}}, says: replyByPurpose("arguments", orders)}
			j, b := new(journal.Map), &batches{}
			w.begin(t, j)
			result, err := w.env(t, j).Execute(t.Context(), "r", func(fx run.Effects, in run.Input) (json.RawMessage, error) {
				b.Effects = fx
				return w.Run(b, in)
			}, nil)
			if err != nil || result.Status != run.Completed {
				t.Fatal(result, err)
			}
			if diff := cmp.Diff(test.want, b.made); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSideBySide checks that calls that are made together run at the same time.
func TestSideBySide(t *testing.T) {
	w := &world{task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{newStep("1", "find_customer", find), newStep("2", "find_customer", find)}}}, says: replyByPurpose()}
	j := new(journal.Map)
	w.begin(t, j)
	env, registry := w.env(t, j), w.registry(t)
	var both sync.WaitGroup
	both.Add(2)
	env.Tools = caller(func(ctx context.Context, r tool.Request) *tool.Call {
		both.Done()
		both.Wait()
		return registry.Call(ctx, r)
	})
	if result, err := env.Execute(t.Context(), "r", w.Run, nil); err != nil || result.Status != run.Completed {
		t.Error(result, err)
	}
}

// TestRefused checks that arguments that the tool itself refuses are requested once more, with a new
// ID for the call. Those of a given plan are not.
func TestRefused(t *testing.T) {
	made := plan.Plan{Goal: "g", Steps: []plan.Step{newStep("1", "send_email", `{"to":"Ada","body":"Hi"}`)}}
	const ada, eve = `{"arguments":{"to":"ada@example.com"}}`, `{"arguments":{"to":"Eve"}}`
	for name, test := range map[string]struct {
		answer string
		given  *plan.Plan
		want   []string
		asked  int
	}{
		"mended":    {ada, nil, []string{`send_email r/1/2 {"body":"Hi","to":"ada@example.com"}`}, 1},
		"still not": {eve, nil, nil, 1},
		"not fixed": {`{"arguments":{"to":"ada@example.com","body":"Ho"}}`, nil, nil, 2},
		"cannot":    {`{"cannot":"no address"}`, nil, nil, 1},
		"twice":     {`{"arguments":{"to":"ada@example.com","to":"eve@example.com"}}`, nil, nil, 2},
		"again":     {`{"arguments":{"to":"ada@example.com","to":"ada@example.com"}}`, nil, []string{`send_email r/1/2 {"body":"Hi","to":"ada@example.com"}`}, 1},
		"many":      {`{"arguments":{` + manyMembers(50_000) + `"to":"ada@example.com"}}`, nil, nil, 2}, // the results are not searched for each reference
		"given":     {ada, &made, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{Settings: planner.Settings{AfterFailure: planner.Stop}, task: task.Task{Request: "Greet Ada.", Plan: test.given}, says: replyByPurpose("plan", steps(step("1", "send_email", `{"to":"Ada","body":"Hi"}`)), "arguments", test.answer)}
			w.refuses = noAddress
			status := run.Completed
			if test.want == nil {
				status = run.Failed
			}
			result := w.run(t, status)
			if test.want == nil && result.Error.Kind != "invalid_arguments" {
				t.Error(result.Error)
			}
			if diff := cmp.Diff(test.want, w.effects); diff != "" {
				t.Error(diff)
			}
			asked := w.asked("arguments")
			if len(asked) != test.asked {
				t.Fatalf("it was asked for arguments %d times", len(asked))
			}
			if test.asked > 0 {
				expectPrompt(t, asked[0], `What is known of the arguments, and stays: {"body":"Hi"}`, "expected an address, found a name")
			}
		})
	}
}

// manyMembers returns the members of an object, n of them.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\"x%d\":1,", i)
	}
	return b.String()
}

// TestReference checks that a missing or unsuitable value fails the step that refers to it before its
// tool is called.
func TestReference(t *testing.T) {
	for notes, want := range map[string]string{
		`{}`:              "has nothing at",
		`{"notes":"no"}`:  `<<step:1/notes>> in arguments/customer_id has no value: it does not fit: /customer_id`,
		`{"notes":[1,2]}`: `<<step:1/notes>> in arguments/customer_id has no value: it does not fit`,
		`{"notes":42}`:    "",
	} {
		w := &world{Settings: planner.Settings{AfterFailure: planner.Stop}, task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{
			newStep("1", "find_customer", find), newStep("2", "list_orders", `{"customer_id":"<<step:1/notes>>"}`),
		}}}, says: replyByPurpose()}
		j := new(journal.Map)
		w.begin(t, j)
		env, registry := w.env(t, j), w.registry(t)
		env.Tools = caller(func(ctx context.Context, r tool.Request) *tool.Call {
			if r.Name == "find_customer" {
				return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage(notes)}
			}
			return registry.Call(ctx, r)
		})
		result, err := env.Execute(t.Context(), "r", w.Run, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case want == "":
			expect(t, w, `list_orders {"customer_id":42}`)
		case result.Status != run.Failed || result.Error.Kind != "step_reference" || !strings.Contains(result.Error.Text, want) || len(w.effects) > 0:
			t.Errorf("%s: %v %v", notes, result.Error, w.effects)
		}
	}
}

// TestLongResults checks that long results share the available space, and that the model is told their
// lengths and may refer to them.
func TestLongResults(t *testing.T) {
	w := &world{Settings: planner.Settings{ShownBytes: 2000}, task: task.Task{Request: "Tell.", Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{
		newStep("1", "find_customer", find), newStep("2", "llm", ""), newStep("3", "llm", ""), newStep("4", "send_email", `{"to":"<<step:1/email>>"}`),
	}}}}
	w.says = func(purpose, prompt string) string {
		switch {
		case strings.HasSuffix(prompt, `"step 2"`):
			return strings.Repeat("ä\n", 5000)
		case purpose == "reasoning":
			return strings.Repeat("b", 600)
		}
		return `{"arguments":{"body":"<<step:2>>"}}`
	}
	w.run(t, run.Completed)
	p := w.asked("arguments")[0]
	expectPrompt(t, p, `its result: "`+strings.Repeat("b", 600)+`"`, `its result: {"id":42,`, `its result: "ä\nä`, `…" (cut here, it has 20000 bytes)`)
	if n := strings.Count(p, "ä"); n < 300 || n > 500 {
		t.Errorf("%d characters of the long result are shown", n)
	}
	sent := w.effects[len(w.effects)-1]
	if !strings.Contains(sent, strings.Repeat(`ä\n`, 4999)) {
		t.Errorf("%d bytes are sent", len(sent))
	}
}

// TestContext checks that a model with a smaller context is shown less, and that the run is
// interrupted if even the minimum is too much.
func TestContext(t *testing.T) {
	long := func(purpose, prompt string) string { return strings.Repeat("long ", 20_000) }
	w := &world{reads: 20_000, says: long, task: task.Task{Request: "Tell.", Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{newStep("1", "llm", ""), newStep("2", "llm", ""), newStep("3", "llm", "")}}}}
	w.run(t, run.Completed)
	if n := len(w.prompts); n != 4 || len(w.prompts[1]) < 60_000 || len(w.prompts[2]) > 20_000 || len(w.prompts[3]) < 15_000 {
		t.Errorf("there are %d prompts", n)
	}
	w.reads = 1000
	w.run(t, run.Interrupted)
}

// TestOrder checks that outcomes of steps are reported in the order of the plan.
func TestOrder(t *testing.T) {
	w := &world{task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{newStep("b", "find_customer", find), newStep("a", "find_customer", find)}}}, says: replyByPurpose()}
	var told []string
	j := new(journal.Map)
	w.begin(t, j)
	w.execute(t, j, func(e run.Event) {
		switch e.What.(type) {
		case run.StepStart:
			told = append(told, "start "+e.Step)
		case run.StepEnd:
			told = append(told, "end "+e.Step)
		}
	})
	if !slices.Equal(told, []string{"start b", "start a", "end b", "end a"}) {
		t.Error(told)
	}
}
