package planner_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// TestNothingToDo checks that a request that needs no tool is answered, and that an impossible one
// ends with the reason.
func TestNothingToDo(t *testing.T) {
	for name, test := range map[string]struct {
		reply  string
		status string
		asked  int
	}{
		"no steps":          {`{"goal":"greet","steps":[]}`, run.Completed, 2},
		"no steps, wrapped": {`{"plan":{"goal":"greet","steps":[]}}`, run.Completed, 2},
		"an empty list":     {`[]`, run.Completed, 2},
		"an answer":         {`{"answer":"Hello!"}`, run.Completed, 2},
		"a reason":          {`{"steps":[],"reason":"Nothing has to be done."}`, run.Completed, 2},
		"a question":        {`{"question":"Whom?"}`, run.Completed, 2},
		"also a question":   {`{"steps":[],"clarification":"Whom?"}`, run.Completed, 2},
		"only a reason":     {`{"reason":"Hello! How can I help?"}`, run.Failed, 1},
		"a sentence":        {"Hello! How can I help?", run.Failed, 2}, // which the error quotes
		"give_up":           {`{"give_up":"Hello! How can I help?"}`, run.Failed, 1},
		"give_up, no steps": {`{"goal":"g","steps":[],"give_up":"Hello! How can I help?"}`, run.Failed, 1},
		"cannot":            {`{"cannot":"Hello! How can I help?"}`, run.Failed, 1},
		"an error":          {`{"error":"Hello! How can I help?"}`, run.Failed, 1},
	} {
		w := &world{task: task.Task{Request: "Hello!"}, says: replyByPurpose("plan", test.reply, "answer", "Hello! How can I help?")}
		result := w.run(t, test.status)
		if len(w.prompts) != test.asked || len(w.effects) > 0 {
			t.Errorf("%s: %d requests, %v", name, len(w.prompts), w.effects)
		}
		if test.status == run.Completed {
			expectAnswer(t, result, `"Hello! How can I help?"`)
		} else if !strings.Contains(result.Error.Text, "Hello! How can I help?") {
			t.Errorf("%s: %v", name, result.Error)
		}
	}
	for _, reply := range []string{
		`{"goal":"g","steps":[],"tool_calls":[{"name":"tag","arguments":` + tagIt + `}]}`,
		`{"plan":{"goal":"g","steps":[],"calls":[{"tool":"tag"}]}}`,
		`{"answer":"Tagged.","tool":"tag","arguments":` + tagIt + `}`,
		`{"steps":[],"tasks":[{"tool":"tag","arguments":` + tagIt + `}]}`,
	} {
		w := &world{task: task.Task{Request: "Tag."}, says: replyByPurpose("plan", reply, "answer", "Tagged.")}
		if result := w.run(t, run.Failed); result.Error == nil {
			t.Errorf("%s: the run ends without the call", reply)
		}
	}
	w := &world{task: task.Task{Request: "Tag."}, says: replyByPurpose("plan", `{"goal":"g","steps":[`+step("1", "tag", tagIt)+`],"give_up":"no"}`)}
	if result := w.run(t, run.Failed); len(w.effects) > 0 || !strings.Contains(result.Error.Text, "either steps or `give_up`") {
		t.Error(result.Error, w.effects)
	}
}

// TestStubborn checks that a plan that is refused repeatedly for the same reason ends after three
// requests.
func TestStubborn(t *testing.T) {
	for name, reply := range map[string]string{
		"a reference":  steps(step("1", "refund", `{"order_id":"<<step:7/id>>","amount":9}`)),
		"a type":       steps(step("1", "refund", `{"order_id":"seven","amount":9}`)),
		"a key":        steps(step("1", "find_customer", `{"words":"Ada"}`)),
		"a tool":       steps(step("1", "fly", `{"to":"Oslo"}`)),
		"two tools":    steps(step("1", "fly", `{"to":"Oslo"}`), step("2", "swim", "{}")),
		"a circle":     steps(step("1", "refund", `{"order_id":"<<step:2>>","amount":9}`), step("2", "tag", `{"order_id":7,"tag":"<<step:1>>"}`)),
		"a condition":  steps(`{"step_id":"1","description":"d","tool":"tag","arguments":` + tagIt + `,"condition":"if it is paid"}`),
		"two plans":    steps(step("1", "tag", tagIt)) + steps(step("2", "llm", "")),
		"cut off":      `{"goal":"g","steps":[{"step_id":"1"`,
		"no plan":      `{"weather":"fine"}`,
		"broken JSON":  `{"goal":"g","steps":[{{{]}`,
		"another form": `{"goal":"g","steps":"1. find 2. pay"}`,
	} {
		for _, repaired := range []string{reply, "I cannot do that."} {
			w := &world{task: task.Task{Request: "Please Ada."}, says: replyByPurpose("plan", reply, "repair", repaired)}
			result := w.run(t, run.Failed)
			if len(w.prompts) > 3 || len(w.effects) > 0 || len(w.asked("plan")) != 2 {
				t.Errorf("%s: %d requests, %v, %v", name, len(w.prompts), w.effects, result.Error)
			}
		}
	}
}

// TestConditions checks that a step with a condition does not run without it, and that the model is
// told to check the condition first.
func TestConditions(t *testing.T) {
	for _, member := range []string{`"condition":"only if it is lost"`, `"if":"<<step:1/email>> == 'x'"`, `"foreach":"<<step:1>>"`, `"tool_calls":[{"name":"tag"}]`, `"steps":[{"tool":"tag"}]`} {
		w := &world{task: task.Task{Request: "Refund."}, says: replyByPurpose(
			"plan|That cannot be used", steps(step("1", "find_customer", find), step("2", "replan", "")),
			"plan", steps(step("1", "find_customer", find), `{"step_id":"2","description":"d","tool":"refund","arguments":{"order_id":7,"amount":9},`+member+`}`),
			"replan", `{"steps":[]}`)}
		w.run(t, run.Completed)
		expect(t, w, "find_customer "+find)
		if len(w.asked("plan")) != 2 || len(w.asked("repair")) > 0 {
			t.Errorf("%s: %v", member, w.prompts)
		}
	}
}

