package telemetry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// findSpan returns the only span with a name.
func (w *world) findSpan(name string) tracetest.SpanStub {
	w.Helper()
	var found []tracetest.SpanStub
	for _, s := range w.spans.GetSpans() {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		w.Fatalf("there are %d spans %q in\n%s", len(found), name, w.traceText())
	}
	return found[0]
}

// attributeOf returns an attribute of a span as text.
func attributeOf(s tracetest.SpanStub, key attribute.Key) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.Emit()
		}
	}
	return ""
}

// TestKilledWorker checks that a run whose worker was killed during a step goes on in its trace, and
// that the step does, too.
func TestKilledWorker(t *testing.T) {
	w := newWorld(t)
	var j journal.Map
	steps := &plan.Plan{Goal: "Look up", Steps: []plan.Step{{ID: "who", Description: "Look up", Tool: "lookup", Arguments: json.RawMessage(`{}`)}, {ID: "sum", Description: "Sum up", Agent: "llm"}}}
	killed := scripted.NewFunc(func(context.Context, llm.Request) (llm.Response, error) { panic("killed") })
	r, err := w.newAgent(killed, orchestrator.Journal(&j)).Start(t.Context(), orchestrator.Input{ID: "r", Plan: steps})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = r.Execute(t.Context())
	}()
	other := *w
	other.Recorder = newRecorder(t, telemetry.Traces(w.traces))
	other.tools = newTools(t, other.Recorder)
	same, err := other.newAgent(scripted.New(scripted.Text("It is Ada.")), orchestrator.Journal(&j)).Open(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	if result := other.resume(t.Context(), same); result.Status != run.Completed {
		t.Errorf("the run is %s", result.Status)
	}
	checkGolden(t, "killed.txt", w.traceText())
}

// TestSupersededRun checks that the spans of an execution that ended without an event, because a
// journal panicked for example, end when the run is claimed again.
func TestSupersededRun(t *testing.T) {
	w := newWorld(t)
	panics := true
	sink := orchestrator.Events(func(_ context.Context, e run.Event) {
		if _, ok := e.What.(run.CallStart); ok && panics {
			panic("the sink")
		}
	})
	o := w.newAgent(scripted.New(scripted.Call("lookup", `{}`), scripted.Text("ok")), sink, orchestrator.Conversation{})
	r, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = r.Execute(t.Context())
	}()
	if n := len(w.spans.GetSpans()); n != 2 {
		t.Fatalf("%d spans ended before", n)
	}
	panics = false
	w.resume(t.Context(), r)
	if text := w.traceText(); strings.Count(text, "invoke_agent desk") != 2 || !strings.Contains(text, "Error superseded") {
		t.Error(text)
	}
}

// TestContent checks the form of content, and that all of it passes the redactor.
func TestContent(t *testing.T) {
	const secret = "445550100"
	hide := redact.New(func(_, _ string, value json.RawMessage) json.RawMessage {
		if strings.Contains(string(value), secret) {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})
	for name, test := range map[string]struct {
		redactor *redact.Redactor
		shows    bool
	}{"redacted": {hide, false}, "as it is": {nil, true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, telemetry.Content(test.redactor))
			model := scripted.New(
				scripted.Respond(llm.Response{Reasoning: "Their number is " + secret, Calls: []tool.Request{{Name: "lookup", Arguments: json.RawMessage(`{"q":"` + secret + `"}`)}}}),
				scripted.Call("fail", `{}`),
				scripted.Text("Call "+secret),
			)
			o := w.newAgent(model, orchestrator.Conversation{}, orchestrator.BaseRequest(llm.Request{System: "Be brief."}))
			w.execute(t.Context(), o, orchestrator.Input{Messages: []llm.Message{{Role: llm.RoleUser, Text: "See", Parts: []content.Part{content.Image("image/png", []byte(secret))}}}, Request: "Find " + secret})
			text := w.traceText()
			if got := strings.Contains(text, secret); got != test.shows {
				t.Errorf("the secret is shown: %t\n%s", got, text)
			}
			checkGolden(t, "content_"+strings.ReplaceAll(name, " ", "_")+".txt", text)
		})
	}
}

// TestNoContent checks that content is recorded only on request.
func TestNoContent(t *testing.T) {
	w := newWorld(t)
	playFailures(w, t.Context())
	playModels(w, t.Context())
	if text := w.traceText(); strings.Contains(text, "445550100") || strings.Contains(text, "messages") || strings.Contains(text, "arguments = ") {
		t.Error(text)
	}
}

