package telemetry_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// scenes are what a program may do. Together they have every span and every metric.
var scenes = []struct {
	name string
	play func(w *world, ctx context.Context)
}{
	{"a plan of the model", playPlan},
	{"a conversation in the trace of a request", playConversation},
	{"a conversation that is compacted, and goes on in another process", playCompaction},
	{"a call that waits for a person, and goes on in another process", playWait},
	{"an agent that carries out a call", playAgent},
	{"calls of tools that fail", playFailures},
	{"a run that is canceled", playCancel},
	{"a model that fails, and one that panics", playModels},
	{"streams outside of runs", playStreams},
}

// TestEventsOfEngine checks that the events of an engine and an input with a trace yield the same spans as
// the option for an agent.
func TestEventsOfEngine(t *testing.T) {
	want := newWorld(t)
	playPlan(want, t.Context())
	got := newWorld(t)
	events := orchestrator.Events(got.Events("desk"))
	o, err := orchestrator.New(got.Model("openai", planModel()), got.tools, events)
	if err != nil {
		t.Fatal(err)
	}
	meta := map[string]string{"tenant": "7"}
	in := got.TraceInput(t.Context(), "desk", orchestrator.Input{ID: "r", Request: "Greet user 7", Meta: meta})
	if len(meta) != 1 || in.Meta["tenant"] != "7" {
		t.Errorf("the input has %v, and its argument %v", in.Meta, meta)
	}
	got.execute(t.Context(), o, in)
	if got, want := got.traceText(), want.traceText(); got != want {
		t.Errorf("recorded\n%s\nwant\n%s", got, want)
	}
	got.TraceInput(t.Context(), "later", orchestrator.Input{})
	if s := got.findSpan("start_run later"); attributeOf(s, "aiongen.run.id") != "" || len(s.Attributes) != 1 {
		t.Errorf("the start of a run without an ID has %v", s.Attributes)
	}
	if off := newRecorder(t); off.Events("desk") != nil || off.TraceInput(t.Context(), "desk", orchestrator.Input{}).Meta != nil {
		t.Error("a recorder without providers records events")
	}
}

// TestScenes documents all spans and metrics in testdata/spans.txt and testdata/metrics.txt.
func TestScenes(t *testing.T) {
	var spans, metrics strings.Builder
	for _, scene := range scenes {
		w := newWorld(t, telemetry.Legacy())
		scene.play(w, t.Context())
		spans.WriteString("# " + scene.name + "\n\n" + w.traceText() + "\n")
		metrics.WriteString("# " + scene.name + "\n\n" + w.metricText() + "\n")
	}
	checkGolden(t, "spans.txt", spans.String())
	checkGolden(t, "metrics.txt", metrics.String())
}

func playPlan(w *world, ctx context.Context) {
	w.execute(ctx, w.newAgent(planModel()), orchestrator.Input{Request: "Greet user 7"})
}

// planModel returns a model that makes a plan of two steps, and writes the text of the second.
func planModel() llm.Model {
	return scripted.New(
		scripted.Respond(llm.Response{
			Text:  `{"goal":"Greet","steps":[{"step_id":"who","description":"Look up","tool":"lookup","arguments":{"q":"7"}},{"step_id":"greet","description":"Greet $who","agent":"llm","depends_on":["who"]}]}`,
			Usage: llm.Usage{Input: 100, Output: 20, Cached: 60, Reasoning: 5}, Model: "scripted-2026",
		}),
		scripted.Respond(llm.Response{Text: "Hello, Ada!", Usage: llm.Usage{Input: 30, Output: 4}}),
	)
}

func playConversation(w *world, ctx context.Context) {
	ctx, request := w.traces.Tracer("test").Start(ctx, "GET /greeting")
	defer request.End()
	model := scripted.New(scripted.Call("lookup", `{"q":"7"}`), scripted.Text("Hello, Ada!"))
	w.execute(ctx, w.newAgent(model, orchestrator.Conversation{}), orchestrator.Input{Request: "Greet user 7"})
}

func playCompaction(w *world, ctx context.Context) {
	var j journal.Map
	kind := orchestrator.Conversation{Window: 100, Compact: func(all []llm.Message) []llm.Message { return all[:1] }}
	long := scripted.Respond(llm.Response{Calls: []tool.Request{{Name: "lookup"}}, Usage: llm.Usage{Input: 99, Output: 1}})
	r := w.execute(ctx, w.newAgent(scripted.New(long, scripted.Text("It is Ada.")), kind, orchestrator.Journal(&j)), orchestrator.Input{Request: "Who is it?"})
	if err := r.Send(ctx, run.Say(llm.Message{Role: llm.RoleUser, Text: "Thank you."})); err != nil {
		w.Fatal(err)
	}
	other := *w
	other.Recorder = newRecorder(w.T, telemetry.Traces(w.traces)) // that of another process
	other.tools = newTools(w.T, other.Recorder)
	same, err := other.newAgent(scripted.New(scripted.Text("You are welcome.")), kind, orchestrator.Journal(&j)).Open(ctx, r.ID())
	if err != nil {
		w.Fatal(err)
	}
	other.resume(ctx, same)
}

