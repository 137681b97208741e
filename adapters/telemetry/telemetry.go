// Package telemetry records traces and metrics with OpenTelemetry: of the runs of agents, of calls of
// models and tools, and of requests of MCP servers and clients. Create a Recorder with [New] and give
// it to what it shall observe:
//
//	t, err := telemetry.New(telemetry.Traces(tracerProvider), telemetry.Metrics(meterProvider))
//	if err != nil { … }
//	registry := tool.NewRegistry(tool.Use(t.Middleware))                                     // calls of tools
//	agent, err := orchestrator.New(t.Model("openai", model), registry, t.Agent("help desk")) // calls of the model, runs
//	server, err := mcp.New(registry, mcp.Observe(t.ServeMCP))                                // requests of MCP clients
//	remote, err := remote.Connect(ctx, transport, remote.Observe(t.CallMCP))                 // requests to MCP servers
//
// Each of them also works alone. [Recorder.ServeMCPSession] and [Recorder.CallMCPSession] record the
// sessions of MCP. The names are those of the semantic conventions for generative AI,
// version 0.1.0.
//
// # Traces of runs
//
// A span covers one execution of a run: from the time when a worker claims it until it ends, waits or
// is interrupted. The input of the run carries the trace context of its start, so the spans of all
// executions, in any process, are children in the same trace. If the program executes a run in
// another trace, the span has a link to that. A run that starts outside of a trace starts one.
//
// # Content
//
// Messages, arguments, results and texts of errors are recorded only with the option [Content]. Names
// of tools, models and codes of errors that come from a model or another program are cut, and metrics
// have a limited number of them: the rest is "_OTHER".
package telemetry

import (
	"context"
	"errors"
	"sync/atomic"

	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/aiongen/aiongen/runtime/redact"
)

// Recorder records traces and metrics. It is safe for concurrent use. Use one Recorder for all parts
// of a program, so that it finds the runs to which calls belong.
type Recorder struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	metrics    instruments
	enabled    bool // records traces or metrics
	content    bool
	redactor   *redact.Redactor // nil shows content as it is

	runs         runTable
	tools        toolTable
	modelNames   nameSet // in responses
	errorCodes   nameSet // of models, tools and runs
	requestNames nameSet // tools and prompts in requests of MCP
	statusCodes  nameSet // of errors in answers of MCP
}

// config holds the values that the options set.
type config struct {
	traces     trace.TracerProvider
	metrics    metric.MeterProvider
	propagator propagation.TextMapPropagator
	legacy     bool
	content    bool
	redactor   *redact.Redactor
}

// Option configures a [Recorder].
type Option func(*config)

// Traces sets the provider of the tracer. Without this option, there are no traces.
func Traces(p trace.TracerProvider) Option { return func(c *config) { c.traces = p } }

// Metrics sets the provider of the meter. Without this option, there are no metrics.
func Metrics(p metric.MeterProvider) Option { return func(c *config) { c.metrics = p } }

// Propagator sets the format in which the trace context travels in the input of a run and in the
// requests of MCP. The default is [propagation.TraceContext]. With [propagation.Baggage], the journal
// of a run contains the baggage, MCP servers receive it, and MCP clients can set it. A text that is
// longer than 8 KiB is ignored.
func Propagator(p propagation.TextMapPropagator) Option { return func(c *config) { c.propagator = p } }

// Content records the messages to models and their answers, the arguments and results of tools, and
// the texts of their errors, each as the redactor shows it. Use the redactor of the program's events
// and logs. If it is nil, everything is recorded as it is. An attribute has at most 64 KiB: of the
// messages, the last ones. Media are left out.
func Content(r *redact.Redactor) Option {
	return func(c *config) { c.content, c.redactor = true, r }
}

// Legacy records metrics of models under the names of version 1.41.0 of the semantic conventions, too,
// for dashboards that still read them.
func Legacy() Option { return func(c *config) { c.legacy = true } }

// New returns a Recorder. The error is one of the meter's.
func New(options ...Option) (*Recorder, error) {
	c := config{propagator: propagation.TraceContext{}}
	for _, option := range options {
		option(&c)
	}
	r := &Recorder{propagator: c.propagator, content: c.content, redactor: c.redactor, enabled: c.traces != nil || c.metrics != nil}
	if c.traces == nil {
		c.traces = tracenoop.NewTracerProvider()
	}
	if c.metrics == nil {
		c.metrics = metricnoop.NewMeterProvider()
	}
	if c.propagator == nil {
		return nil, errors.New("telemetry: the propagator must not be nil")
	}
	r.tracer = c.traces.Tracer(scopeName, trace.WithInstrumentationVersion(conventionVersion))
	var err error
	r.metrics, err = newInstruments(c.metrics.Meter(scopeName, metric.WithInstrumentationVersion(conventionVersion)), c.legacy)
	return r, err
}

// spanKey is the key of the callSpan in a context.
type spanKey struct{}

// callSpan is a span of a call of a tool that another layer, which observes the same call, can use.
type callSpan struct {
	span      trace.Span
	ofRequest bool // the span is that of a request of MCP, otherwise that of a tool
	used      atomic.Bool
	failed    atomic.Bool // the layer that uses the span has set its status
}

// takeCallSpan returns the callSpan in ctx of another layer that observes the same call. It returns nil
// if a layer has already taken it, or if another span has begun since.
func takeCallSpan(ctx context.Context, ofRequest bool) *callSpan {
	s, ok := ctx.Value(spanKey{}).(*callSpan)
	if !ok || s.ofRequest != ofRequest || trace.SpanFromContext(ctx).SpanContext().SpanID() != s.span.SpanContext().SpanID() || s.used.Swap(true) {
		return nil
	}
	return s
}
