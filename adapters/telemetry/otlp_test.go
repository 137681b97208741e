package telemetry_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// collector receives traces and metrics over OTLP.
type collector struct {
	t *testing.T

	mu         sync.Mutex
	spans      []string // scope and name
	metrics    []string
	attributes map[string]bool // names
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		var err error
		if body, err = gzip.NewReader(r.Body); err != nil {
			c.t.Error(err)
			return
		}
	}
	data, err := io.ReadAll(io.LimitReader(body, 16<<20))
	if err != nil {
		c.t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch r.URL.Path {
	case "/v1/traces":
		c.readTraces(data)
	case "/v1/metrics":
		c.readMetrics(data)
	default:
		c.t.Errorf("a request to %s", r.URL.Path)
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func (c *collector) readTraces(data []byte) {
	var m collecttrace.ExportTraceServiceRequest
	if err := proto.Unmarshal(data, &m); err != nil {
		c.t.Error(err)
	}
	for _, resource := range m.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, strings.Join([]string{scope.Scope.Name, scope.Scope.Version, scope.SchemaUrl, s.Name}, " "))
				c.addAttributes(s.Attributes)
			}
		}
	}
}

func (c *collector) readMetrics(data []byte) {
	var m collectmetrics.ExportMetricsServiceRequest
	if err := proto.Unmarshal(data, &m); err != nil {
		c.t.Error(err)
	}
	for _, resource := range m.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, s := range scope.Metrics {
				c.metrics = append(c.metrics, strings.Join([]string{scope.Scope.Name, scope.Scope.Version, scope.SchemaUrl, s.Name}, " "))
				for _, p := range s.GetSum().GetDataPoints() {
					c.addAttributes(p.Attributes)
				}
				for _, p := range s.GetHistogram().GetDataPoints() {
					c.addAttributes(p.Attributes)
				}
			}
		}
	}
}

func (c *collector) addAttributes(all []*common.KeyValue) {
	for _, a := range all {
		c.attributes[a.Key] = true
	}
}

// export plays a scene in a world that exports to a collector over OTLP.
func export(t *testing.T, play func(w *world)) *collector {
	t.Helper()
	c := &collector{t: t, attributes: map[string]bool{}}
	server := httptest.NewServer(c)
	defer server.Close()
	spans, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(server.URL+"/v1/traces"), otlptracehttp.WithCompression(otlptracehttp.GzipCompression))
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := otlpmetrichttp.New(t.Context(), otlpmetrichttp.WithEndpointURL(server.URL+"/v1/metrics"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, traces: sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans))}
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics)))
	w.Recorder = newRecorder(t, telemetry.Traces(w.traces), telemetry.Metrics(meters), telemetry.Content(nil), telemetry.Legacy())
	w.tools = newTools(t, w.Recorder)
	play(w)
	for _, err := range []error{w.traces.Shutdown(t.Context()), meters.Shutdown(t.Context())} {
		if err != nil {
			t.Error(err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c
}

// TestOTLP checks what a collector receives: the spans, every metric and attribute, and the version.
func TestOTLP(t *testing.T) {
	c := export(t, func(w *world) {
		for _, scene := range scenes {
			scene.play(w, w.Context())
		}
		playMCP(w)
		w.tools.Call(w.Context(), tool.Request{Name: "lookup", Arguments: json.RawMessage(`{"q":"` + strings.Repeat("long ", 1<<14) + `"}`)})
	})
	const scope = "github.com/aiongen/aiongen/adapters/telemetry 0.1.0  " // without a schema
	for _, want := range []string{"start_run desk", "invoke_agent desk", "plan desk", "chat scripted", "step tool", "execute_tool lookup", "step llm", "tools/call lookup", "prompts/get greet"} {
		if !slices.Contains(c.spans, scope+want) {
			t.Errorf("there is no %q in %q", want, c.spans)
		}
	}
	for _, name := range declaredNames(t) {
		if isReceived := slices.Contains(c.metrics, scope+name.text); name.isMetric != isReceived {
			t.Errorf("the metric %s is received: %t", name.text, isReceived)
		}
		if !name.isMetric && !c.attributes[name.text] {
			t.Errorf("the attribute %s is not received", name.text)
		}
	}
}

// TestHostileOTLP checks that texts which are not UTF-8 or very long do not keep anything from being
// exported. Exporters drop a whole batch if one text in it is not UTF-8.
func TestHostileOTLP(t *testing.T) {
	bad := "\xff\x00\x1b[2J" + strings.Repeat("ü", 1<<17)
	c := export(t, func(w *world) {
		model := scripted.New(
			scripted.Respond(llm.Response{Text: bad, Reasoning: bad, Model: bad, Finish: llm.Finish(bad), Usage: llm.Usage{Input: -1, Output: 1 << 60}}),
			scripted.Fail(&llm.Error{Kind: bad}),
			scripted.Call(bad, `{"q":`+bad), scripted.Call("fail", bad), scripted.Text("ok"),
		)
		observed := w.Model(bad, model)
		for range 2 {
			_, _ = observed.Generate(w.Context(), llm.Request{System: bad, Prompt: bad, Effort: bad, Stop: []string{bad}})
		}
		o, err := orchestrator.New(observed, w.tools, w.Agent(bad), orchestrator.Conversation{})
		if err != nil {
			t.Fatal(err)
		}
		w.execute(w.Context(), o, orchestrator.Input{ID: strings.Repeat("i", 256), Request: "x", Meta: map[string]string{"traceparent": bad, "tracestate": bad}})
		r := observeRequest(bad, map[string]string{"traceparent": bad})
		r.Tool, r.Resource, r.Session, r.Version, r.ID = bad, bad, bad, bad, bad
		r.Connection = observe.Connection{Transport: bad, Protocol: bad, HTTPVersion: bad, Address: bad, Port: -1}
		_, end := w.ServeMCP(w.Context(), r)
		end(noOutcome)
		_, end = w.CallMCP(w.Context(), r)
		end(noOutcome)
		w.CallMCPSession(&observe.Session{ID: bad, Version: bad, Connection: r.Connection})(errors.New(bad))
	})
	for _, want := range []string{"chat scripted", "invoke_agent ", "execute_tool", "_OTHER"} {
		if !slices.ContainsFunc(c.spans, func(name string) bool { return strings.Contains(name, "telemetry 0.1.0  "+want) }) {
			t.Errorf("there is no %q in %.300q", want, c.spans)
		}
	}
	if len(c.metrics) < 9 {
		t.Errorf("there are only %d metrics: %q", len(c.metrics), c.metrics)
	}
	for _, name := range c.spans {
		if len(name) > 400 {
			t.Errorf("the name of a span has %d bytes", len(name))
		}
	}
}
