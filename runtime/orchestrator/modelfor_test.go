package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// purposeModel is a scripted model with a name.
type purposeModel struct {
	*scripted.Model
	name string
}

func (m purposeModel) Name() string { return m.name }

// respondAs returns an answer by the model with the given name.
func respondAs(name, text string) scripted.Answer {
	return scripted.Respond(llm.Response{Text: text, Model: name + "-2026", Usage: llm.Usage{Input: 1, Output: 1}})
}

const findPlan = `{"goal":"find it","steps":[{"step_id":"1","description":"find","tool":"find","arguments":{"n":1}}]}`

// TestModelFor checks that each purpose has its own model, that events and the journal name it, and
// that another process with other models does not ask again.
func TestModelFor(t *testing.T) {
	w := newWorld(t)
	var asked []string
	sink := orchestrator.Events(func(_ context.Context, e run.Event) {
		if end, ok := e.What.(run.ModelEnd); ok {
			asked = append(asked, end.For+": "+end.Model+", "+end.Answer.Response.Model)
		}
	})
	broken := errors.New("the power is off")
	large := scripted.New(respondAs("large", strings.Replace(findPlan, `"tool":"find"`, `"tool":"crm_search"`, 1)), scripted.Fail(&llm.Error{Kind: llm.Unauthorized, Err: broken}))
	small := scripted.New(respondAs("small", `{"tool":"find"}`))
	options := []orchestrator.Option{orchestrator.Journal(&w.Map), sink}
	first, err := orchestrator.New(purposeModel{scripted.New(), "other"}, w.Registry, append(options,
		orchestrator.ModelFor(run.PurposePlan, purposeModel{large, "large"}), orchestrator.ModelFor(run.PurposeRepair, purposeModel{small, "small"}),
		orchestrator.ModelFor(run.PurposeAnswer, purposeModel{large, "large"}))...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := first.Start(t.Context(), orchestrator.Input{ID: "r", Request: "Find it."})
	if err != nil {
		t.Fatal(err)
	}
	if result, err := r.Execute(t.Context()); err != nil || result.Status != run.Interrupted {
		t.Fatalf("%+v, %v", result, err)
	}

	second := scripted.New(respondAs("second", "Found."))
	again, err := orchestrator.New(purposeModel{second, "second"}, w.Registry, options...)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = again.Open(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if result, err := r.Execute(t.Context()); err != nil || result.Status != run.Completed || string(result.Answer) != `"Found."` {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, m := range []*scripted.Model{large, small, second} {
		if err := m.Err(); err != nil {
			t.Error(err)
		}
	}
	want := "plan: large, large-2026|repair: small, small-2026|answer: large, |answer: second, second-2026"
	if got := strings.Join(asked, "|"); got != want {
		t.Errorf("asked %s\nwant  %s", got, want)
	}
	if got := strings.Join(answeringModels(t, &w.Map), " "); got != "large-2026 small-2026 second-2026" {
		t.Errorf("the journal names the models %s", got)
	}
}

// answeringModels returns the names of the models in the journal.
func answeringModels(t *testing.T, j journal.Journal) (names []string) {
	t.Helper()
	for entry, err := range j.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(entry.Data), `"model":"`)
		if found {
			name, _, _ := strings.Cut(rest, `"`)
			names = append(names, name)
		}
	}
	return names
}

// TestModelForTurn checks that the turns of a conversation have their own model.
func TestModelForTurn(t *testing.T) {
	w := newWorld(t)
	turn := scripted.New(scripted.Call("find", `{"n":1}`), scripted.Text("Found."))
	other := scripted.New()
	o, err := orchestrator.New(other, w.Registry, orchestrator.Conversation{}, orchestrator.ModelFor(run.PurposeTurn, turn))
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Request: "Find it."})
	if err != nil {
		t.Fatal(err)
	}
	if result, err := r.Execute(t.Context()); err != nil || string(result.Answer) != `"Found."` || len(other.Requests()) > 0 || turn.Err() != nil {
		t.Errorf("%+v, %v, %v", result, err, turn.Err())
	}
}

// TestFallbackInRun checks that the journal says which model has answered, and that each model gets
// its own data back after a change of process.
func TestFallbackInRun(t *testing.T) {
	w := newWorld(t)
	answer := func(name string, r llm.Response) scripted.Answer {
		r.Model, r.Provider = name+"-2026", json.RawMessage(`"`+name+`"`)
		return scripted.Respond(r)
	}
	down := scripted.Fail(&llm.Error{Kind: llm.RateLimited, Status: 429})
	a := scripted.New(answer("a", llm.Response{Text: "Hello."}), down)
	b := scripted.New(answer("b", llm.Response{Text: "Yes."}))
	var asks []func() *orchestrator.Orchestrator
	for range 2 {
		asks = append(asks, func() *orchestrator.Orchestrator {
			o, err := orchestrator.New(llm.Fallback(purposeModel{a, "a"}, purposeModel{b, "b"}), w.Registry, orchestrator.Conversation{}, orchestrator.Journal(&w.Map))
			if err != nil {
				t.Fatal(err)
			}
			return o
		})
	}
	r, err := asks[0]().Start(t.Context(), orchestrator.Input{ID: "r", Request: "Hi."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, err = asks[1]().Open(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if err := r.Send(t.Context(), run.Say(llm.Message{Role: llm.RoleUser, Text: "Really?"})); err != nil {
		t.Fatal(err)
	}
	if result, err := r.Execute(t.Context()); err != nil || string(result.Answer) != `"Yes."` {
		t.Fatalf("%+v, %v", result, err)
	}
	if got := strings.Join(answeringModels(t, &w.Map), " "); got != "a-2026 b-2026" {
		t.Errorf("the journal names the models %s", got)
	}
	var data []string
	for _, req := range append(a.Requests()[1:], b.Requests()...) {
		data = append(data, string(req.Messages[1].Provider))
	}
	if got := fmt.Sprintf("%q", data); got != `["\"a\"" ""]` {
		t.Errorf("the models get the data %s", got)
	}
}

// TestModelForWrong checks options that New rejects.
func TestModelForWrong(t *testing.T) {
	w := newWorld(t)
	for _, option := range []orchestrator.Option{orchestrator.ModelFor("plans", w), orchestrator.ModelFor("", w), orchestrator.ModelFor(run.PurposePlan, nil)} {
		if _, err := orchestrator.New(w, w.Registry, option); err == nil || !strings.Contains(err.Error(), "one of the purposes question, plan, replan,") {
			t.Error(err)
		}
	}
	if m := orchestrator.ModelOf(run.PurposePlan, w, orchestrator.ModelFor(run.PurposePlan, scripted.New())); llm.Name(m) != "scripted" {
		t.Errorf("%v", m)
	}
	if m := orchestrator.ModelOf(run.PurposeTurn, w, orchestrator.ModelFor(run.PurposePlan, scripted.New())); m != llm.Model(w) {
		t.Errorf("%v", m)
	}
}