// TestReplanStep checks that a step that continues planning is not a failure, that its new steps
// replace those after it, and that there are at most ten of them.
func TestReplanStep(t *testing.T) {
	w := &world{Settings: planner.Settings{AfterFailure: planner.Stop}, task: task.Task{Request: "Refund."}, says: replyByPurpose(
		"plan", steps(step("1", "find_customer", find), step("2", "replan", ""), step("3", "tag", tagIt)),
		"replan", steps(step("4", "send_email", `{"to":"<<step:1/email>>","body":"Hi"}`)))}
	j := new(journal.Map)
	w.begin(t, j)
	var told []string
	w.execute(t, j, func(e run.Event) {
		if end, ok := e.What.(run.StepEnd); ok {
			told = append(told, fmt.Sprint(end.Result.StepID, end.Result.Mode, end.Result.Success))
		}
	})
	if got := strings.Join(told, " "); got != "1tooltrue 2replantrue 4tooltrue" {
		t.Error(got)
	}
	expect(t, w, "find_customer "+find, `send_email {"to":"ada@example.com","body":"Hi"}`)
	expectPrompt(t, w.asked("replan")[0], `{"id":42,"email":"ada@example.com"}`, `["1","2"]`)

	n := 0
	w = &world{task: task.Task{Request: "Look."}, says: func(purpose, prompt string) string {
		n++
		return steps(step(fmt.Sprint(2*n-1), "find_customer", find), step(fmt.Sprint(2*n), "replan", ""))
	}}
	if result := w.run(t, run.Failed); result.Error.Kind != "replan_limit" || len(w.asked("replan")) != 12 {
		t.Error(result.Error, len(w.asked("replan")))
	}

	w = &world{task: task.Task{Request: "Refund."}, fails: map[string]error{"refund": errors.New("down")}, says: replyByPurpose(
		"plan", steps(step("1", "replan", "")), `replan|others: ["1"]`, steps(step("2", "refund", `{"order_id":7,"amount":9}`)), "replan", "I cannot do more.")}
	if result := w.run(t, run.Failed); !strings.Contains(result.Error.Text, "I cannot do more.") {
		t.Error(result.Error)
	}
	w = &world{task: task.Task{Request: "Mail.", Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{newStep("1", "find_customer", find), {ID: "2", Description: "d", Agent: "Replan"}}}}, says: replyByPurpose("replan", steps(step("3", "tag", tagIt)))}
	w.run(t, run.Completed)
	expect(t, w, "find_customer "+find, "tag "+tagIt)
}

// TestSuspect checks that a text that looks like a placeholder is questioned before the call, when
// results are known. The model can confirm it, but not replace it with another one.
func TestSuspect(t *testing.T) {
	const right = `send_email {"body":"Hi","to":"ada@example.com"}`
	for _, text := range []string{"<customer email>", "{customer_email}", "[customer's email]", "CUSTOMER_EMAIL", "TBD", "unknown", "...", "", "example@example.com", "the email from step 1", "{{email}}", "$email"} {
		value := fmt.Sprintf("%q", text)
		made := steps(step("1", "find_customer", find), step("2", "send_email", `{"to":`+value+`,"body":"Hi"}`))
		for answer, want := range map[string]string{
			`{"arguments":{"to":"<<step:1/email>>"}}`: right,
			`{"to":"ada@example.com"}`:                right,
			`{"arguments":{"to":` + value + `}}`:      `send_email {"body":"Hi","to":` + value + `}`,
			`{"arguments":{"to":"<the address>"}}`:    `send_email {"body":"Hi","to":"<the address>"}`, // which it wrote twice
			`{"cannot":"who is it?"}`:                 "",
		} {
			w := &world{Settings: planner.Settings{AfterFailure: planner.Stop}, task: task.Task{Request: "Mail Ada."}, says: replyByPurpose("plan", made, "arguments", answer)}
			if want == "" {
				w.run(t, run.Failed)
				expect(t, w, "find_customer "+find)
				continue
			}
			w.run(t, run.Completed)
			expect(t, w, "find_customer "+find, want)
			times := 1
			if strings.Contains(answer, "the address") {
				times = 2
			}
			if asked := w.asked("arguments"); len(asked) != times {
				t.Errorf("%s, %s: it was asked %d times", text, answer, len(asked))
			} else {
				expectPrompt(t, asked[0], `{"id":42,"email":"ada@example.com"}`, `["to"]`, `{"to":`+value+`,"body":"Hi"}`)
			}
		}
	}
	w := &world{task: task.Task{Request: "Send Dear {{name}} to ada."}, says: replyByPurpose("plan", steps(step("1", "send_email", `{"to":"ada","body":"Dear {{name}}"}`)))}
	w.run(t, run.Completed)
	if expect(t, w, `send_email {"to":"ada","body":"Dear {{name}}"}`); len(w.asked("arguments")) > 0 {
		t.Error("the request says it")
	}
	w = &world{task: task.Task{Request: "Mail.", Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{newStep("1", "find_customer", find), newStep("2", "send_email", `{"to":"<email>","body":"Hi"}`)}}}, says: replyByPurpose()}
	w.run(t, run.Completed)
	expect(t, w, "find_customer "+find, `send_email {"to":"<email>","body":"Hi"}`) // as the program gave it
}
