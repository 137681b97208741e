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

	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestWaitAnswer: a run that waits for a message tells its answer, or why there is none.
func TestWaitAnswer(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	begin(t, env, record.Limits{})
	talk := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		f := run.For{Answer: json.RawMessage(`"hello"`)}
		for {
			m, err := fx.Wait(f)
			if err != nil {
				return nil, err
			}
			f = run.For{Error: &record.Error{Kind: "no", Text: "I do not know " + m.Text}}
		}
	}
	result := execute(t, env, talk, record.Waiting)
	if result.WaitsFor != record.ForMessage || string(result.Answer) != `"hello"` || result.Error != nil {
		t.Errorf("it is %+v", result)
	}
	send(t, env.Journal, record.Say(llm.Message{Text: "that"}))
	result = execute(t, env, talk, record.Waiting)
	if result.Answer != nil || result.Error == nil || result.Error.Text != "I do not know that" {
		t.Errorf("it is %+v", result)
	}
	again, err := env.Replay(t.Context(), "r", talk, nil)
	if diff := cmp.Diff(result, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestPoll: what is said while a tool is called is seen before the model is asked next,
// and there again at replay.
func TestPoll(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	begin(t, env, record.Limits{})
	w.do = map[string]func(context.Context, tool.Request) (string, error){"pay": func(context.Context, tool.Request) (string, error) {
		return "1", note.Send(t.Context(), env.Journal, "r", time.Now(), record.Say(llm.Message{Text: "wait"}), nil)
	}}
	var heard []string
	f := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		heard = nil
		for _, effect := range []func() error{
			func() error { _, err := fx.Call(request("1", "pay", "{}")); return err },
			func() error { _, err := fx.Model(ask("answer", "1")); return err },
			func() error { _, err := fx.Call(request("1", "pay", "{}")); return err },
		} {
			for {
				m, err := fx.Wait(run.For{Poll: true})
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
	execute(t, env, f, record.Completed)
	want := []string{"effect", "wait", "effect", "effect"}
	if !slices.Equal(heard, want) {
		t.Errorf("it heard %q", heard)
	}
	if _, err := env.Replay(t.Context(), "r", f, nil); err != nil || !slices.Equal(heard, want) {
		t.Errorf("replayed it heard %q, %v", heard, err)
	}
}

// pieces is a model that answers in pieces, of which "-" breaks the stream.
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

// TestChunks: pieces of an answer are told while it is made, and taken back if they
// come to nothing; none of it is in the journal, or told again.
func TestChunks(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	model := &pieces{answers: [][]string{{"-"}, {"No", "-"}, {" "}, {"Yes", "."}}}
	var told []string
	env.Model = model
	env.Chunks = func(_ context.Context, e record.Event) {
		told = append(told, strings.TrimSpace(fmt.Sprintf("%T %s %+v", e.What, e.Step, e.What)))
	}
	begin(t, env, record.Limits{})
	f := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
		a, err := fx.Model(ask("answer", "1"))
		return a.Read, err
	}
	for range 2 {
		if result := execute(t, env, f, record.Interrupted); !result.Error.Retryable() {
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
	if result := execute(t, env, f, record.Completed); string(result.Answer) != `"read Yes."` || result.Usage.ModelCalls != 2 {
		t.Errorf("it is %+v", result)
	}
	want := []string{
		"record.Chunk 1 {For:answer Text:No Reasoning:}", "record.Again 1 {For:answer}",
		"record.Chunk 1 {For:answer Text:  Reasoning:}", "record.Again 1 {For:answer}",
		"record.Chunk 1 {For:answer Text:Yes Reasoning:}", "record.Chunk 1 {For:answer Text:. Reasoning:}",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if _, err := env.Replay(t.Context(), "r", f, nil); err != nil || len(told) != len(want) || model.asked != 4 {
		t.Error("at replay it is asked or told again", err)
	}
}

// TestContextFull: who can ask for less is told that the model cannot read so much, and
// told again at replay; for others that interrupts.
func TestContextFull(t *testing.T) {
	for _, shrinks := range []bool{true, false} {
		var w world
		env := w.env(new(journal.Map))
		w.ask = map[string]func(int) (llm.Response, error){"long": func(int) (llm.Response, error) {
			return llm.Response{}, &llm.Error{Kind: llm.ContextFull}
		}}
		begin(t, env, record.Limits{})
		f := func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
			long := ask("long", "1")
			long.Shrinks = shrinks
			if _, err := fx.Model(long); tool.Code(err) != llm.ContextFull {
				return nil, err
			}
			a, err := fx.Model(ask("short", "1"))
			return a.Read, err
		}
		status := map[bool]string{true: record.Completed, false: record.Interrupted}[shrinks]
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

// TestThoughts: what a model thinks in its text is neither in its answer nor in what is
// made of it, and what a tool tells beside its result is kept.
func TestThoughts(t *testing.T) {
	var w world
	env := w.env(new(journal.Map))
	w.ask = map[string]func(int) (llm.Response, error){"answer": func(int) (llm.Response, error) {
		return llm.Response{Text: "<think>Her password is hunter2.</think>\nTwo orders."}, nil
	}}
	env.Tools = caller(func(_ context.Context, r tool.Request) *tool.Call {
		return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage("1"), Note: "cut"}
	})
	begin(t, env, record.Limits{})
	result := execute(t, env, func(fx run.Effects, _ record.Input) (json.RawMessage, error) {
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
	}, record.Completed)
	if want := `["Two orders.","read Two orders."]`; string(result.Answer) != want {
		t.Errorf("it is %s, want %s", result.Answer, want)
	}
}
