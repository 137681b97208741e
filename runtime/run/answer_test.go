package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestWaitAnswer checks that a run that waits for a message reports its answer, or why there is none.
func TestWaitAnswer(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	talk := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		f := run.WaitOptions{Answer: json.RawMessage(`"hello"`)}
		for {
			m, err := fx.Wait(f)
			if err != nil {
				return nil, err
			}
			f = run.WaitOptions{Error: &run.Error{Kind: "no", Text: "I do not know " + m.Text}}
		}
	}
	result := execute(t, env, talk, run.Waiting)
	if result.WaitsFor != run.ForMessage || string(result.Answer) != `"hello"` || result.Error != nil {
		t.Errorf("it is %+v", result)
	}
	send(t, env.Journal, run.Say(llm.Message{Text: "that"}))
	result = execute(t, env, talk, run.Waiting)
	if result.Answer != nil || result.Error == nil || result.Error.Text != "I do not know that" {
		t.Errorf("it is %+v", result)
	}
	again, err := env.Replay(t.Context(), "r", talk, nil)
	if diff := cmp.Diff(result, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestPoll checks that messages during a call are seen before the next request to the model, and at
// the same point in a replay.
func TestPoll(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		return "1", run.SendSignal(t.Context(), env.Journal, "r", time.Now(), run.Say(llm.Message{Text: "wait"}), nil)
	}}
	var heard []string
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		heard = nil
		for _, effect := range []func() error{
			func() error { _, err := fx.Call(request("1", "pay", "{}")); return err },
			func() error { _, err := fx.Model(ask("answer", "1")); return err },
			func() error { _, err := fx.Call(request("1", "pay", "{}")); return err },
		} {
			for {
				m, err := fx.Wait(run.WaitOptions{Poll: true})
				if err != nil {
					return nil, err
				}
				if m == nil {
					break
				}
				heard = append(heard, m.Text)
			}
			heard = append(heard, "effect")
			if err := effect(); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	execute(t, env, f, run.Completed)
	want := []string{"effect", "wait", "effect", "effect"}
	if !slices.Equal(heard, want) {
		t.Errorf("it heard %q", heard)
	}
	if _, err := env.Replay(t.Context(), "r", f, nil); err != nil || !slices.Equal(heard, want) {
		t.Errorf("replayed it heard %q, %v", heard, err)
	}
}

// pieces is a model that answers in pieces. A piece "-" breaks the stream.
type pieces struct {
	llm.Func
	answers [][]string
	asked   int
}

func (p *pieces) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		answer := p.answers[p.asked]
		p.asked++
		for _, text := range answer {
			if text == "-" {
				yield(llm.Chunk{}, &llm.Error{Kind: llm.CutOff, Err: errors.New("broken")})
				return
			}
			if !yield(llm.Chunk{Text: text}, nil) {
				return
			}
		}
		yield(llm.Chunk{Response: &llm.Response{Text: strings.Join(answer, "")}}, nil)
	}
}

// TestChunks checks that chunks are reported while the answer is written, and retracted if the stream
// breaks. They are not in the journal, and a replay does not report them.
func TestChunks(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	model := &pieces{answers: [][]string{{"-"}, {"No", "-"}, {" "}, {"Yes", "."}}}
	var told []string
	env.Model = model
	env.Chunks = func(_ context.Context, e run.Event) {
		told = append(told, strings.TrimSpace(fmt.Sprintf("%T %s %+v", e.What, e.Step, e.What)))
	}
	createRun(t, env, run.Limits{})
	f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		a, err := fx.Model(ask("answer", "1"))
		return a.Read, err
	}
	for range 2 {
		if result := execute(t, env, f, run.Interrupted); !result.Error.Retryable() {
			t.Errorf("it is %+v", result)
		}
	}
	var kinds []string
	for _, e := range entries(t, env.Journal) {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []string{"begin", "claim", "stop", "claim", "stop"}) {
		t.Errorf("there are %q", kinds)
	}
	if result := execute(t, env, f, run.Completed); string(result.Answer) != `"read Yes."` || result.Usage.ModelCalls != 2 {
		t.Errorf("it is %+v", result)
	}
	want := []string{
		"run.Chunk 1 {For:answer Text:No Reasoning:}", "run.StreamRestarted 1 {For:answer}",
		"run.Chunk 1 {For:answer Text:  Reasoning:}", "run.StreamRestarted 1 {For:answer}",
		"run.Chunk 1 {For:answer Text:Yes Reasoning:}", "run.Chunk 1 {For:answer Text:. Reasoning:}",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if _, err := env.Replay(t.Context(), "r", f, nil); err != nil || len(told) != len(want) || model.asked != 4 {
		t.Error("at replay it is asked or told again", err)
	}
}

// TestContextFull checks that a caller that can shorten its request is told that the model's context
// is full, also in a replay. For other callers the run is interrupted.
func TestContextFull(t *testing.T) {
	for _, shrinks := range []bool{true, false} {
		var w world
		env := w.env(new(journal.Map))
		w.ask = map[string]func(int) (llm.Response, error){"long": func(int) (llm.Response, error) {
			return llm.Response{}, &llm.Error{Kind: llm.ContextFull}
		}}
		createRun(t, env, run.Limits{})
		f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			long := ask("long", "1")
			long.Shrinks = shrinks
			if _, err := fx.Model(long); tool.Code(err) != llm.ContextFull {
				return nil, err
			}
			a, err := fx.Model(ask("short", "1"))
			return a.Read, err
		}
		status := map[bool]string{true: run.Completed, false: run.Interrupted}[shrinks]
		want := execute(t, env, f, status)
		if !shrinks && (want.Error.Kind != llm.ContextFull || want.Error.Retry) {
			t.Errorf("it is %+v", want)
		}
		if got, err := env.Replay(t.Context(), "r", f, nil); err != nil || shrinks && cmp.Diff(want, got) != "" {
			t.Errorf("replayed it is %+v, %v", got, err)
		}
		if n := len(w.asked); shrinks && n != 2 || !shrinks && n != 1 {
			t.Errorf("it asked %q", w.asked)
		}
	}
}

// TestThoughts checks that reasoning in the text is part of neither the answer nor its parsed form,
// and that notes about results are kept.
func TestThoughts(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	w.ask = map[string]func(int) (llm.Response, error){"answer": func(int) (llm.Response, error) {
		return llm.Response{Text: "<think>Her password is hunter2.</think>\nTwo orders."}, nil
	}}
	env.Tools = caller(func(_ context.Context, r tool.Request) *tool.Call {
		return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage("1"), Note: "cut"}
	})
	createRun(t, env, run.Limits{})
	result := execute(t, env, func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
		a, err := fx.Model(ask("answer", "1"))
		if err != nil {
			return nil, err
		}
		calls, err := fx.Call(request("1", "pay", "{}"))
		if err == nil && calls[0].Note != "cut" {
			t.Errorf("the note is %q", calls[0].Note)
		}
		if a.Response.Reasoning != "Her password is hunter2." {
			t.Errorf("it thought %q", a.Response.Reasoning)
		}
		return json.RawMessage(fmt.Sprintf("[%q,%s]", a.Response.Text, a.Read)), err
	}, run.Completed)
	if want := `["Two orders.","read Two orders."]`; string(result.Answer) != want {
		t.Errorf("it is %s, want %s", result.Answer, want)
	}
}
