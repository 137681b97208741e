package planner_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

func expect(t *testing.T, w *world, did ...string) {
	t.Helper()
	if diff := cmp.Diff(did, w.did()); diff != "" {
		t.Error(diff)
	}
}

func expectAnswer(t *testing.T, result *run.Result, answer string) {
	t.Helper()
	if string(result.Answer) != answer {
		t.Errorf("the answer is %s, want %s", result.Answer, answer)
	}
}

func expectPrompt(t *testing.T, prompt string, has ...string) {
	t.Helper()
	for _, text := range has {
		if !strings.Contains(prompt, text) {
			t.Errorf("the prompt lacks %s:\n%s", text, prompt)
		}
	}
}

// TestReferences checks that references to earlier steps, in various spellings, are replaced with
// results, and that an invalid reference is not used as an argument.
func TestReferences(t *testing.T) {
	w := &world{task: task.Task{Request: "Mail Ada."}, says: replyByPurpose("plan", steps(
		step("1", "find_customer", `{"query":"Ada"}`),
		step("2", "send_email", `{"to":"{{step1.result.email}}","body":"You are <<step:1/id>>, <<<step:1>>."}`),
	), "answer", "Done.")}
	expectAnswer(t, w.run(t, run.Completed), `"Done."`)
	expect(t, w, `find_customer {"query":"Ada"}`, `send_email {"to":"ada@example.com","body":"You are 42, <<step:1>>."}`)

	w = &world{task: task.Task{Request: "Mail Ada."}, says: replyByPurpose("plan", steps(
		step("1", "find_customer", `{"query":"Ada"}`),
		step("2", "send_email", `{"to":"<the email from step 1>","body":"Hello"}`),
	), "repair", "{}")}
	result := w.run(t, run.Failed)
	if len(w.effects) > 0 || result.Error.Kind != "invalid_plan" || !strings.Contains(result.Error.Text, "<<step:1/email>>") && !strings.Contains(result.Error.Text, "<<step:1/id>>") {
		t.Error(w.effects, result.Error)
	}
	if all := w.asked("plan"); len(all) != 2 {
		t.Errorf("the model was asked for a plan %d times", len(all))
	} else {
		expectPrompt(t, all[1], "That cannot be used", `expected a value, or a reference`)
	}
}

// TestMissing checks that missing arguments are requested, and that the supervisor does not make them
// up.
func TestMissing(t *testing.T) {
	for _, arguments := range []string{"", "{}", `{"order_id":null}`, `{"amount":50}`, `{"amount":50,"order_id":null}`, "null"} {
		t.Run(arguments, func(t *testing.T) {
			w := &world{task: task.Task{Request: "Refund the first order of Ada."}, says: replyByPurpose("plan", steps(
				step("1", "list_orders", `{"customer_id":42}`), step("2", "refund", arguments),
			), "arguments", `{"arguments":{"order_id":"<<step:1/0/id>>","amount":50}}`, "answer", "Done.")}
			w.run(t, run.Completed)
			expect(t, w, `list_orders {"customer_id":42}`, `refund `+map[bool]string{true: `{"amount":50,"order_id":7}`, false: `{"order_id":7,"amount":50}`}[strings.Contains(arguments, "50")])
			if asked := w.asked("repair"); len(asked) > 0 {
				t.Error(asked)
			}
			expectPrompt(t, w.asked("arguments")[0], "Refund the first order of Ada.", "please Ada", `[{"id":7,"total":99}`, "order_id")
		})
	}
}

// TestCannot checks that a model may answer that nobody knows an argument, which fails the step.
func TestCannot(t *testing.T) {
	for _, answer := range []string{`{"cannot":"no order was named"}`, `{"arguments":null,"cannot":"no order was named"}`, `{"arguments":{},"cannot":"no order was named"}`} {
		w := &world{task: task.Task{Request: "Refund it."}, says: replyByPurpose("plan", steps(step("1", "refund", `{"amount":5}`)),
			"arguments", answer, "replan", `{"give_up":"Which order?"}`)}
		result := w.run(t, run.Failed)
		if len(w.effects) > 0 || result.Error.Kind != "gave_up" || !strings.Contains(result.Error.Text, "Which order?") {
			t.Error(w.effects, result.Error)
		}
		expectPrompt(t, w.asked("replan")[0], "the model does not know order_id: no order was named")
	}
}

// TestFixed checks that known arguments stay, and that an answer that changes one is rejected.
func TestFixed(t *testing.T) {
	for _, answer := range []string{
		`{"arguments":{"order_id":7,"amount":500}}`, `{"arguments":{"amount":50}}`, `{"order_id":"seven"}`, `{"arguments":{"order_id":7,"reason":"x"}}`,
		`{"arguments":{"order_id":"<<step:9>>"}}`, `{"arguments":{"order_id":7},"cannot":"no"}`, `7`, `that is {`,
	} {
		w := &world{Settings: planner.Settings{AfterFailure: planner.Stop}, task: task.Task{Request: "Refund order 7."},
			says: replyByPurpose("plan", steps(step("1", "refund", `{"amount":50}`)), "arguments", answer)}
		if result := w.run(t, run.Failed); len(w.effects) > 0 || len(w.asked("arguments")) != 2 || !strings.Contains(w.asked("arguments")[1], "That cannot be used") {
			t.Errorf("%s: %v %v %v", answer, w.effects, result.Error, len(w.asked("arguments")))
		}
	}
	for _, answer := range []string{
		`{"arguments":{"order_id":7,"amount":50}}`, `{"arguments":{"order_id":7}}`, `{"order_id":7}`, "```json\n{\"arguments\":{\"order_id\":\"7\"}}\n```", `{"arguments":{"orderId":7}}`,
	} {
		w := &world{task: task.Task{Request: "Refund order 7."}, says: replyByPurpose("plan", steps(step("1", "refund", `{"amount":50}`)), "arguments", answer)}
		w.run(t, run.Completed)
		expect(t, w, `refund {"amount":50,"order_id":7}`)
	}
}

