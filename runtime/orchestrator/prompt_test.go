package orchestrator_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestPrompt checks that the prompts of a replay are those that the model received, also in an
// agent that carries out a call.
func TestPrompt(t *testing.T) {
	store := new(memory.Map)
	if err := store.Write(t.Context(), "facts/name", "Ada"); err != nil {
		t.Fatal(err)
	}
	options := []orchestrator.Option{
		orchestrator.Conversation{}, orchestrator.Recall(store, "facts/"),
		orchestrator.BaseRequest(llm.Request{System: "Be brief.", MaxTokens: 50}),
	}
	for name, in := range map[string]orchestrator.Input{
		"conversation": {Request: "Find it.", Kind: "conversation"},
		"plan":         {Request: "Find it.", Kind: "plan"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.answers = []llm.Response{{Text: "", Finish: llm.FinishLength}, calls(`find {"n":1}`), calls(`helper {"request":"Find more."}`), calls(`find {"n":2}`), {Text: "found"}}
			if name == "plan" {
				w.answers = []llm.Response{{Text: `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"find","arguments":{"n":1}},{"step_id":"2","description":"d","tool":"helper","arguments":{"request":"<<step:1>>"}}]}`}}
			}
			agent, err := orchestrator.AsTool(w.orchestrator(t, orchestrator.Conversation{}), tool.Definition{Name: "helper", Description: "Helps."})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Register(agent); err != nil {
				t.Fatal(err)
			}
			o := w.orchestrator(t, options...)
			if _, err := start(t, o, in).Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			events, asked := len(w.events), 0
			for r, err := range run.Records(t.Context(), &w.Map, "r") {
				if err != nil {
					t.Fatal(err)
				}
				if r.Answer == nil {
					continue
				}
				request, err := o.Prompt(t.Context(), "r", r.N)
				if err != nil {
					t.Fatal(err)
				}
				got, want := encode(t, request), encode(t, w.asked[asked])
				if asked++; got != want {
					t.Errorf("entry %d:\ngot  %s\nwant %s", r.N, got, want)
				}
			}
			if asked != len(w.asked) || asked < 3 {
				t.Errorf("%d prompts for %d requests", asked, len(w.asked))
			}
			if len(w.events) != events {
				t.Error("a prompt caused events")
			}
			if _, err := o.Prompt(t.Context(), "r", 0); tool.Code(err) != "invalid_input" {
				t.Errorf("the first entry: %v", err)
			}
		})
	}
}
