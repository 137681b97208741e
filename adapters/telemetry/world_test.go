package telemetry_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// world is a program with a Recorder whose spans and metrics stay in memory.
type world struct {
	*testing.T
	*telemetry.Recorder
	spans   *tracetest.InMemoryExporter
	traces  *sdktrace.TracerProvider
	metrics *sdkmetric.ManualReader
	tools   *tool.Registry
	servers []*httptest.Server
}

func newWorld(t *testing.T, options ...telemetry.Option) *world {
	t.Helper()
	w := &world{T: t, spans: tracetest.NewInMemoryExporter(), metrics: sdkmetric.NewManualReader()}
	w.traces = sdktrace.NewTracerProvider(sdktrace.WithSyncer(w.spans))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(w.metrics))
	w.Recorder = newRecorder(t, append([]telemetry.Option{telemetry.Traces(w.traces), telemetry.Metrics(meters)}, options...)...)
	w.tools = newTools(t, w.Recorder)
	return w
}

func newRecorder(t testing.TB, options ...telemetry.Option) *telemetry.Recorder {
	t.Helper()
	r, err := telemetry.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// newTools returns tools that succeed, fail, panic and wait.
func newTools(t testing.TB, r *telemetry.Recorder) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry(tool.Use(r.Middleware, middleware.Gate(middleware.RequireApproval(middleware.NameMatches("pay")), middleware.Allow())))
	add := func(name string, hints tool.Annotations, f func(context.Context, json.RawMessage) (json.RawMessage, error)) {
		made, err := dynamic(name, hints, f)
		if err == nil {
			err = registry.Register(made)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("lookup", tool.Annotations{ReadOnly: true}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"Ada"`), nil })
	add("pay", tool.Annotations{}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"paid"`), nil })
	add("fail", tool.Annotations{}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return nil, errors.New("the secret is 445550100")
	})
	add("panic", tool.Annotations{}, func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("boom") })
	add("vanish", tool.Annotations{}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return nil, &tool.UnknownOutcomeError{Err: errors.New("the connection broke")}
	})
	return registry
}

// dynamic returns a tool with a function.
func dynamic(name string, hints tool.Annotations, f func(context.Context, json.RawMessage) (json.RawMessage, error)) (tool.Tool, error) {
	return schema.Dynamic(tool.Definition{
		Name: name, Description: "Tool " + name + ".", Annotations: hints,
		Input:  json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
		Output: json.RawMessage(`{"type":"string"}`),
	}, f)
}

// newAgent returns an agent with the tools of the world.
func (w *world) newAgent(model llm.Model, options ...orchestrator.Option) *orchestrator.Orchestrator {
	w.Helper()
	o, err := orchestrator.New(w.Model("openai", model), w.tools, append([]orchestrator.Option{w.Agent("desk")}, options...)...)
	if err != nil {
		w.Fatal(err)
	}
	return o
}

// execute starts and executes a run.
func (w *world) execute(ctx context.Context, o *orchestrator.Orchestrator, in orchestrator.Input) *orchestrator.Run {
	w.Helper()
	in.ID = cmp.Or(in.ID, "r")
	r, err := o.Start(ctx, in)
	if err != nil {
		w.Fatal(err)
	}
	w.resume(ctx, r)
	return r
}

func (w *world) resume(ctx context.Context, r *orchestrator.Run) *run.Result {
	w.Helper()
	result, err := r.Execute(ctx)
	if err != nil {
		w.Fatal(err)
	}
	return result
}

// traceText returns all spans as trees, in the order in which they began.
func (w *world) traceText() string {
	spans := w.spans.GetSpans()
	slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
	known := map[trace.SpanID]bool{}
	traces := map[trace.TraceID]int{}
	for _, s := range spans {
		known[s.SpanContext.SpanID()] = true
		if traces[s.SpanContext.TraceID()] == 0 {
			traces[s.SpanContext.TraceID()] = len(traces) + 1
		}
	}
	var b strings.Builder
	var write func(parent trace.SpanID, depth int)
	write = func(parent trace.SpanID, depth int) {
		for _, s := range spans {
			if isRoot := !known[s.Parent.SpanID()]; isRoot != !parent.IsValid() || !isRoot && s.Parent.SpanID() != parent {
				continue
			}
			if depth == 0 {
				fmt.Fprintf(&b, "trace %d\n", traces[s.SpanContext.TraceID()])
			}
			indent := strings.Repeat("  ", depth+1)
			fmt.Fprintf(&b, "%s%s (%s%s%s)\n", indent, s.Name, s.SpanKind, statusText(s), linkText(s, traces))
			for _, line := range attributeLines(s.Attributes) {
				fmt.Fprintf(&b, "%s    %s\n", indent, line)
			}
			write(s.SpanContext.SpanID(), depth+1)
		}
	}
	write(trace.SpanID{}, 0)
	return b.String()
}

func statusText(s tracetest.SpanStub) string {
	if s.Status.Code.String() == "Unset" {
		return ""
	}
	return ", " + s.Status.Code.String() + " " + s.Status.Description
}

func linkText(s tracetest.SpanStub, traces map[trace.TraceID]int) (text string) {
	for _, l := range s.Links {
		text += fmt.Sprintf(", link to trace %d", traces[l.SpanContext.TraceID()])
	}
	return text
}

// attributeLines returns attributes by name. Times, ports and IDs vary, so they are left out.
func attributeLines(all []attribute.KeyValue) (lines []string) {
	for _, a := range all {
		value := a.Value.Emit()
		if a.Value.Type() == attribute.FLOAT64 && strings.Contains(string(a.Key), "time_to") || strings.HasSuffix(string(a.Key), ".port") || a.Key == "mcp.session.id" || a.Key == "jsonrpc.request.id" {
			value = "…"
		}
		lines = append(lines, string(a.Key)+" = "+value)
	}
	slices.Sort(lines)
	return lines
}

// metricText returns all points of metrics: the number of values, and the sum unless it is a time.
func (w *world) metricText() string {
	w.Helper()
	var all metricdata.ResourceMetrics
	if err := w.metrics.Collect(context.Background(), &all); err != nil {
		w.Fatal(err)
	}
	var lines []string
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			add := func(set attribute.Set, value string) {
				lines = append(lines, fmt.Sprintf("%s [%s] {%s} %s", m.Name, m.Unit, strings.Join(attributeLines(set.ToSlice()), ", "), value))
			}
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, fmt.Sprintf("= %d", p.Value))
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, fmt.Sprintf("%d values, sum %d", p.Count, p.Sum))
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, fmt.Sprintf("%d values", p.Count))
				}
			default:
				w.Errorf("%s has the type %T", m.Name, data)
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// checkGolden compares a text with a file.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite it with -update):\n%s", path, got)
	}
}

// sdkSpan is a span as exporters receive it.
type sdkSpan = sdktrace.ReadOnlySpan

// noOutcome is the outcome of a request that succeeded.
var noOutcome observe.Outcome

func observeRequest(method string, meta map[string]string) *observe.Request {
	return &observe.Request{Method: method, Meta: meta}
}
