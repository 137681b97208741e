package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	question "github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

var (
	sure  = question.Person("Are you sure?", nil)
	whom  = question.Person("Whom?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	terse = question.Model("Say it in a word.", 10)
	ada   = whom.Accept(json.RawMessage(`{"name":"ada"}`))
)

// pay makes one payment, and tells what came of it.
func pay(fx run.Effects, _ record.Input) (json.RawMessage, error) {
	var told []string
	err := call(fx, func(x any, err error) error { told = append(told, x.(string)); return err }, request("1", "pay", `{"a":1}`))
	if err != nil {
		return nil, err
	}
	return json.Marshal(told[0])
}

// text returns the text that an answer of a run is.
func text(t *testing.T, value json.RawMessage) (text string) {
	t.Helper()
	if err := json.Unmarshal(value, &text); err != nil {
		t.Fatal(err)
	}
	return text
}

// reply answers all that a call asks: yes, and that it is ada.
func reply(w record.Wait) record.Signal {
	var answers []question.Answer
	for _, q := range w.Questions {
		if q.Schema == nil {
			answers = append(answers, q.Accept(nil))
		} else {
			answers = append(answers, q.Accept(json.RawMessage(`{"name":"ada"}`)))
		}
	}
	return record.Reply(w.Call, answers...)
}

// TestQuestions: a call whose function asks waits for answers, one question after the
// other, and is then made again under the same ID.
func TestQuestions(t *testing.T) {
	for name, test := range map[string]struct {
		signals []record.Signal
		answer  string
		paid    int
	}{
		"answered":  {[]record.Signal{record.Reply("r/1/1", sure.Accept(nil)), record.Reply("r/1/1", ada)}, `["accept","accept{\"name\":\"ada\"}","{\"pay\":\"r/1/1\"}"]`, 1},
		"declined":  {[]record.Signal{record.Reply("r/1/1", sure.Decline()), record.Reply("r/1/1", whom.Cancel())}, `["decline","cancel","{\"pay\":\"r/1/1\"}"]`, 1},
		"denied":    {[]record.Signal{record.Deny("r/1/1", "no")}, "denied: pay: the call is not allowed: no", 0},
		"then no":   {[]record.Signal{record.Reply("r/1/1", sure.Accept(nil)), record.Deny("r/1/1", "not you")}, "denied: pay: the call is not allowed: not you", 0},
		"cancelled": {[]record.Signal{record.Cancel("enough")}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{asks: map[string][]question.Question{"pay": {sure, whom}}}
			j := new(journal.Map)
			begin(t, w.env(j), record.Limits{})
			var result *record.Result
			for i, signal := range test.signals {
				for range 2 { // the second time there is nothing to do
					result = execute(t, w.env(j), pay, record.Waiting)
					if diff := cmp.Diff([]record.Wait{{Call: "r/1/1", For: record.ForAnswer, Request: result.Calls[0].Request, Questions: w.asks["pay"][i : i+1]}}, result.Calls); diff != "" || result.WaitsFor != record.ForAnswer {
						t.Fatalf("it waits for %s: %s", result.WaitsFor, diff)
					}
				}
				if r := result.Calls[0].Request; r.ID != "r/1/1" || string(r.Arguments) != `{"a":1}` || len(r.Answers) != i {
					t.Errorf("it waits for %+v", r)
				}
				stands(t, j, "waiting answer")
				expectNotWaiting(t, note.Send(t.Context(), j, "r", time.Now(), record.Approve("r/1/1", "ada", nil), nil))
				replayed, err := w.env(j).Replay(t.Context(), "r", pay, nil)
				if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
					t.Errorf("%s %v", diff, err)
				}
				send(t, j, signal)
			}
			if test.answer == "" {
				execute(t, w.env(j), pay, record.Cancelled)
				return
			}
			stands(t, j, "running")
			expectNotWaiting(t, note.Send(t.Context(), j, "r", time.Now(), record.Reply("r/1/1", ada), nil))
			result = execute(t, w.env(j), pay, record.Completed)
			if got := text(t, result.Answer); got != test.answer || w.happened("pay") != test.paid {
				t.Errorf("it answers %s after %q", got, w.effects)
			}
			replayed, err := w.env(j).Replay(t.Context(), "r", pay, nil)
			if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
				t.Errorf("%s %v", diff, err)
			}
		})
	}
}

