package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

func sayText(text string) run.Signal { return run.Say(llm.Message{Text: text}) }

// TestSayToDeaf checks that messages to a run whose function does not read them are refused, unless
// the run waits for one.
func TestSayToDeaf(t *testing.T) {
	var w world
	j := new(journal.Map)
	env := w.env(j)
	if err := env.Begin(t.Context(), "r", run.Input{Kind: "test", Tools: tools}); err != nil {
		t.Fatal(err)
	}
	say := func() error { return env.Send(t.Context(), "r", sayText("hello")) }
	expectNotWaiting(t, say())
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		expectNotWaiting(t, say())
		return "1", nil
	}}
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		if _, err := fx.Call(request("1", "pay", "{}")); err != nil {
			return nil, err
		}
		m, err := fx.Wait(run.WaitOptions{})
		if err != nil {
			return nil, err
		}
		return json.Marshal(m.Text)
	}
	execute(t, env, f, run.Waiting)
	if err := say(); err != nil {
		t.Fatal(err)
	}
	expectNotWaiting(t, say()) // one answers
	if result := execute(t, env, f, run.Completed); string(result.Answer) != `"hello"` {
		t.Errorf("it answers %s", result.Answer)
	}
}

// TestEnd sends messages while a run ends. It must read all of them before it ends, wherever its
// workers are killed.
func TestEnd(t *testing.T) {
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		var heard []string
		for i := 0; ; i++ {
			a, err := fx.Model(ask("answer", fmt.Sprint(i)))
			if err != nil {
				return nil, err
			}
			heard = append(heard, a.Response.Text)
			answer, err := json.Marshal(heard)
			if err != nil {
				return nil, err
			}
			m, err := fx.Wait(run.WaitOptions{End: true, Answer: answer, Error: map[bool]*run.Error{true: {Kind: "odd", Text: "odd"}}[i%2 == 1]})
			if err != nil {
				return nil, err
			}
			if m == nil {
				return json.RawMessage(`"something else"`), errors.New("which does not count")
			}
			heard = append(heard, m.Text)
		}
	}
	for kill := range 8 {
		for _, after := range []bool{false, true} {
			for messages, want := range []struct{ status, answer string }{
				{run.Completed, `["about answer"]`},
				{run.Failed, `["about answer","m0","about answer"]`},
				{run.Completed, `["about answer","m0","about answer","m1","about answer"]`},
			} {
				var w world
				j := new(journal.Map)
				createRun(t, w.env(j), run.Limits{})
				sent := 0
				w.ask = map[string]func(int) (llm.Response, error){"answer": func(int) (llm.Response, error) {
					if sent < messages {
						sent++
						if err := run.SendSignal(t.Context(), j, "r", time.Now(), sayText(fmt.Sprint("m", sent-1)), nil); err != nil {
							t.Error(err)
						}
					}
					return llm.Response{Text: "about answer"}, nil
				}}
				if kill > 0 {
					if _, err := w.env(dying.Journal(j, kill, after)).Execute(t.Context(), "r", f, nil); err != nil && !errors.Is(err, dying.Err) {
						t.Fatal(err)
					}
				}
				result := execute(t, w.env(j), f, result(t, &w, j, f).Status)
				var heard []string
				if err := json.Unmarshal(result.Answer, &heard); err != nil {
					t.Fatal(err)
				}
				if kill == 0 && (result.Status != want.status || string(result.Answer) != want.answer) {
					t.Errorf("after %d messages it is %s, %s", messages, result.Status, result.Answer)
				}
				for i := range messages {
					if !slices.Contains(heard, fmt.Sprint("m", i)) {
						t.Errorf("killed at %d %t, it heard %q of %d messages", kill, after, heard, messages)
					}
				}
				if got, err := w.env(j).Replay(t.Context(), "r", f, nil); cmp.Diff(result, got) != "" || err != nil {
					t.Errorf("replayed it is %+v, %v", got, err)
				}
				if err := run.SendSignal(t.Context(), j, "r", time.Now(), sayText("late"), nil); tool.Code(err) != "run_ended" {
					t.Errorf("a message to a run that has ended: %v", err)
				}
			}
		}
	}
}

// result continues a run and returns its result.
func result(t *testing.T, w *world, j journal.Journal, f run.Func) *run.Result {
	t.Helper()
	r, err := w.env(j).Execute(t.Context(), "r", f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
