package orchestrator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

const secret = "hunter2-7f"

var tools = []tool.Definition{
	{Name: "find", Description: "Finds.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`)},
	{Name: "login", Description: "Logs in.", Input: json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}},"required":["user","password"],"additionalProperties":false}`)},
	{Name: "fail", Description: "Fails.", Input: json.RawMessage(`{"type":"object"}`)},
}

// cyclelogWorld is the environment of a run: a model with answers in order, and tools.
type cyclelogWorld struct {
	mu      sync.Mutex
	answers []llm.Response
	output  string // of find
}

func (w *cyclelogWorld) Generate(context.Context, llm.Request) (llm.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.answers) == 0 {
		return llm.Response{Text: "Done.", Usage: llm.Usage{Input: 2, Output: 1}}, nil
	}
	answer := w.answers[0]
	w.answers = w.answers[1:]
	return answer, nil
}

func (w *cyclelogWorld) Call(_ context.Context, r tool.Request) *tool.Call {
	c := &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusCompleted, Started: time.Unix(9, 0).UTC(), Duration: 7, Output: json.RawMessage(w.output)}
	switch {
	case r.Name == "login":
		c.Output = json.RawMessage(`{"token":"` + secret + `"}`)
	case r.Name == "fail":
		c.Status, c.Output, c.Err = tool.StatusFailed, nil, &tool.ToolError{Tool: "fail", Err: errors.New("it is closed")}
	}
	return c
}

// cyclelogExecute executes a run of a task and returns its result.
func cyclelogExecute(t testing.TB, id string, w *cyclelogWorld, f run.Func, x task.Task, limits run.Limits, sink func(context.Context, run.Event)) *run.Result {
	t.Helper()
	now := time.Unix(0, 0).UTC()
	env := &run.Env{Journal: &journal.Map{}, Model: w, Tools: w, Events: sink, Repeats: -1, Clock: func() time.Time { now = now.Add(time.Second); return now }}
	data, err := json.Marshal(x)
	if err == nil {
		err = env.Begin(t.Context(), id, run.Input{Kind: "test", Data: data, Tools: tools, Limits: limits})
	}
	var result *run.Result
	if err == nil {
		result, err = env.Execute(t.Context(), id, f, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// cyclelogSteps returns a plan with one call per step.
func cyclelogSteps(calls ...string) *plan.Plan {
	p := &plan.Plan{Goal: "g"}
	for i, call := range calls {
		name, arguments, _ := strings.Cut(call, " ")
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: "d", Tool: name, Arguments: json.RawMessage(arguments)})
	}
	return p
}

// times matches the times at which cycles ended, which depend on how often the kernel reads its clock.
var times = regexp.MustCompile(`,"timestamp":"([^"]*)"`)

// expect compares a log without its times, which must not decrease.
func expect(t *testing.T, log, want string) {
	t.Helper()
	before := ""
	for _, at := range times.FindAllStringSubmatch(log, -1) {
		if at[1] < before {
			t.Errorf("%s is before %s", at[1], before)
		}
		before = at[1]
	}
	log = times.ReplaceAllString(log, "")
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(log)); diff != "" {
		t.Error(diff)
	}
}

// TestPlan checks that there is a line for the plan and one for each step, with what changed.
func TestPlan(t *testing.T) {
	var log bytes.Buffer
	w := &cyclelogWorld{output: "[1]", answers: []llm.Response{{Text: `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"find","arguments":{"text":"a"}},{"step_id":"2","description":"e","tool":"fail","arguments":{}}]}`, Model: "small-1", Usage: llm.Usage{Input: 2, Output: 1}}}}
	cyclelogExecute(t, "r", w, planner.Settings{AfterFailure: planner.Continue}.Run, task.Task{Request: "x"}, run.Limits{Steps: 5}, orchestrator.CycleLog(&log, nil, nil))
	expect(t, log.String(), `
{"run":"r","step_number":0,"plan_state":{"goal":"g","steps":[{"step_id":"1","description":"d","status":"pending","tool":"find","arguments":{"text":"a"}},{"step_id":"2","description":"e","status":"pending","tool":"fail","arguments":{}}]},"llm_output":[{"purpose":"plan","text":"{\"goal\":\"g\",\"steps\":[{\"step_id\":\"1\",\"description\":\"d\",\"tool\":\"find\",\"arguments\":{\"text\":\"a\"}},{\"step_id\":\"2\",\"description\":\"e\",\"tool\":\"fail\",\"arguments\":{}}]}","usage":{"input":2,"output":1},"model":"small-1","duration":"1s"}],"ttl_remaining":5}
{"run":"r","step_number":1,"plan_state":{"steps":[{"step_id":"1","status":"complete","execution_mode":"tool"}]},"tool_calls":[{"call":{"format":1,"id":"r/1/1","request":{"id":"r/1/1","name":"find","arguments":{"text":"a"}},"status":"completed","started":"1970-01-01T00:00:09Z","duration":"7ns","output":[1]}}],"ttl_remaining":4}
{"run":"r","step_number":2,"plan_state":{"steps":[{"step_id":"2","status":"failed","execution_mode":"tool"}]},"tool_calls":[{"call":{"format":1,"id":"r/2/1","request":{"id":"r/2/1","name":"fail","arguments":{}},"status":"failed","started":"1970-01-01T00:00:09Z","duration":"7ns","error":{"type":"ToolError","code":"tool_failed","text":"fail: it is closed","tool":"fail","cause":{"type":"*errors.errorString","text":"it is closed"}}}}],"ttl_remaining":3,"errors":[{"step_id":"2","code":"tool_failed","text":"fail: it is closed"}]}
{"run":"r","step_number":0,"plan_state":{"status":"failed"},"llm_output":[{"purpose":"answer","text":"Done.","usage":{"input":2,"output":1},"duration":"1s"}],"ttl_remaining":3,"errors":[{"code":"steps_failed","text":"1 of 2 steps failed: 2"}]}
`)
}