// TestLongContent checks the limits of content: of the messages, the last ones are kept.
func TestLongContent(t *testing.T) {
	w := newWorld(t, telemetry.Content(nil))
	var messages []llm.Message
	for i := range 20 {
		messages = append(messages, llm.Message{Role: llm.RoleUser, Text: fmt.Sprintf("message %d %s", i, strings.Repeat("x", 20<<10))})
	}
	model := w.Model("openai", scripted.New(scripted.Text("ok")))
	if _, err := model.Generate(t.Context(), llm.Request{Messages: messages}); err != nil {
		t.Fatal(err)
	}
	s := w.findSpan("chat scripted")
	text := attributeOf(s, "gen_ai.input.messages")
	if len(text) > 64<<10 || !json.Valid([]byte(text)) || !strings.Contains(text, "message 19") || strings.Contains(text, "message 1 ") || attributeOf(s, "aiongen.content.cut") != "true" {
		t.Errorf("%d bytes, cut %s: %.100s", len(text), attributeOf(s, "aiongen.content.cut"), text)
	}
	w.tools.Call(t.Context(), tool.Request{Name: "lookup", Arguments: json.RawMessage(`{"q":"` + strings.Repeat("y", 100<<10) + `"}`)})
	s = w.findSpan("execute_tool lookup")
	if got := attributeOf(s, "gen_ai.tool.call.arguments"); len(got) > 64<<10 || attributeOf(s, "aiongen.content.cut") != "true" {
		t.Errorf("%d bytes of arguments", len(got))
	}
}

// TestCardinality checks that names from models, servers and functions do not become any number of
// values in metrics.
func TestCardinality(t *testing.T) {
	w := newWorld(t)
	i := 0
	model := w.Model("openai", scripted.NewFunc(func(context.Context, llm.Request) (llm.Response, error) {
		if i++; i%2 == 0 {
			return llm.Response{}, &llm.Error{Kind: fmt.Sprintf("kind %d", i)}
		}
		return llm.Response{Text: "ok", Model: fmt.Sprintf("model %d", i), Usage: llm.Usage{Input: 1, Output: 1}}, nil
	}))
	for n := range 1000 {
		_, _ = model.Generate(t.Context(), llm.Request{Prompt: "x"})
		w.tools.Call(t.Context(), tool.Request{Name: fmt.Sprintf("unknown %d", n)})
		r := observeRequest(fmt.Sprintf("method %d", n), nil)
		_, end := w.ServeMCP(t.Context(), r)
		end(noOutcome)
		r = observeRequest("tools/call", nil)
		r.Tool = fmt.Sprintf("tool %d", n)
		_, end = w.ServeMCP(t.Context(), r)
		end(noOutcome)
	}
	if lines := strings.Count(w.metricText(), "\n"); lines > 2500 {
		t.Errorf("there are %d points", lines)
	}
	names := map[string]bool{}
	for _, s := range w.spans.GetSpans() {
		names[s.Name] = true
	}
	if len(names) > 250 {
		t.Errorf("spans have %d names", len(names))
	}
}

// TestConcurrentRuns checks that spans of concurrent runs and calls belong to their own run.
func TestConcurrentRuns(t *testing.T) {
	w := newWorld(t)
	model := scripted.NewFunc(func(_ context.Context, r llm.Request) (llm.Response, error) {
		if len(r.Messages) > 1 {
			return llm.Response{Text: "done"}, nil
		}
		return llm.Response{Calls: []tool.Request{{Name: "lookup"}, {Name: "lookup"}, {Name: "lookup"}}}, nil
	})
	o := w.newAgent(model, orchestrator.Conversation{})
	var running sync.WaitGroup
	for i := range 20 {
		running.Go(func() { w.execute(t.Context(), o, orchestrator.Input{ID: fmt.Sprint("r", i), Request: "x"}) })
	}
	running.Wait()
	runs := map[string]string{} // of traces
	for _, s := range w.spans.GetSpans() {
		id, trace := attributeOf(s, "aiongen.run.id"), s.SpanContext.TraceID().String()
		if runs[trace] == "" {
			runs[trace] = id
		}
		if runs[trace] != id {
			t.Errorf("a span %s of %s is in the trace of %s", s.Name, id, runs[trace])
		}
	}
	if len(runs) != 20 {
		t.Errorf("there are %d traces", len(runs))
	}
}

