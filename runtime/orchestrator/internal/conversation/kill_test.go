package conversation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/run"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/tool"
)

// busyTask is the request of a conversation in which everything happens.
var busyTask = task.Task{
	Request: "Do it.", Meta: map[string]string{"user": "ada"},
	Answer: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
}

// busySays are two more messages for the time after the first answer.
var busySays = []run.Signal{user("And now?"), user("Is that all?")}

// newBusyWorld returns the world of the conversation in which everything happens.
func newBusyWorld(t *testing.T) *world {
	fromText := replyCalls(request("", "tag", `{"n":4}`))
	fromText.CallText = `<tool_call>{"name":"tag","arguments":{"n":4}}</tool_call>`
	heavy := replyCalls(request("h", "pay", `{"n":5}`))
	heavy.Usage.Input = 900
	responses := []llm.Response{
		replyCalls(request("a", "find", `{"n":1}`), request("b", "page", `{"n":1}`), request("c", "pay", `{"n":1}`), request("c", "pay", `{"n":2}`), request("", "tag", `{"n":1}`)),
		replyCalls(request("d", "read_result", `{"id":"1/2","pointer":"/items/7"}`), request("e", "pay", `{"n":3}`)),
		replyCalls(request("f", "fail", `{}`), request("g", "fnd", `{}`)),
		fromText,
		heavy,
		replyText(`{"n":"two"}`),
		replyText(`{"n":2}`),
		replyCalls(request("i", "pay", `{"n":6}`), request("j", "read_result", `{"id":"1/2","from":7,"bytes":9}`)),
		replyText(`{"n":3}`),
		replyText(`{"n":4}`),
	}
	w := newWorld(t, responses...)
	items := `"` + strings.Repeat("x", 100) + `"` + strings.Repeat(`,"`+strings.Repeat("y", 100)+`"`, 99)
	w.add(t, "page", tool.Annotations{ReadOnly: true}, func(string) (string, error) { return `{"items":[` + items + `]}`, nil })
	script := w.script
	w.script = func(turn int, r llm.Request) (llm.Response, error) {
		var before int // number of compacted turns
		if _, err := fmt.Sscanf(r.Messages[0].Text, "After %d turns.", &before); err != nil && turn == 3 {
			return llm.Response{}, &llm.Error{Kind: llm.ContextFull}
		}
		return script(turn+before, r)
	}
	w.Inline, w.Window = 1000, 800
	w.Compact = func(messages []llm.Message) []llm.Message {
		var before int
		_, _ = fmt.Sscanf(messages[0].Text, "After %d turns.", &before)
		for _, m := range messages[:len(messages)-2] {
			if m.Role == llm.RoleAssistant {
				before++
			}
		}
		return append([]llm.Message{{Role: llm.RoleUser, Text: fmt.Sprintf("After %d turns.", before)}}, messages[len(messages)-2:]...)
	}
	w.begun = func() { w.begin(t, busyTask) }
	return w
}

// goOn executes the run to its last answer, providing whatever it waits for, and returns the calls
// that were repeated.
func (w *world) goOn(t *testing.T) (result *run.Result, redone []string) {
	t.Helper()
	for {
		var err error
		if result, err = w.env.Execute(t.Context(), "r", w.Run, nil); err != nil {
			t.Fatal(err)
		}
		switch {
		case result.WaitsFor == run.ForDecision:
			for _, call := range result.Calls {
				w.send(t, run.Redo(call.Call))
				redone = append(redone, call.Call)
			}
		case result.WaitsFor != run.ForMessage || result.Error != nil:
			t.Fatalf("it is %+v, %v", result, result.Error)
		default:
			said := 0
			for _, e := range entries(t, w.env.Journal) {
				if e.Kind == "say" {
					said++
				}
			}
			if said == len(busySays) {
				return result, redone
			}
			w.send(t, busySays[said])
		}
	}
}