// TestConversation checks that there is a line for each turn with its calls, and that the last one
// says that the run waits.
func TestConversation(t *testing.T) {
	var log bytes.Buffer
	w := &cyclelogWorld{output: "[1]", answers: []llm.Response{
		{Calls: []tool.Request{{ID: "c1", Name: "find", Arguments: json.RawMessage(`{"text":"a"}`)}, {ID: "c2", Name: "fail"}}, Usage: llm.Usage{Input: 1}, Provider: json.RawMessage(`"signature"`)},
		{Text: "<think>So.</think>Done.", Usage: llm.Usage{Input: 2}},
	}}
	cyclelogExecute(t, "c", w, conversation.Settings{}.Run, task.Task{Request: "x"}, run.Limits{}, orchestrator.CycleLog(&log, nil, nil))
	expect(t, log.String(), `
{"run":"c","step_number":1,"llm_output":[{"purpose":"turn","calls":[{"id":"c1","name":"find","arguments":{"text":"a"}},{"id":"c2","name":"fail"}],"usage":{"input":1},"duration":"1s"}],"tool_calls":[{"call":{"format":1,"id":"c/1/1","request":{"id":"c/1/1","name":"find","arguments":{"text":"a"}},"status":"completed","started":"1970-01-01T00:00:09Z","duration":"7ns","output":[1]}},{"call":{"format":1,"id":"c/1/2","request":{"id":"c/1/2","name":"fail"},"status":"failed","started":"1970-01-01T00:00:09Z","duration":"7ns","error":{"type":"ToolError","code":"tool_failed","text":"fail: it is closed","tool":"fail","cause":{"type":"*errors.errorString","text":"it is closed"}}}}],"errors":[{"step_id":"1","code":"tool_failed","text":"fail: it is closed"}]}
{"run":"c","step_number":2,"llm_output":[{"purpose":"turn","text":"Done.","usage":{"input":2},"reasoning":"So.","duration":"1s"}]}
{"run":"c","step_number":0,"plan_state":{"status":"waiting","waits_for":"message"}}
`)
}

// TestSize checks that the log of 1,000 steps with results of 100 bytes has at most 2 MB.
func TestSize(t *testing.T) {
	var log bytes.Buffer
	w := &cyclelogWorld{output: `"` + strings.Repeat("x", 98) + `"`}
	result := cyclelogExecute(t, "r", w, planner.Settings{}.Run, task.Task{Request: "x", Plan: cyclelogSteps(slices.Repeat([]string{`find {"text":"a"}`}, 1000)...)}, run.Limits{}, orchestrator.CycleLog(&log, nil, nil))
	if lines := bytes.Count(log.Bytes(), []byte("\n")); result.Status != run.Completed || lines != 1002 {
		t.Errorf("%d lines, of %+v", lines, result)
	}
	if log.Len() > 2_000_000 {
		t.Errorf("the log has %d bytes", log.Len())
	}
	t.Logf("the log has %d bytes", log.Len())
}

// TestRuns writes several runs to one log. Each line must be complete and name its run, and the lines
// of a run must be in order, as if it were alone.
func TestRuns(t *testing.T) {
	const runs = 8
	alone := map[string]string{}
	x := task.Task{Request: "x", Plan: cyclelogSteps(`find {}`, `fail {}`, `find {}`, `find {"text":"a"}`)}
	one := func(id string, sink func(context.Context, run.Event)) {
		cyclelogExecute(t, id, &cyclelogWorld{output: "[1]"}, planner.Settings{AfterFailure: planner.Continue}.Run, x, run.Limits{}, sink)
	}
	var all bytes.Buffer // without its own lock
	sink := orchestrator.CycleLog(&all, nil, nil)
	var wg sync.WaitGroup
	for i := range runs {
		id := fmt.Sprint("r", i)
		var log bytes.Buffer
		one(id, orchestrator.CycleLog(&log, nil, nil))
		alone[id] = log.String()
		wg.Go(func() { one(id, sink) })
	}
	wg.Wait()
	got := map[string]string{}
	for line := range strings.Lines(all.String()) {
		var x struct{ Run string }
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got[x.Run] += line
	}
	if diff := cmp.Diff(alone, got); diff != "" {
		t.Error(diff)
	}
}