// stands holds what the journal says of the run.
func stands(t *testing.T, j journal.Journal, want string) {
	t.Helper()
	for info := range j.Runs(t.Context(), journal.Filter{}) {
		if is := strings.TrimSpace(info.Status + " " + info.WaitsFor); is != want {
			t.Errorf("the journal says %s, want %s", is, want)
		}
	}
}

// TestMisfitAnswers: who gives an answer that is none is told so, and nothing is appended.
func TestMisfitAnswers(t *testing.T) {
	w := world{asks: map[string][]question.Question{"pay": {whom}}}
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	execute(t, w.env(j), pay, record.Waiting)
	n := len(entries(t, j))
	for want, signal := range map[string]record.Signal{
		"the call asks 1 question, and 0 answers came":                        record.Reply("r/1/1"),
		"the call asks 1 question, and 2 answers came":                        record.Reply("r/1/1", ada, ada),
		`the answer to "Whom?": it answers another question`:                  record.Reply("r/1/1", sure.Accept(nil)),
		`the answer to "Whom?": its value is no JSON`:                         record.Reply("r/1/1", whom.Accept(nil)),
		`the answer to "Whom?": /name: expected a string, found the number 7`: record.Reply("r/1/1", whom.Accept(json.RawMessage(`{"name":7}`))),
		`does not wait for a signal "reply" about a call "r/9/9"`:             record.Reply("r/9/9", ada),
		`does not wait for a signal "reply" about a call ""`:                  record.Reply("", ada),
		`does not wait for a signal "redo" about a call "r/1/1"`:              record.Redo("r/1/1"),
	} {
		if err := w.env(j).Send(t.Context(), "r", signal); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := len(entries(t, j)); got != n {
		t.Errorf("%d entries were appended", got-n)
	}
	send(t, j, record.Reply("r/1/1", ada))
	execute(t, w.env(j), pay, record.Completed)
}

// TestQuestionAndApproval: a call that has to be approved asks then, and keeps the
// arguments that it was approved with.
func TestQuestionAndApproval(t *testing.T) {
	w := world{gate: map[string]bool{"pay": true}, asks: map[string][]question.Question{"pay": {sure}}}
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	if result := execute(t, w.env(j), pay, record.Waiting); result.WaitsFor != record.ForApproval {
		t.Fatalf("it waits for %s", result.WaitsFor)
	}
	send(t, j, record.Approve("r/1/1", "ada", json.RawMessage(`{"a":2}`)))
	if result := execute(t, w.env(j), pay, record.Waiting); result.WaitsFor != record.ForAnswer || result.Calls[0].Request.Approval != "ada" {
		t.Fatalf("it waits for %s: %+v", result.WaitsFor, result.Calls[0].Request)
	}
	send(t, j, record.Reply("r/1/1", sure.Accept(nil)))
	execute(t, w.env(j), pay, record.Completed)
	if diff := cmp.Diff([]string{`pay r/1/1 {"a":2}`}, w.effects); diff != "" {
		t.Error(diff)
	}
}

// TestModelQuestions: the model of the run answers what functions ask a model; that is
// in the journal, counted and not asked again. A person is asked for the rest.
func TestModelQuestions(t *testing.T) {
	silent := func(int) (llm.Response, error) { return llm.Response{}, nil }
	for name, test := range map[string]struct {
		tool   string
		model  func(int) (llm.Response, error)
		asks   []question.Question
		answer string
		asked  int
	}{
		"one":       {"pay", nil, []question.Question{terse}, `["accept\"about Say it in a word.\"","{\"pay\":\"r/1/1\"}"]`, 1},
		"read-only": {"find", nil, []question.Question{terse}, `["accept\"about Say it in a word.\"","{\"find\":\"r/1/1\"}"]`, 1},
		"two":       {"pay", nil, []question.Question{terse, terse}, `["accept\"about Say it in a word.\"","accept\"about Say it in a word.\"","{\"pay\":\"r/1/1\"}"]`, 2},
		"of both":   {"pay", nil, []question.Question{terse, sure}, `["accept\"about Say it in a word.\"","accept","{\"pay\":\"r/1/1\"}"]`, 1},
		"no answer": {"pay", silent, []question.Question{terse}, `["cancel","{\"pay\":\"r/1/1\"}"]`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{asks: map[string][]question.Question{test.tool: test.asks}}
			if test.model != nil {
				w.ask = map[string]func(int) (llm.Response, error){terse.Text: test.model}
			}
			j := new(journal.Map)
			begin(t, w.env(j), record.Limits{})
			f := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
				calls, err := fx.Call(request("1", test.tool, `{}`))
				if err != nil {
					return nil, err
				}
				return json.Marshal(string(calls[0].Output))
			}
			if result, err := w.env(j).Execute(t.Context(), "r", f, nil); err != nil {
				t.Fatal(err)
			} else if result.Status == record.Waiting {
				send(t, j, record.Reply("r/1/1", sure.Accept(nil)))
			}
			result := execute(t, w.env(j), f, record.Completed)
			if got := text(t, result.Answer); got != test.answer || len(w.asked) != test.asked || result.Usage.ModelCalls != test.asked {
				t.Errorf("it answers %s, the model was asked %d times: %+v", got, len(w.asked), result.Usage)
			}
			var events []string
			replayed, err := w.env(j).Replay(t.Context(), "r", f, func(e record.Event) {
				if end, ok := e.What.(record.ModelEnd); ok {
					events = append(events, fmt.Sprint(end.For, " ", end.Tool, " ", e.Step))
				}
			})
			if diff := cmp.Diff(result, replayed); diff != "" || err != nil || len(events) != test.asked || events[0] != "question "+test.tool+" 1" {
				t.Errorf("%s %v %q", diff, err, events)
			}
		})
	}
}

