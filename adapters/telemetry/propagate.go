package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// maxTraceBytes limits each text of a trace context from another program, because parsing a long text
// may take long. The W3C sets this limit for baggage, and a lower one for tracestate.
const maxTraceBytes = 8 << 10

// extractTrace returns ctx with the trace context from the Meta of a request or a run.
func (r *Recorder) extractTrace(ctx context.Context, meta map[string]string) context.Context {
	return r.propagator.Extract(ctx, metaCarrier{meta})
}

// spanContextOf returns the span context in ctx, which may be invalid.
func spanContextOf(ctx context.Context) trace.SpanContext { return trace.SpanContextFromContext(ctx) }

// metaCarrier reads the trace context from Meta.
type metaCarrier struct{ propagation.MapCarrier }

func (c metaCarrier) Get(key string) string { return dropLong(c.MapCarrier.Get(key)) }

// headerCarrier reads the trace context from the headers of a request.
type headerCarrier func(name string) string

func (h headerCarrier) Get(key string) string { return dropLong(h(key)) }
func (headerCarrier) Set(string, string)      {}
func (headerCarrier) Keys() []string          { return nil }

// dropLong returns "" for a text that is too long.
func dropLong(text string) string {
	if len(text) > maxTraceBytes {
		return ""
	}
	return text
}
