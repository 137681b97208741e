package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// dynamic returns a tool without arguments.
func dynamic(t *testing.T, name string, f func(ctx context.Context) (string, error)) tool.Tool {
	t.Helper()
	d := tool.Definition{Name: name, Description: "Does " + name + ".", Input: json.RawMessage(`{"type":"object","additionalProperties":false}`), Output: json.RawMessage(`{"type":"string"}`)}
	made, err := schema.Dynamic(d, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		text, err := f(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(text)
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestRegistry has the tools of a registry go wrong in a run: one panics, one is
// gone when its turn comes, one came too late to be in the plan.
func TestRegistry(t *testing.T) {
	registry := tool.NewRegistry()
	fine := func(context.Context) (string, error) { return "fine", nil }
	err := registry.Register(
		dynamic(t, "panics", func(context.Context) (string, error) { panic("out of order") }),
		dynamic(t, "fails", func(context.Context) (string, error) { return "", errors.New("out of paper") }),
		dynamic(t, "changes", func(context.Context) (string, error) {
			registry.Unregister("gone")
			return "changed", registry.Register(dynamic(t, "late", fine))
		}),
		dynamic(t, "gone", fine),
	)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld("?", "?", "by thought alone", "told") // nothing repairs the step whose tool came too late
	result, err := orchestrator.New(w, w.store, orchestrator.Tools(registry)).
		Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps("panics", "fails", "changes", "gone", "late", "llm")})
	if err != nil {
		t.Fatal(err)
	}
	if want := "failed 44: failed/tool failed/tool complete/tool failed/tool complete/fallback complete/llm (steps_failed)"; summary(result) != want {
		t.Errorf("got %s, want %s", summary(result), want)
	}
	for i, want := range []string{"panic", "tool_failed", "", "unknown_tool", "", ""} {
		if r := result.State.Results[i]; r.Error == nil != (want == "") || r.Error != nil && r.Error.Kind != want {
			t.Errorf("step %s: %v, want %q", r.StepID, r.Error, want)
		}
	}
	if last := w.asked[len(w.asked)-1].Prompt; !strings.Contains(last, "out of paper") || strings.Contains(last, "out of order") {
		t.Errorf("what a panic says is for nobody to see, what a tool says is: %s", last)
	}
}

// TestTakenArguments: what a tool takes, a run takes, without a question to the model.
func TestTakenArguments(t *testing.T) {
	for _, test := range []struct{ schema, value string }{
		{`{"type":"string","format":"hostname"}`, `"a.b."`},
		{`{"type":"string","format":"email"}`, `"\"a b\"@c.d"`},
		{`{"type":"string","format":"date-time"}`, `"1998-12-31T23:59:60Z"`},
		{`{"type":"string","contentEncoding":"base64"}`, `"a-_"`},
		{`{"$ref":"#a","$defs":{"a":{"$anchor":"a","type":"integer"}}}`, `1`},
		{`{"properties":{"a":true},"unevaluatedProperties":false}`, `{"a":1}`},
	} {
		registry := tool.NewRegistry()
		d := tool.Definition{Name: "keep", Description: "Keeps it.", Input: json.RawMessage(`{"type":"object","properties":{"v":` + test.schema + `}}`)}
		keep, err := schema.Dynamic(d, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) { return arguments, nil })
		if err != nil {
			t.Fatal(err)
		}
		if err := registry.Register(keep); err != nil {
			t.Fatal(err)
		}
		arguments := `{"v":` + test.value + `}`
		if call := registry.Call(t.Context(), tool.Request{Name: "keep", Arguments: json.RawMessage(arguments)}); call.Err != nil {
			t.Fatal(call.Err)
		}
		w := newWorld()
		result, err := orchestrator.New(w, w.store, orchestrator.Tools(registry)).Execute(t.Context(), orchestrator.Input{ID: "r", Plan: steps("keep " + arguments)})
		if err != nil || result.Status != orchestrator.Completed || len(w.asked) > 0 {
			t.Errorf("%s: %s: %s with %d questions, %v", test.schema, test.value, summary(result), len(w.asked), err)
		}
	}
}

// TestScope offers a model what can be called with the values of the context.
func TestScope(t *testing.T) {
	registry := tool.NewRegistry()
	d := tool.Definition{Name: "count", Description: "Counts.", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
	registry.Replace(tool.NewDo(&d, wire.NoArguments, nil).Tool)
	o := orchestrator.New(newWorld(), &memory.Map{}, orchestrator.Tools(registry))
	for scope, want := range map[*tool.Scope]bool{nil: false, tool.NewScope(tool.ReferToValues()): true} {
		ctx := t.Context()
		if scope != nil {
			ctx = tool.WithScope(ctx, scope)
		}
		run, err := o.Start(ctx, orchestrator.Input{ID: "r", Request: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if input := string(run.State().Tools[0].Input); strings.Contains(input, "<<var:") != want {
			t.Errorf("with a scope: %t; %s", want, input)
		}
	}
}
