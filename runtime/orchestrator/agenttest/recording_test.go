package agenttest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/replay"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/agenttest"
)

// TestRecording records a run and repeats it with other prompts.
func TestRecording(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "hello.json")
	f := &failingTest{T: t}
	hello := func(system string, update bool, live func() llm.Model, options ...replay.Option) string {
		return f.try(func() {
			model := agenttest.Recording(f, file, update, live, options...)
			agent, err := orchestrator.New(model, shop(t), orchestrator.BaseRequest(llm.Request{System: system}))
			if err != nil {
				t.Fatal(err)
			}
			r := agenttest.Run(f, agent, orchestrator.Input{ID: "1", Request: "Greet Ada."})
			r.Answered("Hello, Ada!")
		})
	}
	live := func() llm.Model {
		return scripted.New(scripted.Text(`{"goal": "Greet Ada", "steps": [{"step_id": "1", "description": "Think of a greeting", "agent": "llm"}]}`), scripted.Text("Hello, Ada!"))
	}
	fails := func() llm.Model { return scripted.New(scripted.Fail(errors.New("no key"))) }
	if got := hello("Be brief.", false, live); !strings.HasPrefix(got, "agenttest: open ") || !strings.HasSuffix(got, "; record the answers first") {
		t.Error(got)
	}
	if got := hello("Be brief.", true, live); got != "" {
		t.Error(got)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := hello("Be kind.", false, nil); got != "" {
		t.Error(got)
	}
	if got := hello("Be kind.", false, nil, replay.Exact()); !strings.Contains(got, "differs in system:") {
		t.Error(got)
	}
	if got := hello("Be brief.", true, fails); !strings.Contains(got, "log: agenttest: "+file+" stays as it was, because a request to the model failed") {
		t.Error(got)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the recording was replaced: %v", err)
	}
	if got := f.try(func() { agenttest.Recording(f, file, false, nil) }); got != "agenttest: "+file+" has 2 answers that were not used; record the answers again if this change is intended" {
		t.Error(got)
	}
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := hello("Be brief.", false, nil); !strings.HasPrefix(got, "agenttest: "+file+": model: bad recording: line 1: ") {
		t.Error(got)
	}
}

// TestRecordingStreams checks that a recorded model streams, and keeps its name.
func TestRecordingStreams(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stream.json")
	f := &failingTest{T: t}
	if got := f.try(func() {
		model := agenttest.Recording(f, file, true, func() llm.Model { return scripted.New(scripted.Text("one two"), scripted.Fail(errors.New("down"))) })
		chunks := 0
		for _, err := range llm.Stream(t.Context(), model, llm.Request{Prompt: "?"}) {
			if err != nil {
				t.Error(err)
			}
			chunks++
		}
		for _, err := range llm.Stream(t.Context(), model, llm.Request{Prompt: "!"}) {
			if err == nil {
				t.Error("there is no error")
			}
		}
		if chunks != 3 || llm.Name(model) != "scripted" {
			t.Errorf("%d chunks of %q", chunks, llm.Name(model))
		}
	}); got != "" {
		t.Error(got)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"one two"`) || !strings.Contains(string(text), `"error"`) {
		t.Errorf("%s, %v", text, err)
	}
}