// TestShown checks that every prompt contains the request word for word, as a JSON string, and that
// the prompt of a late step contains all results before it.
func TestShown(t *testing.T) {
	const request = "Mail ada@… her code, which is 4711-XYZ.\nAnswer me in French."
	all := []string{step("1", "find_customer", `{"query":"Ada"}`)}
	for _, id := range []string{"2", "3", "4", "5", "6", "7"} {
		all = append(all, step(id, "tag", `{"order_id":`+id+`,"tag":"x"}`))
	}
	all = append(all, step("8", "list_orders", ""), step("9", "llm", ""))
	w := &world{task: task.Task{Request: request}, says: replyByPurpose("plan", steps(all...), "arguments", `{"arguments":{"customer_id":42}}`)}
	w.run(t, run.Completed)
	for _, p := range w.prompts {
		expectPrompt(t, p, `Request, as a JSON string: "Mail ada@… her code, which is 4711-XYZ.\nAnswer me in French."`)
	}
	expectPrompt(t, w.asked("arguments")[0], `; its result: {"id":42,"email":"ada@example.com"}`)
}

// TestFailure checks how a plan continues after a failed step. No step that refers to it may run.
func TestFailure(t *testing.T) {
	made := steps(step("1", "refund", `{"order_id":7,"amount":99}`), step("2", "send_email", `{"to":"ada","body":"It is <<step:1>>."}`), step("3", "tag", `{"order_id":7,"tag":"x"}`))
	down := map[string]error{"refund": errors.New("provider down")}
	const refund, tag = `refund {"order_id":7,"amount":99}`, `tag {"order_id":7,"tag":"x"}`
	t.Run("replan", func(t *testing.T) {
		w := &world{task: task.Task{Request: "Refund."}, fails: down, says: replyByPurpose("plan", made,
			"replan", steps(step("4", "send_email", `{"to":"ada","body":"Later."}`)), "answer", "Later.")}
		expectAnswer(t, w.run(t, run.Completed), `"Later."`)
		expect(t, w, refund, `send_email {"to":"ada","body":"Later."}`)
		expectPrompt(t, w.asked("replan")[0], "provider down", "may have happened", `["1"]`, "Refund.")
	})
	t.Run("replan, twice", func(t *testing.T) {
		w := &world{task: task.Task{Request: "Refund."}, fails: down, says: replyByPurpose("plan", made,
			`replan|others: ["1"]`, steps(step("4", "refund", `{"order_id":7,"amount":98}`)),
			`replan|others: ["1","4"]`, steps(step("5", "refund", `{"order_id":7,"amount":97}`)))}
		result := w.run(t, run.Failed)
		expect(t, w, refund, `refund {"order_id":7,"amount":98}`, `refund {"order_id":7,"amount":97}`)
		if !strings.Contains(result.Error.Text, "step 5 failed") {
			t.Error(result.Error)
		}
	})
	t.Run("stop", func(t *testing.T) {
		w := &world{Settings: planner.Settings{AfterFailure: planner.Stop}, task: task.Task{Request: "Refund."}, fails: down, says: replyByPurpose("plan", made)}
		result := w.run(t, run.Failed)
		expect(t, w, refund)
		if !strings.Contains(result.Error.Text, "step 1 failed") || !strings.Contains(result.Error.Text, "provider down") {
			t.Error(result.Error)
		}
	})
	t.Run("continue", func(t *testing.T) {
		w := &world{Settings: planner.Settings{AfterFailure: planner.Continue}, task: task.Task{Request: "Refund."}, fails: down, says: replyByPurpose("plan", made, "answer", "Not all.")}
		result := w.run(t, run.Failed)
		expect(t, w, refund, tag)
		expectAnswer(t, result, `"Not all."`)
		if result.Error.Kind != "steps_failed" || !strings.Contains(result.Error.Text, "2 of 3 steps failed: 1, 2") {
			t.Error(result.Error)
		}
	})
}

// TestGiven executes a given plan without statuses. The model is not asked for an answer if there was
// no request.
func TestGiven(t *testing.T) {
	w := &world{task: task.Task{Plan: &plan.Plan{Goal: "mail Ada", Steps: []plan.Step{
		newStep("1", "find_customer", `{"query":"Ada"}`), newStep("2", "send_email", `{"to":"{{step1.result.email}}","body":"Hi"}`),
	}}}, says: replyByPurpose()}
	expectAnswer(t, w.run(t, run.Completed), "true")
	expect(t, w, `find_customer {"query":"Ada"}`, `send_email {"to":"ada@example.com","body":"Hi"}`)
	if len(w.prompts) > 0 {
		t.Error(w.prompts)
	}

	for name, s := range map[string]plan.Step{
		"steps[0] is complete": {ID: "1", Description: "x", Agent: "llm", Status: plan.Complete}, "nobody": newStep("1", "nobody", ""), "/steps/0/arguments/query": newStep("1", "find_customer", `{"query":[1,2]}`),
	} {
		w := &world{task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{s}}}, says: replyByPurpose()}
		j := new(journal.Map)
		w.begin(t, j)
		if result := w.execute(t, j, nil); result.Status != run.Failed || result.Error.Kind != "invalid_plan" || len(w.prompts)+len(w.effects) > 0 {
			t.Errorf("%s: %+v", name, result)
		}
	}
}
