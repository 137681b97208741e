package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

var (
	sure  = tool.AskPerson("Are you sure?", nil)
	whom  = tool.AskPerson("Whom?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	terse = tool.AskModel("Say it in a word.", 10)
	ada   = whom.Accept(json.RawMessage(`{"name":"ada"}`))
)

// pay makes one payment and returns its outcome.
func pay(fx run.Effects, _ run.Input) (json.RawMessage, error) {
	var told []string
	err := call(fx, func(x any, err error) error { told = append(told, x.(string)); return err }, request("1", "pay", `{"a":1}`))
	if err != nil {
		return nil, err
	}
	return json.Marshal(told[0])
}

// text returns the text of a run's answer.
func text(t *testing.T, value json.RawMessage) (text string) {
	t.Helper()
	if err := json.Unmarshal(value, &text); err != nil {
		t.Fatal(err)
	}
	return text
}

// reply accepts all questions of a call, with the name ada.
func reply(w run.Wait) run.Signal {
	var answers []tool.Answer
	for _, q := range w.Questions {
		if q.Schema == nil {
			answers = append(answers, q.Accept(nil))
		} else {
			answers = append(answers, q.Accept(json.RawMessage(`{"name":"ada"}`)))
		}
	}
	return run.Reply(w.Call, answers...)
}

// TestQuestions checks that a call whose function asks waits for answers, one question after the
// other, and is then repeated under the same ID.
func TestQuestions(t *testing.T) {
	for name, test := range map[string]struct {
		signals []run.Signal
		answer  string
		paid    int
	}{
		"answered":  {[]run.Signal{run.Reply("r/1/1", sure.Accept(nil)), run.Reply("r/1/1", ada)}, `["accept","accept{\"name\":\"ada\"}","{\"pay\":\"r/1/1\"}"]`, 1},
		"declined":  {[]run.Signal{run.Reply("r/1/1", sure.Decline()), run.Reply("r/1/1", whom.Cancel())}, `["decline","cancel","{\"pay\":\"r/1/1\"}"]`, 1},
		"denied":    {[]run.Signal{run.Deny("r/1/1", "no")}, "denied: pay: the call is not allowed: no", 0},
		"then no":   {[]run.Signal{run.Reply("r/1/1", sure.Accept(nil)), run.Deny("r/1/1", "not you")}, "denied: pay: the call is not allowed: not you", 0},
		"cancelled": {[]run.Signal{run.Cancel("enough")}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{asks: map[string][]tool.Question{"pay": {sure, whom}}}
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			var result *run.Result
			for i, signal := range test.signals {
				for range 2 { // the second execution has nothing to do
					result = execute(t, w.env(j), pay, run.Waiting)
					if diff := cmp.Diff([]run.Wait{{Call: "r/1/1", For: run.ForAnswer, Request: result.Calls[0].Request, Questions: w.asks["pay"][i : i+1]}}, result.Calls); diff != "" || result.WaitsFor != run.ForAnswer {
						t.Fatalf("it waits for %s: %s", result.WaitsFor, diff)
					}
				}
				if r := result.Calls[0].Request; r.ID != "r/1/1" || string(r.Arguments) != `{"a":1}` || len(r.Answers) != i {
					t.Errorf("it waits for %+v", r)
				}
				checkState(t, j, "waiting answer")
				expectNotWaiting(t, run.SendSignal(t.Context(), j, "r", time.Now(), run.Approve("r/1/1", "ada", nil), nil))
				replayed, err := w.env(j).Replay(t.Context(), "r", pay, nil)
				if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
					t.Errorf("%s %v", diff, err)
				}
				send(t, j, signal)
			}
			if test.answer == "" {
				execute(t, w.env(j), pay, run.Cancelled)
				return
			}
			checkState(t, j, "running")
			expectNotWaiting(t, run.SendSignal(t.Context(), j, "r", time.Now(), run.Reply("r/1/1", ada), nil))
			result = execute(t, w.env(j), pay, run.Completed)
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

// checkState checks the state of the run in the journal.
func checkState(t *testing.T, j journal.Journal, want string) {
	t.Helper()
	for info := range j.Runs(t.Context(), journal.Filter{}) {
		if is := strings.TrimSpace(info.Status + " " + info.WaitsFor); is != want {
			t.Errorf("the journal says %s, want %s", is, want)
		}
	}
}

// TestMisfitAnswers checks that an invalid answer is refused with the reason, and that nothing is
// appended.
func TestMisfitAnswers(t *testing.T) {
	w := world{asks: map[string][]tool.Question{"pay": {whom}}}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	execute(t, w.env(j), pay, run.Waiting)
	n := len(entries(t, j))
	for want, signal := range map[string]run.Signal{
		"the call has 1 question, got 0 answers":                                                              run.Reply("r/1/1"),
		"the call has 1 question, got 2 answers":                                                              run.Reply("r/1/1", ada, ada),
		`the answer to "Whom?": it answers another question`:                                                  run.Reply("r/1/1", sure.Accept(nil)),
		`the answer to "Whom?": its value is not JSON: expected a value at byte 0, found the end of the text`: run.Reply("r/1/1", whom.Accept(nil)),
		`the answer to "Whom?": /name: expected a string, found the number 7`:                                 run.Reply("r/1/1", whom.Accept(json.RawMessage(`{"name":7}`))),
		`does not wait for a signal "reply" for call "r/9/9"`:                                                 run.Reply("r/9/9", ada),
		`does not wait for a signal "reply" for call ""`:                                                      run.Reply("", ada),
		`does not wait for a signal "redo" for call "r/1/1"`:                                                  run.Redo("r/1/1"),
	} {
		if err := w.env(j).Send(t.Context(), "r", signal); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := len(entries(t, j)); got != n {
		t.Errorf("%d entries were appended", got-n)
	}
	send(t, j, run.Reply("r/1/1", ada))
	execute(t, w.env(j), pay, run.Completed)
}

// TestQuestionAndApproval checks that a call that needs an approval asks its question afterward, and
// keeps the approved arguments.
func TestQuestionAndApproval(t *testing.T) {
	w := world{gate: map[string]bool{"pay": true}, asks: map[string][]tool.Question{"pay": {sure}}}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	if result := execute(t, w.env(j), pay, run.Waiting); result.WaitsFor != run.ForApproval {
		t.Fatalf("it waits for %s", result.WaitsFor)
	}
	send(t, j, run.Approve("r/1/1", "ada", json.RawMessage(`{"a":2}`)))
	if result := execute(t, w.env(j), pay, run.Waiting); result.WaitsFor != run.ForAnswer || result.Calls[0].Request.Approval != "ada" {
		t.Fatalf("it waits for %s: %+v", result.WaitsFor, result.Calls[0].Request)
	}
	send(t, j, run.Reply("r/1/1", sure.Accept(nil)))
	execute(t, w.env(j), pay, run.Completed)
	if diff := cmp.Diff([]string{`pay r/1/1 {"a":2}`}, w.effects); diff != "" {
		t.Error(diff)
	}
}

// TestModelQuestions checks that the model of the run answers questions of functions to a model. The
// answer is in the journal, counts as usage, and is not requested again. Other questions are for a
// person.
func TestModelQuestions(t *testing.T) {
	silent := func(int) (llm.Response, error) { return llm.Response{}, nil }
	for name, test := range map[string]struct {
		tool   string
		model  func(int) (llm.Response, error)
		asks   []tool.Question
		answer string
		asked  int
	}{
		"one":       {"pay", nil, []tool.Question{terse}, `["accept\"about Say it in a word.\"","{\"pay\":\"r/1/1\"}"]`, 1},
		"read-only": {"find", nil, []tool.Question{terse}, `["accept\"about Say it in a word.\"","{\"find\":\"r/1/1\"}"]`, 1},
		"two":       {"pay", nil, []tool.Question{terse, terse}, `["accept\"about Say it in a word.\"","accept\"about Say it in a word.\"","{\"pay\":\"r/1/1\"}"]`, 2},
		"of both":   {"pay", nil, []tool.Question{terse, sure}, `["accept\"about Say it in a word.\"","accept","{\"pay\":\"r/1/1\"}"]`, 1},
		"no answer": {"pay", silent, []tool.Question{terse}, `["cancel","{\"pay\":\"r/1/1\"}"]`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{asks: map[string][]tool.Question{test.tool: test.asks}}
			if test.model != nil {
				w.ask = map[string]func(int) (llm.Response, error){terse.Text: test.model}
			}
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
				calls, err := fx.Call(request("1", test.tool, `{}`))
				if err != nil {
					return nil, err
				}
				return json.Marshal(string(calls[0].Output))
			}
			if result, err := w.env(j).Execute(t.Context(), "r", f, nil); err != nil {
				t.Fatal(err)
			} else if result.Status == run.Waiting {
				send(t, j, run.Reply("r/1/1", sure.Accept(nil)))
			}
			result := execute(t, w.env(j), f, run.Completed)
			if got := text(t, result.Answer); got != test.answer || len(w.asked) != test.asked || result.Usage.ModelCalls != test.asked {
				t.Errorf("it answers %s, the model was asked %d times: %+v", got, len(w.asked), result.Usage)
			}
			var events []string
			replayed, err := w.env(j).Replay(t.Context(), "r", f, func(e run.Event) {
				if end, ok := e.What.(run.ModelEnd); ok {
					events = append(events, fmt.Sprint(end.For, " ", end.Tool, " ", e.Step))
				}
			})
			if diff := cmp.Diff(result, replayed); diff != "" || err != nil || len(events) != test.asked || events[0] != "question "+test.tool+" 1" {
				t.Errorf("%s %v %q", diff, err, events)
			}
		})
	}
}

// TestAllAtOnce checks simultaneous questions to a model and to a person.
func TestAllAtOnce(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){}}
	w.asks = map[string][]tool.Question{"pay": {}}
	w.do["pay"] = func(ctx context.Context, r tool.Request) (string, error) {
		answers, err := tool.ExchangeFrom(ctx).Ask(ctx, sure, terse, whom, tool.AskModel("And now?", 5))
		text, _ := json.Marshal(answers)
		return string(text), err
	}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	result := execute(t, w.env(j), pay, run.Waiting)
	if diff := cmp.Diff([]tool.Question{sure, whom}, result.Calls[0].Questions); diff != "" {
		t.Errorf("a person is asked %s", diff)
	}
	send(t, j, run.Reply("r/1/1", sure.Decline(), ada))
	result = execute(t, w.env(j), pay, run.Completed)
	for i, want := range []string{sure.Key(), `"about Say it in a word.`, whom.Key(), `"about And now?`} {
		answer := strings.ReplaceAll(text(t, result.Answer), `\`, "")
		if got := strings.Index(answer, want); got < 0 {
			t.Errorf("answer %d has no %s: %s", i, want, answer)
		}
	}
}

// TestNobody checks that a run has no folders, and that the function may continue without.
func TestNobody(t *testing.T) {
	w := world{asks: map[string][]tool.Question{"pay": {tool.AskRoots()}}}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	result := execute(t, w.env(j), pay, run.Completed)
	if got := text(t, result.Answer); !strings.Contains(got, "nobody answers") || !strings.Contains(got, "a run has no folders") {
		t.Errorf("it answers %s", got)
	}
}

// TestEndless checks the limit on the questions of one function.
func TestEndless(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){}}
	w.asks = map[string][]tool.Question{"find": {}}
	w.do["find"] = func(ctx context.Context, r tool.Request) (string, error) {
		for n := 0; ; n++ {
			if _, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskModel(fmt.Sprint("And ", n), 5)); err != nil {
				return "", err
			}
		}
	}
	j := new(journal.Map)
	createRun(t, w.env(j), run.Limits{})
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		calls, err := fx.Call(request("1", "find", `{}`))
		if err != nil {
			return nil, err
		}
		return json.Marshal(tool.Code(calls[0].Err))
	}
	result := execute(t, w.env(j), f, run.Completed)
	if got := text(t, result.Answer); got != "tool_failed" && got != "needs_answer" || len(w.asked) != 32 {
		t.Errorf("%s after %d questions", got, len(w.asked))
	}
	replayed, err := w.env(j).Replay(t.Context(), "r", f, nil)
	if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
		t.Errorf("%s %v", diff, err)
	}
}

// TestApprovalWithin checks that the run does not wait if a function called another tool that needs an
// approval, because an approval of the outer call would not apply to it.
func TestApprovalWithin(t *testing.T) {
	w := world{do: map[string]func(context.Context, tool.Request) (string, error){
		"pay": func(context.Context, tool.Request) (string, error) { return "", &tool.ApprovalError{Tool: "wire"} },
	}}
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	result, err := env.Execute(t.Context(), "r", pay, nil)
	if err != nil || result.Status != run.Completed || !strings.HasPrefix(text(t, result.Answer), "tool_failed: ") || len(w.effects) != 1 {
		t.Errorf("%+v, %v after %v", result, err, w.effects)
	}
}