func playWait(w *world, ctx context.Context) {
	var j journal.Map
	steps := &plan.Plan{Goal: "Pay", Steps: []plan.Step{{ID: "pay", Description: "Pay", Tool: "pay", Arguments: json.RawMessage(`{}`)}}}
	first, request := w.traces.Tracer("test").Start(ctx, "POST /payment")
	r := w.execute(first, w.newAgent(scripted.New(), orchestrator.Journal(&j)), orchestrator.Input{Plan: steps})
	request.End()
	second, request := w.traces.Tracer("test").Start(ctx, "POST /approval")
	defer request.End()
	if err := r.Send(second, run.Approve(r.State().Calls[0].Call, "eve", nil)); err != nil {
		w.Fatal(err)
	}
	other := *w
	other.Recorder = newRecorder(w.T, telemetry.Traces(w.traces)) // that of another process
	other.tools = newTools(w.T, other.Recorder)
	same, err := other.newAgent(scripted.New(), orchestrator.Journal(&j)).Open(second, r.ID())
	if err != nil {
		w.Fatal(err)
	}
	other.resume(second, same)
}

func playAgent(w *world, ctx context.Context) {
	helper := w.newAgent(scripted.New(scripted.Call("lookup", `{}`), scripted.Text("Ada")), orchestrator.Conversation{})
	made, err := orchestrator.AsTool(helper, tool.Definition{Name: "ask_helper", Description: "Asks the helper."})
	if err == nil {
		err = w.tools.Register(made)
	}
	if err != nil {
		w.Fatal(err)
	}
	model := scripted.New(scripted.Call("ask_helper", `{"request":"Who is it?"}`), scripted.Text("It is Ada."))
	w.execute(ctx, w.newAgent(model, orchestrator.Conversation{}), orchestrator.Input{Request: "Who is it?"})
}

func playFailures(w *world, ctx context.Context) {
	for _, name := range []string{"fail", "panic", "vanish", "pay", "unknown"} {
		w.tools.Call(ctx, tool.Request{ID: "call-" + name, Name: name})
	}
	w.tools.Call(ctx, tool.Request{Name: "lookup", Arguments: json.RawMessage(`{"q":7}`)})
	done, cancel := context.WithCancel(ctx)
	cancel()
	w.tools.Call(done, tool.Request{Name: "lookup"})
}

func playCancel(w *world, ctx context.Context) {
	var r *orchestrator.Run
	o := w.newAgent(scripted.NewFunc(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		if err := r.Send(ctx, run.Cancel("no longer needed")); err != nil {
			w.Error(err)
		}
		return llm.Response{Calls: []tool.Request{{Name: "lookup"}}}, nil
	}), orchestrator.Conversation{})
	r, err := o.Start(ctx, orchestrator.Input{ID: "r", Request: "Hello"})
	if err != nil {
		w.Fatal(err)
	}
	w.resume(ctx, r)
}

func playModels(w *world, ctx context.Context) {
	down := &llm.Error{Kind: llm.ServerError, Status: 503, Err: errors.New("down: 445550100")}
	w.execute(ctx, w.newAgent(scripted.New(scripted.Fail(down))), orchestrator.Input{Request: "Greet user 7"})
	func() {
		defer func() {
			if recover() == nil {
				w.Error("the panic of the model did not reach the caller")
			}
		}()
		w.execute(ctx, w.newAgent(scripted.NewFunc(func(context.Context, llm.Request) (llm.Response, error) { panic("boom") })), orchestrator.Input{ID: "p", Request: "Greet user 7"})
	}()
}

func playStreams(w *world, ctx context.Context) {
	temperature, seed := 0.5, 7
	request := llm.Request{
		Prompt: "Hello", MaxTokens: 50, Temperature: &temperature, TopP: &temperature, Seed: &seed, Effort: "low",
		Stop: []string{"END"}, Schema: json.RawMessage(`{"type":"string"}`),
	}
	model := w.Model("anthropic", scripted.New(
		scripted.Respond(llm.Response{Text: "one two three", Usage: llm.Usage{Input: 3, Output: 3}, Finish: llm.FinishLength}),
		scripted.Text("left after the first chunk"),
	))
	for _, err := range llm.Stream(ctx, model, request) {
		if err != nil {
			w.Error(err)
		}
	}
	for range llm.Stream(ctx, model, llm.Request{Prompt: "Hello"}) {
		break
	}
}