// TestAllAtOnce: questions to a model and to a person that are asked at once.
func TestAllAtOnce(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){}}
	w.asks = map[string][]question.Question{"pay": {}}
	w.do["pay"] = func(ctx context.Context, r tool.Request) (string, error) {
		answers, err := tool.ExchangeFrom(ctx).Ask(ctx, sure, terse, whom, question.Model("And now?", 5))
		text, _ := json.Marshal(answers)
		return string(text), err
	}
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	result := execute(t, w.env(j), pay, record.Waiting)
	if diff := cmp.Diff([]question.Question{sure, whom}, result.Calls[0].Questions); diff != "" {
		t.Errorf("a person is asked %s", diff)
	}
	send(t, j, record.Reply("r/1/1", sure.Decline(), ada))
	result = execute(t, w.env(j), pay, record.Completed)
	for i, want := range []string{sure.Key(), `"about Say it in a word.`, whom.Key(), `"about And now?`} {
		answer := strings.ReplaceAll(text(t, result.Answer), `\`, "")
		if got := strings.Index(answer, want); got < 0 {
			t.Errorf("answer %d has no %s: %s", i, want, answer)
		}
	}
}

// TestNobody: a run has no folders, and the function may go on without.
func TestNobody(t *testing.T) {
	w := world{asks: map[string][]question.Question{"pay": {question.Roots()}}}
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	result := execute(t, w.env(j), pay, record.Completed)
	if got := text(t, result.Answer); !strings.Contains(got, "nobody answers") || !strings.Contains(got, "a run has no folders") {
		t.Errorf("it answers %s", got)
	}
}

// TestEndless: a function that asks without an end is not asked for ever.
func TestEndless(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){}}
	w.asks = map[string][]question.Question{"find": {}}
	w.do["find"] = func(ctx context.Context, r tool.Request) (string, error) {
		for n := 0; ; n++ {
			if _, err := tool.ExchangeFrom(ctx).Ask(ctx, question.Model(fmt.Sprint("And ", n), 5)); err != nil {
				return "", err
			}
		}
	}
	j := new(journal.Map)
	begin(t, w.env(j), record.Limits{})
	f := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		calls, err := fx.Call(request("1", "find", `{}`))
		if err != nil {
			return nil, err
		}
		return json.Marshal(tool.Code(calls[0].Err))
	}
	result := execute(t, w.env(j), f, record.Completed)
	if got := text(t, result.Answer); got != "tool_failed" && got != "needs_answer" || len(w.asked) != 32 {
		t.Errorf("%s after %d questions", got, len(w.asked))
	}
	replayed, err := w.env(j).Replay(t.Context(), "r", f, nil)
	if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
		t.Errorf("%s %v", diff, err)
	}
}

// TestApprovalWithin: where a function called another tool that needs approval, the run
// does not wait: an approval of this call would approve nothing.
func TestApprovalWithin(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){
		"pay": func(context.Context, tool.Request) (string, error) { return "", &tool.ApprovalError{Tool: "wire"} },
	}}
	env := w.env(new(journal.Map))
	begin(t, env, record.Limits{})
	result, err := env.Execute(t.Context(), "r", pay, nil)
	if err != nil || result.Status != record.Completed || !strings.HasPrefix(text(t, result.Answer), "tool_failed: ") || len(w.effects) != 1 {
		t.Errorf("%+v, %v after %v", result, err, w.effects)
	}
}