// TestStops stops a run in the middle of a step and continues it in another process. The first log
// must have everything that the first process knew, and the other one must start a new cycle.
func TestStops(t *testing.T) {
	var log bytes.Buffer
	sink := orchestrator.CycleLog(&log, nil, nil)
	at := func(step string, number int, what any) {
		sink(t.Context(), run.Event{Run: "r", Step: step, Number: number, StepsLeft: 3 - number, What: what})
	}
	at("", 0, run.RunClaimed{})
	at("2", 2, run.CallEnd{Call: &tool.Call{ID: "r/2/1"}, Attempt: 2})
	at("1", 1, run.CallEnd{Call: &tool.Call{ID: "r/1/1"}, Attempt: 1})
	at("3", 3, run.StepStart{})
	at("", 0, run.RunStopped{Result: &run.Result{Status: run.Waiting, WaitsFor: run.ForApproval}})
	at("", 0, run.RunClaimed{})
	at("1", 1, run.CallEnd{Call: &tool.Call{ID: "r/1/1"}})
	at("", 0, run.RunClaimed{}) // the line was lost
	at("1", 1, run.OutcomeDropped{Call: &tool.Call{ID: "r/1/1"}})
	at("", 0, run.RunDetached{Error: &run.Error{Kind: "taken_over", Text: "by w"}})
	at("", 0, "nothing that is known")
	at("", 0, run.RunStopped{Result: &run.Result{Status: run.Failed, Error: &run.Error{Kind: "x", Text: "y", Retry: true}}})
	const call = `"call":{"format":1,"id":"r/1/1","request":{"name":""},"status":""}`
	expect(t, log.String(), strings.ReplaceAll(`
{"run":"r","step_number":1,"tool_calls":[{CALL}],"ttl_remaining":3}
{"run":"r","step_number":2,"tool_calls":[{"attempt":2,"call":{"format":1,"id":"r/2/1","request":{"name":""},"status":""}}],"ttl_remaining":3}
{"run":"r","step_number":0,"plan_state":{"status":"waiting","waits_for":"approval"},"ttl_remaining":3}
{"run":"r","step_number":1,"tool_calls":[{"dropped":true,CALL}],"ttl_remaining":3}
{"run":"r","step_number":0,"ttl_remaining":3,"errors":[{"code":"taken_over","text":"by w"}]}
{"run":"r","step_number":0,"plan_state":{"status":"failed"},"ttl_remaining":3,"errors":[{"code":"x","text":"y","retryable":true}]}
`, "CALL", call))
}

// cyclelogBroken is a log that accepts a part of its second line, nothing of its third, and the rest.
type cyclelogBroken struct {
	bytes.Buffer
	lines int
}

func (b *cyclelogBroken) Write(text []byte) (int, error) {
	switch b.lines++; b.lines {
	case 2:
		return b.Buffer.Write(text[:10])
	case 3:
		return 0, os.ErrClosed
	}
	return b.Buffer.Write(text)
}

