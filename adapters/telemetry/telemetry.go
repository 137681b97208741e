// Package telemetry records traces and metrics of runs of agents, calls of models and tools, and requests
// of MCP servers and clients, with OpenTelemetry. Create a Recorder with [New], and pass its methods to
// everything that it should observe:
//
//	t, err := telemetry.New(telemetry.Traces(tracerProvider), telemetry.Metrics(meterProvider))
//	if err != nil { … }
//	registry := tool.NewRegistry(tool.Use(t.Middleware))                                     // calls of tools
//	agent, err := orchestrator.New(t.Model("openai", model), registry, t.Agent("help desk")) // calls of the model, runs
//	server, err := mcp.New(registry, mcp.Observe(t.ServeMCP))                                // requests of MCP clients
//	remote, err := remote.Connect(ctx, transport, remote.Observe(t.CallMCP))                 // requests to MCP servers
//
// Each of these lines also works without the others. [Recorder.ServeMCPSession] and
// [Recorder.CallMCPSession] record MCP sessions. The names of spans, attributes and metrics come from the
// semantic conventions for generative AI, version 0.1.0.
//
// # Traces of runs
//
// A span covers one execution of a run: from the time when a worker claims the run until the run ends,
// waits or is interrupted. The input of the run carries the trace context of its start, so the spans of
// all executions, in any process, belong to the same trace. If the program executes a run in another
// trace, the span has a link to the current span of that trace. If a run is started outside of a trace, it
// begins one.
//
// # Content
//
// Messages, arguments, results and texts of errors are recorded only with the option [Content]. Long
// names of tools and models and long error codes are cut. The number of distinct names in metrics is
// limited; further names are recorded as "_OTHER".
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

// Recorder records traces and metrics. It is safe for concurrent use. Use one Recorder in the whole
// program, so that the spans of calls become children of the spans of their runs.
type Recorder struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	metrics    instruments
	enabled    bool // records traces or metrics
	content    bool
	redactor   *redact.Redactor // nil records content without redaction

	runs         runTable
	tools        toolTable
	modelNames   nameSet // names of models in responses
	errorCodes   nameSet // error codes of models, tools and runs
	requestNames nameSet // names of tools and prompts in MCP requests
	statusCodes  nameSet // error codes in MCP answers
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

// Propagator sets the format of the trace context in the input of a run and in MCP requests. The default
// is [propagation.TraceContext]. With [propagation.Baggage], the journal of a run contains the baggage,
// MCP servers receive it, and MCP clients can set it. A value that is longer than 8 KiB is ignored.
func Propagator(p propagation.TextMapPropagator) Option { return func(c *config) { c.propagator = p } }

// Content records the messages to models and their answers, the arguments and results of tools, and
// the texts of their errors, after redacting them. Use the same redactor as for the program's events
// and logs. If it is nil, nothing is redacted. An attribute has at most 64 KiB; if there are too many
// messages, the first ones are omitted. Images and other media are always omitted.
func Content(r *redact.Redactor) Option {
	return func(c *config) { c.content, c.redactor = true, r }
}

// Legacy additionally records metrics of models under the names in version 1.41.0 of the semantic
// conventions, for dashboards that still read these names.
func Legacy() Option { return func(c *config) { c.legacy = true } }

// New returns a Recorder. It returns an error if the meter cannot create an instrument or the propagator
// is nil.
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

// callSpan is the span of a call of a tool. Two layers may observe the same call: the Middleware, and either
// ServeMCP or CallMCP. The outer layer puts the callSpan into the context, and the inner layer uses its span.
type callSpan struct {
	span      trace.Span
	ofRequest bool // ServeMCP has begun the span; otherwise the Middleware has
	used      atomic.Bool
	failed    atomic.Bool // the inner layer has set the error status of the span
}

// takeCallSpan returns the callSpan of the outer layer. ofRequest says which layer that is: ServeMCP if it
// is true, the Middleware otherwise. takeCallSpan returns nil if there is no such layer, if its span has
// already been taken, or if another span has begun since.
func takeCallSpan(ctx context.Context, ofRequest bool) *callSpan {
	s, ok := ctx.Value(spanKey{}).(*callSpan)
	if !ok || s.ofRequest != ofRequest || trace.SpanFromContext(ctx).SpanContext().SpanID() != s.span.SpanContext().SpanID() || s.used.Swap(true) {
		return nil
	}
	return s
}