// TestDisabled checks that a Recorder without providers observes nothing and puts nothing into runs.
func TestDisabled(t *testing.T) {
	model := scripted.New(scripted.Text("ok"))
	off := newRecorder(t)
	if off.Model("openai", model) != llm.Model(model) {
		t.Error("the model is wrapped")
	}
	for _, observed := range []observe.Func{off.ServeMCP, off.CallMCP} {
		r := observeRequest("tools/list", map[string]string{})
		if ctx, _ := observed(t.Context(), r); ctx != t.Context() || len(r.Meta) > 0 {
			t.Error("a request of MCP is recorded")
		}
	}
	for name, r := range map[string]*telemetry.Recorder{"off": off, "no-op": newRecorder(t, telemetry.Traces(tracenoop.NewTracerProvider()), telemetry.Metrics(metricnoop.NewMeterProvider()))} {
		o, err := orchestrator.New(r.Model("openai", scripted.New(scripted.Call("lookup", `{}`), scripted.Text("ok"))), newTools(t, r), r.Agent("desk"), orchestrator.Conversation{})
		if err != nil {
			t.Fatal(err)
		}
		started, err := o.Start(t.Context(), orchestrator.Input{Request: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if meta := started.Input().Meta; len(meta) > 0 {
			t.Errorf("%s: the input has %v", name, meta)
		}
		if _, err := started.Execute(t.Context()); err != nil {
			t.Error(name, err)
		}
	}
}

// TestPropagator checks that another format of the trace context can be used, and that New refuses nil.
func TestPropagator(t *testing.T) {
	w := newWorld(t, telemetry.Propagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})))
	ctx := propagation.Baggage{}.Extract(t.Context(), propagation.MapCarrier{"baggage": "tenant=7"})
	r, err := w.newAgent(scripted.New()).Start(ctx, orchestrator.Input{Request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if meta := r.Input().Meta; meta["baggage"] != "tenant=7" || meta["traceparent"] == "" {
		t.Errorf("the input has %v", meta)
	}
	if _, err := telemetry.New(telemetry.Propagator(nil)); err == nil {
		t.Error("there is no error for a nil propagator")
	}
}

// TestNestedCall checks that calls and models which a tool's function uses belong to its span.
func TestNestedCall(t *testing.T) {
	w := newWorld(t)
	model := w.Model("openai", scripted.New(scripted.Text("ok")))
	nested, err := dynamic("outer", tool.Annotations{}, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		_, failed := model.Generate(ctx, llm.Request{Prompt: "x"})
		call := w.tools.Call(ctx, tool.Request{Name: "lookup"})
		return call.Output, errors.Join(failed, call.Err)
	})
	if err == nil {
		err = w.tools.Register(nested)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.execute(t.Context(), w.newAgent(scripted.New(scripted.Call("outer", `{}`), scripted.Text("ok")), orchestrator.Conversation{}), orchestrator.Input{Request: "x"})
	outer := w.findSpan("execute_tool outer").SpanContext.SpanID()
	if inner := w.findSpan("execute_tool lookup"); inner.Parent.SpanID() != outer {
		t.Error(w.traceText())
	}
	chats := 0
	for _, s := range w.spans.GetSpans() {
		if s.Name == "chat scripted" && s.Parent.SpanID() == outer {
			chats++
		}
	}
	if chats != 1 {
		t.Error(w.traceText())
	}
}

// TestTraceOfRequest checks that a call which no span surrounds belongs to the trace in its Meta, as
// in an engine that makes calls in other processes.
func TestTraceOfRequest(t *testing.T) {
	w := newWorld(t)
	meta := map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
	w.tools.Call(t.Context(), tool.Request{Name: "lookup", Meta: meta})
	if s := w.findSpan("execute_tool lookup"); s.Parent.SpanID().String() != "b7ad6b7169203331" || !s.Parent.IsRemote() {
		t.Errorf("the parent is %v", s.Parent)
	}
}

// TestErrorTexts checks that texts of errors are recorded only with Content, and redacted.
func TestErrorTexts(t *testing.T) {
	hide := redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/error" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})
	for name, test := range map[string]struct {
		options     []telemetry.Option
		tool, model string
		request     string // of MCP
	}{
		"without content": {nil, "tool_failed", "server_error", "-32602"},
		"redacted":        {[]telemetry.Option{telemetry.Content(hide)}, "redacted", "redacted", "redacted"},
		"as they are":     {[]telemetry.Option{telemetry.Content(nil)}, "fail: the secret is 445550100", "model: server error: down", "no such page"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.options...)
			w.tools.Call(t.Context(), tool.Request{Name: "fail"})
			_, _ = w.Model("openai", scripted.New(scripted.Fail(errors.New("down")))).Generate(t.Context(), llm.Request{Prompt: "x"})
			if got := w.findSpan("execute_tool fail").Status.Description; got != test.tool {
				t.Errorf("the tool: %q", got)
			}
			if got := w.findSpan("chat scripted").Status.Description; got != test.model {
				t.Errorf("the model: %q", got)
			}
			_, end := w.ServeMCP(t.Context(), observeRequest("tools/list", nil))
			end(observe.Outcome{Err: errors.New("no such page"), Code: -32602})
			if got := w.findSpan("tools/list").Status.Description; got != test.request {
				t.Errorf("the request: %q", got)
			}
		})
	}
}