// TestUnwritable checks that a log that cannot be written stops no run and reports the error once, and
// that lines after a torn one are complete.
func TestUnwritable(t *testing.T) {
	var told []error
	log := &cyclelogBroken{}
	result := cyclelogExecute(t, "r", &cyclelogWorld{output: "1"}, planner.Settings{}.Run, task.Task{Request: "x", Plan: cyclelogSteps("find {}", "login {\"user\":\"a\",\"password\":\"b\"}", "login {\"user\":\"a\",\"password\":\"c\"}")}, run.Limits{},
		orchestrator.CycleLog(log, nil, func(err error) { told = append(told, err) }))
	if result.Status != run.Completed || len(told) != 1 {
		t.Errorf("%+v, told of %v", result, told)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 4 || json.Valid([]byte(lines[1])) {
		t.Fatalf("%q", lines)
	}
	for _, i := range []int{0, 2, 3} {
		if !json.Valid([]byte(lines[i])) {
			t.Errorf("%q", lines[i])
		}
	}
}

// TestRedacted checks that if the sink of a log is redacted, the log contains no secret that a model
// wrote, in any form, or that a tool returned.
func TestRedacted(t *testing.T) {
	rule := func(name, pointer string, value json.RawMessage) json.RawMessage {
		if name == "login" && (pointer == "/arguments/password" || pointer == "/output/token") {
			return json.RawMessage(`"hidden"`)
		}
		return value
	}
	password := `"Password":"` + secret + `"`
	var clear, log bytes.Buffer
	logs := []func(context.Context, run.Event){orchestrator.CycleLog(&clear, nil, nil), orchestrator.CycleLog(&log, redact.New(rule), nil)}
	sink := func(ctx context.Context, e run.Event) {
		for _, log := range logs {
			log(ctx, e)
		}
	}
	plans := &cyclelogWorld{answers: []llm.Response{
		{Text: "So:\n```\n" + `{"steps":[{"description":"d","tool":"login","args":{"user":"ada"}},{"description":"e","tool":"lgoin","arguments":{` + password + `}}]}` + "\n```"}, // refused and then repaired
		{Text: `{"step_id":"2","description":"e","tool":"login","arguments":{"user":"ada",` + password + `}}`},
		{Text: `{"user":"ada",` + password + `}`},
		{Text: `{"arguments":{"user":"ada",` + password + `}}`},
	}}
	cyclelogExecute(t, "p", plans, planner.Settings{}.Run, task.Task{Request: "x"}, run.Limits{}, sink)
	refers := &cyclelogWorld{output: `"found"`, answers: []llm.Response{{Text: "I looked for " + secret + "."}}}
	cyclelogExecute(t, "q", refers, planner.Settings{}.Run, task.Task{Request: "x", Plan: cyclelogSteps(`login {"user":"ada","password":"b"}`, `find {"text":"it is <<step:1/token>>"}`)}, run.Limits{}, sink)
	talks := &cyclelogWorld{answers: []llm.Response{
		{Calls: []tool.Request{{ID: "c1", Name: "login", Arguments: json.RawMessage(`{"user":"ada","password":["` + secret + `"]}`)}, {ID: "c2", Name: "lgoin", Arguments: json.RawMessage(`{` + password + `}`)}}},
		{Text: `<tool_call>{"name":"login","arguments":{"user":"ada","password":"` + secret + `"}}</tool_call>`},
		{Text: `login(user="ada", password="` + secret + `")`},
		{Text: `I called login(user="ada", password="` + secret + `"), and got {"token": "` + secret + `"}.`},
	}}
	cyclelogExecute(t, "c", talks, conversation.Settings{}.Run, task.Task{Request: "x"}, run.Limits{}, sink)
	if n := strings.Count(clear.String(), secret); n < 8 {
		t.Fatalf("the secret is %d times in\n%s", n, clear.String())
	}
	if i := strings.Index(log.String(), secret); i >= 0 {
		t.Errorf("the secret is in %s", log.String()[max(0, i-800):i+20])
	}
	if !strings.Contains(log.String(), `"password":"hidden"`) || !strings.Contains(log.String(), `"token":"hidden"`) || strings.Count(log.String(), "\n") != strings.Count(clear.String(), "\n") {
		t.Error(log.String())
	}
}

// BenchmarkSinks executes runs of 1,000 steps without a sink, with a sink that does nothing, and with
// logs.
func BenchmarkSinks(b *testing.B) {
	x := task.Task{Request: "x", Plan: cyclelogSteps(slices.Repeat([]string{`find {"text":"a"}`}, 1000)...)}
	rule := func(_, _ string, value json.RawMessage) json.RawMessage { return value }
	for _, sink := range []struct {
		name string
		sink func(context.Context, run.Event)
	}{
		{"none", nil}, {"nothing", func(context.Context, run.Event) {}}, {"log", orchestrator.CycleLog(&bytes.Buffer{}, nil, nil)}, {"redacted", orchestrator.CycleLog(&bytes.Buffer{}, redact.New(rule), nil)},
	} {
		b.Run(sink.name, func(b *testing.B) {
			for b.Loop() {
				cyclelogExecute(b, "r", &cyclelogWorld{output: `"` + strings.Repeat("x", 98) + `"`}, planner.Settings{}.Run, x, run.Limits{}, sink.sink)
			}
		})
	}
}

func ExampleCycleLog() {
	log := orchestrator.CycleLog(os.Stdout, nil, nil)
	log(context.Background(), run.Event{Run: "42", Step: "1", Number: 1, StepsLeft: 49, Time: time.Unix(0, 0).UTC(), What: run.StepEnd{
		Result: run.StepResult{StepID: "1", Mode: run.ModeLLM, Success: true, Result: json.RawMessage(`"Done."`)},
	}})
	// Output:
	// {"run":"42","step_number":1,"plan_state":{"steps":[{"step_id":"1","status":"complete","execution_mode":"llm"}]},"ttl_remaining":49,"timestamp":"1970-01-01T00:00:00Z"}
}
