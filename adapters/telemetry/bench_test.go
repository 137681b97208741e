package telemetry_test

import (
	"context"
	"encoding/json"
	"testing"

	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// recorders are a Recorder without providers, one whose providers do nothing, one whose sampler drops
// everything, and one that records.
func recorders(t testing.TB) []struct {
	name string
	*telemetry.Recorder
} {
	discards := sdktrace.WithSyncer(tracetest.NewNoopExporter())
	metrics := telemetry.Metrics(sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())))
	return []struct {
		name string
		*telemetry.Recorder
	}{
		{"off", newRecorder(t)},
		{"noop", newRecorder(t, telemetry.Traces(tracenoop.NewTracerProvider()), telemetry.Metrics(metricnoop.NewMeterProvider()))},
		{"unsampled", newRecorder(t, telemetry.Traces(sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))))},
		{"recording", newRecorder(t, telemetry.Traces(sdktrace.NewTracerProvider(discards)), metrics)},
	}
}

// echoTool returns a registry with a tool that does nothing.
func echoTool(t testing.TB, options ...tool.Option) *tool.Registry {
	registry := tool.NewRegistry(options...)
	echo, err := dynamic("echo", tool.Annotations{}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"x"`), nil })
	if err == nil {
		err = registry.Register(echo)
	}
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// BenchmarkTool measures a call of a tool. "without" has no middleware, "passing" has middleware that
// only calls the tool.
func BenchmarkTool(b *testing.B) {
	run := func(name string, registry *tool.Registry) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				registry.Call(b.Context(), tool.Request{ID: "1", Name: "echo"})
			}
		})
	}
	run("without", echoTool(b))
	run("passing", echoTool(b, tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) { return next(ctx, c) }
	})))
	for _, r := range recorders(b) {
		run(r.name, echoTool(b, tool.Use(r.Middleware)))
	}
}

// BenchmarkModel measures a call of a model that answers at once.
func BenchmarkModel(b *testing.B) {
	answer := llm.Response{Text: "ok", Model: "m", Usage: llm.Usage{Input: 1, Output: 1}}
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return answer, nil })
	for _, r := range recorders(b) {
		observed := r.Model("openai", model)
		b.Run(r.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := observed.Generate(b.Context(), llm.Request{Prompt: "x"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestNoopAllocations checks that a Recorder whose providers do nothing costs next to nothing.
func TestNoopAllocations(t *testing.T) {
	count := func(registry *tool.Registry) float64 {
		return testing.AllocsPerRun(100, func() { registry.Call(t.Context(), tool.Request{ID: "1", Name: "echo"}) })
	}
	passing := count(echoTool(t, tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) { return next(ctx, c) }
	})))
	for _, r := range recorders(t)[:2] {
		if got := count(echoTool(t, tool.Use(r.Middleware))); got > passing+3 {
			t.Errorf("%s: %g allocations, %g without", r.name, got, passing)
		}
	}
}