// TestLegacy checks that the old metrics are recorded only on request.
func TestLegacy(t *testing.T) {
	for _, legacy := range []bool{false, true} {
		w := newWorld(t)
		if legacy {
			w = newWorld(t, telemetry.Legacy())
		}
		playStreams(w, t.Context())
		text := w.metricText()
		for _, name := range []string{"gen_ai.client.operation.duration", "gen_ai.client.operation.time_to_first_chunk", "gen_ai.client.operation.time_per_output_chunk", "gen_ai.client.token.usage"} {
			if got := strings.Contains(text, name); got != legacy {
				t.Errorf("%s is recorded: %t", name, got)
			}
		}
	}
}

// TestDroppedMetric checks that a view which drops one metric keeps the others, such as the old metrics.
func TestDroppedMetric(t *testing.T) {
	for dropped, kept := range map[string][]string{
		"gen_ai.client.inference.duration": {"gen_ai.client.operation.duration", "gen_ai.client.inference.usage.input_tokens"},
		"gen_ai.invoke_agent.duration":     {"gen_ai.invoke_agent.inference_calls", "gen_ai.invoke_agent.tool_calls"},
	} {
		view := sdkmetric.NewView(sdkmetric.Instrument{Name: dropped}, sdkmetric.Stream{Aggregation: sdkmetric.AggregationDrop{}})
		reader := sdkmetric.NewManualReader()
		w := newWorld(t, telemetry.Legacy(), telemetry.Metrics(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithView(view))))
		w.metrics = reader
		playPlan(w, t.Context())
		text := w.metricText()
		if strings.Contains(text, dropped+" ") {
			t.Errorf("%s is recorded", dropped)
		}
		for _, name := range kept {
			if !strings.Contains(text, name+" ") {
				t.Errorf("without %s, there is no %s", dropped, name)
			}
		}
	}
}

// TestModality checks that tokens have no modality if a message or the result of a tool contains an image.
func TestModality(t *testing.T) {
	image := []content.Part{content.Image("image/png", []byte("x"))}
	for name, m := range map[string]llm.Message{
		"text":    {Role: llm.RoleUser, Text: "x"},
		"message": {Role: llm.RoleUser, Parts: image},
		"result":  {Role: llm.RoleTool, Result: &tool.Call{ID: "1", Content: image}},
	} {
		w := newWorld(t)
		model := w.Model("openai", scripted.New(scripted.Respond(llm.Response{Text: "ok", Usage: llm.Usage{Input: 1, Output: 1}})))
		if _, err := model.Generate(t.Context(), llm.Request{Messages: []llm.Message{m}}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(w.metricText(), "gen_ai.token.modality"); got != (name == "text") {
			t.Errorf("%s: the tokens have a modality: %t", name, got)
		}
	}
}

// TestEveryName checks that the expected files or the checks of the tests contain every attribute and
// metric of names.go, and the page of the documentation every metric.
func TestEveryName(t *testing.T) {
	page := readFile(t, "../../docs/howto/telemetry.md")
	var recorded strings.Builder
	for _, pattern := range []string{"testdata/*.txt", "*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			recorded.WriteString(readFile(t, file))
		}
	}
	for _, name := range declaredNames(t) {
		if !strings.Contains(recorded.String(), name.text+" ") && !strings.Contains(recorded.String(), `, "`+name.text+`")`) {
			t.Errorf("no test records %s", name.text)
		}
		if name.isMetric && !strings.Contains(page, "`"+name.text+"`") {
			t.Errorf("the page does not mention %s", name.text)
		}
	}
}

// declaredName is the name of an attribute or a metric.
type declaredName struct {
	text     string
	isMetric bool
}

// declaredNames returns the names in names.go.
func declaredNames(t *testing.T) (all []declaredName) {
	t.Helper()
	pattern := regexp.MustCompile(`(\w+) += (?:attribute\.Key\()?"((?:gen_ai|mcp|aiongen|error|rpc|jsonrpc|network|server|client)\.[a-z_.]+)"`)
	for _, name := range pattern.FindAllStringSubmatch(readFile(t, "names.go"), -1) {
		all = append(all, declaredName{name[2], !strings.HasPrefix(name[1], "key")})
	}
	if len(all) < 70 {
		t.Errorf("there are only %d names", len(all))
	}
	return all
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDependencies checks that programs get only OpenTelemetry's API from this package, and no server.
func TestDependencies(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		switch {
		case strings.HasPrefix(path, "go.opentelemetry.io/otel/sdk"), strings.Contains(path, "/exporters/"), strings.Contains(path, "modelcontextprotocol"), path == "go.opentelemetry.io/otel":
			t.Errorf("the package depends on %s", path)
		}
	}
}