// TestBusy checks the outcome of the busy conversation, which the following tests interrupt.
func TestBusy(t *testing.T) {
	w := newBusyWorld(t)
	w.begun()
	result, _ := w.goOn(t)
	if string(result.Answer) != `{"n":4}` {
		t.Errorf("it answers %s", result.Answer)
	}
	expect(t, w.last(), `
user: After 4 turns.
assistant: [h] pay{"n":5}
tool: [h] "paid"
assistant: {"n":"two"}
user: Your answer is not valid for its schema: "/n: expected an integer, found the string \"two\""
Write all of it again, corrected: JSON that is valid for this schema, and nothing else:
{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}
assistant: {"n":2}
user: And now?
assistant: [i] pay{"n":6} [j] read_result{"id":"1/2","from":7,"bytes":9}
tool: [i] "paid"
tool: [j] "\":[\"xxxxx"
These are the bytes 7 to 16 of 10311.
assistant: {"n":3}
user: Is that all?
`)
	var kinds []string
	for _, e := range entries(t, w.env.Journal) {
		kinds = append(kinds, strings.TrimSpace(e.Kind+" "+e.Effect))
	}
	want := []string{
		"begin", "claim", "model turn/1", "outcome r/1/1", "outcome r/1/2", "request r/1/3", "outcome r/1/3", "request r/1/4", "outcome r/1/4", "request r/1/5", "outcome r/1/5",
		"model turn/2", "request r/2/1", "outcome r/2/1", "model turn/3", "request r/3/1", "outcome r/3/1", "outcome r/3/2",
		"model turn/4", "do compact", "model turn/4", "request r/4/1", "outcome r/4/1", "model turn/5", "request r/5/1", "outcome r/5/1",
		"do compact", "model turn/6", "model turn/7", "stop", "say", "claim", "model turn/8", "request r/8/1", "outcome r/8/1", "model turn/9",
		"stop", "say", "claim", "model turn/10", "stop",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}

// TestKilled kills workers before and after every append, and also the workers that take over. The
// effects, the journal and the requests to the model must be those of a conversation without kills.
func TestKilled(t *testing.T) {
	calm := newBusyWorld(t)
	calm.begun()
	want, _ := calm.goOn(t)
	wantHistory, wantAsked := history(t, calm.env.Journal), calm.questions()
	places := map[string]func() func() journal.Journal{
		"map": func() func() journal.Journal { j := new(journal.Map); return func() journal.Journal { return j } },
		"file": func() func() journal.Journal {
			folder := t.TempDir()
			return func() journal.Journal {
				j, err := file.Open(folder)
				if err != nil {
					t.Fatal(err)
				}
				return j
			}
		},
	}
	for place, where := range places {
		for kill := 1; kill < 30; kill++ { // more than there are
			for _, second := range []int{0, 2, 3} {
				if place == "file" && second != kill%3 {
					continue // takes long
				}
				name := fmt.Sprintf("%s, killed at append %d, then %d", place, kill, second)
				open := where()
				w := newBusyWorld(t)
				w.env.Journal = open()
				w.begun()
				for i, n := range []int{kill, second} {
					w.env.Journal = dying.Journal(open(), n, (kill+i)%2 == 0)
					if _, err := w.env.Execute(t.Context(), "r", w.Run, nil); n > 0 && err != nil && !errors.Is(err, dying.Err) {
						t.Fatal(name, err)
					}
				}
				w.env.Journal = open()
				got, redone := w.goOn(t)
				if string(got.Answer) != string(want.Answer) || got.Usage.Tokens != want.Usage.Tokens {
					t.Errorf("%s: it is %+v", name, got)
				}
				if diff := cmp.Diff(wantHistory, history(t, open())); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				for _, q := range w.questions() {
					if !slices.Contains(wantAsked, q) {
						t.Errorf("%s: the model is asked\n%s", name, q)
					}
				}
				w.once(t, name, redone)
			}
		}
	}
}

// once checks that all calls were made, and that calls of tools that are neither read-only nor
// idempotent were made at most once, except for repeated ones.
func (w *world) once(t *testing.T, name string, redone []string) {
	t.Helper()
	times := map[string]int{}
	for _, e := range w.effects {
		times[e]++
		parts := strings.SplitN(e, " ", 3)
		if (parts[0] == "pay" || parts[0] == "fail") && times[e] > 1 && !slices.Contains(redone, parts[1]) {
			t.Errorf("%s: %s happened again", name, e)
		}
	}
	if len(times) != 10 {
		t.Errorf("%s: there are %d effects: %q", name, len(times), w.effects)
	}
}

// questions returns the requests to the model.
func (w *world) questions() (all []string) {
	for _, r := range w.asked {
		text := r.System + "\n" + transcript(r.Messages)
		for _, d := range r.Tools {
			text += d.Name + " "
		}
		all = append(all, text)
	}
	return all
}

func entries(t *testing.T, j journal.Journal) (all []journal.Entry) {
	t.Helper()
	for e, err := range j.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// history returns the journal of a run without times, writers, claims, interruptions and decisions.
// Calls are in the order of their IDs.
func history(t *testing.T, j journal.Journal) (lines []string) {
	t.Helper()
	batch := 0
	for _, e := range entries(t, j) {
		switch e.Kind {
		case "model", "do", "say":
			slices.Sort(lines[batch:])
			lines = append(lines, e.Kind+" "+e.Effect+" "+withoutTimes(t, e.Data))
			batch = len(lines)
		case "request", "outcome":
			if line := e.Kind + " " + e.Effect + " " + withoutTimes(t, e.Data); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// withoutTimes returns a JSON object without times and numbers of attempts.
func withoutTimes(t *testing.T, data json.RawMessage) string {
	t.Helper()
	var x any
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	var drop func(any)
	drop = func(x any) {
		switch x := x.(type) {
		case map[string]any:
			for _, name := range []string{"started", "duration", "attempt"} {
				delete(x, name)
			}
			for _, member := range x {
				drop(member)
			}
		case []any:
			for _, element := range x {
				drop(element)
			}
		}
	}
	drop(x)
	text, _ := json.Marshal(x)
	return string(text)
}
