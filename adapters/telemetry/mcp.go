package telemetry

import (
	"context"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/run"
)

// methodCall is the MCP method that calls a tool.
const methodCall = "tools/call"

// ServeMCP records a request or notification of an MCP client; pass it to mcp.Observe. The parent of its
// span is the first that exists of: the span in the request's _meta, the span in ctx, and the span in the
// HTTP headers. If the parent comes from _meta, the span has a link to the span in ctx. If the tools use
// the [Recorder.Middleware], a request that calls a tool and the call itself share a span.
func (r *Recorder) ServeMCP(ctx context.Context, request *observe.Request) (context.Context, func(observe.Outcome)) {
	if !r.enabled {
		return ctx, func(observe.Outcome) {}
	}
	x := r.newRequest(request, r.metrics.server)
	x.attributes = append(x.attributes, addressAttributes(request.Connection, keyClientAddress, keyClientPort)...)
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(x.attributes...)}
	ambient := spanContextOf(ctx)
	caller := spanContextOf(r.extractTrace(context.Background(), request.Meta))
	switch {
	case caller.IsValid():
		ctx = r.extractTrace(ctx, request.Meta)
		if ambient.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: ambient}))
		}
	case !ambient.IsValid() && request.Header != nil:
		ctx = r.propagator.Extract(ctx, headerCarrier(request.Header))
	}
	ctx, x.span = r.tracer.Start(ctx, x.method, options...)
	if request.Method == methodCall && x.span.IsRecording() {
		x.call = &callSpan{span: x.span, ofRequest: true}
		ctx = context.WithValue(ctx, spanKey{}, x.call)
	}
	x.ownsSpan, x.ctx = true, ctx
	return ctx, x.endRequest
}

// CallMCP records a request to an MCP server and sends the trace context with it; pass it to
// remote.Observe. If the [Recorder.Middleware] has begun a span for the call of the tool, CallMCP adds the
// attributes of the request to that span. Otherwise, it begins a span.
func (r *Recorder) CallMCP(ctx context.Context, request *observe.Request) (context.Context, func(observe.Outcome)) {
	if !r.enabled {
		return ctx, func(observe.Outcome) {}
	}
	x := r.newRequest(request, r.metrics.client)
	server := addressAttributes(request.Connection, keyServerAddress, keyServerPort)
	x.attributes, x.labels = append(x.attributes, server...), append(x.labels, server...)
	var call *callSpan
	if request.Method == methodCall {
		call = takeCallSpan(ctx, false)
	}
	if call != nil {
		x.span = call.span
		x.span.SetAttributes(slices.DeleteFunc(x.attributes, func(a attribute.KeyValue) bool { return a.Key == keyToolName })...) // the span already has the name that the program uses
	} else {
		x.ownsSpan = true
		ctx, _ = r.callContext(ctx)
		ctx, x.span = r.tracer.Start(ctx, x.method, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(x.attributes...))
	}
	r.propagator.Inject(ctx, propagation.MapCarrier(request.Meta))
	x.ctx = ctx
	return ctx, x.endRequest
}

// mcpRequest is a request that is being recorded.
type mcpRequest struct {
	recorder   *Recorder
	request    *observe.Request
	method     string               // a known method, or "_OTHER"
	attributes []attribute.KeyValue // attributes of the span
	labels     []attribute.KeyValue // attributes of the metric, without those of the outcome
	seconds    metric.Float64Histogram
	ctx        context.Context
	span       trace.Span
	ownsSpan   bool      // CallMCP or ServeMCP has begun the span; otherwise the Middleware has, and ends it
	call       *callSpan // offers the span to the Middleware; nil at a client and for methods other than tools/call
	started    time.Time
}

// newRequest returns an mcpRequest without a span.
func (r *Recorder) newRequest(request *observe.Request, seconds metric.Float64Histogram) *mcpRequest {
	x := &mcpRequest{recorder: r, request: request, method: request.Method, seconds: seconds, started: time.Now()}
	if !mcpMethods[x.method] {
		x.method = otherValue
	}
	x.labels = append(connectionLabels(request.Connection, request.Version), keyMCPMethod.String(x.method))
	if request.Method == methodCall {
		x.labels = append(x.labels, keyOperation.String(operationTool))
	}
	x.attributes = slices.Clone(x.labels)
	x.attributes = appendText(x.attributes, keyMCPSession, request.Session, maxNameBytes)
	x.attributes = appendText(x.attributes, keyMCPResource, request.Resource, maxTextBytes)
	x.attributes = appendText(x.attributes, keyToolName, request.Tool, maxNameBytes)
	x.attributes = appendText(x.attributes, keyPromptName, request.Prompt, maxNameBytes)
	return x
}

// endRequest ends the span of a request and records its metrics. It adds the name of the tool or prompt to
// the name of the span and to the metrics only if the request succeeded, because a client may send any
// name.
func (x *mcpRequest) endRequest(out observe.Outcome) {
	x.span.SetAttributes(appendText(nil, keyRPCID, x.request.ID, maxNameBytes)...) // at a client, the ID is set when the request is sent
	labels, kind := x.labels, x.errorType(out)
	if out.Code != 0 {
		status := keyRPCStatus.String(kind)
		x.span.SetAttributes(status)
		labels = append(labels, status)
	}
	name := ""
	if x.request.Tool+x.request.Prompt != "" && out.Err == nil {
		name = x.recorder.requestNames.limitName(x.request.Tool + x.request.Prompt)
		key := keyToolName
		if x.request.Prompt != "" {
			key = keyPromptName
		}
		labels = append(labels, key.String(name))
	}
	if x.ownsSpan {
		x.endSpan(name, kind, out.Err)
	}
	if x.seconds.Enabled(x.ctx) {
		x.seconds.Record(x.ctx, time.Since(x.started).Seconds(), metric.WithAttributes(appendError(labels, kind)...))
	}
}

// errorType returns the value of error.type for an outcome, or "".
func (x *mcpRequest) errorType(out observe.Outcome) string {
	switch {
	case out.Code != 0:
		return x.recorder.statusCodes.limitName(strconv.FormatInt(out.Code, 10)) // limited, because the other side may send any number
	case out.Err != nil:
		return x.recorder.errorType(out.Err)
	case out.ToolFailed:
		return errorTool
	}
	return ""
}

// endSpan ends the span of a request. The name of the tool or prompt may be empty. If the request
// succeeded, kind is empty; if it failed, err may still be nil.
func (x *mcpRequest) endSpan(name, kind string, err error) {
	if name != "" {
		x.span.SetName(x.method + " " + name)
	}
	switch {
	case kind == "":
	case x.call != nil && x.call.failed.Load(): // the middleware has set the status, perhaps with the text of the error
		x.span.SetAttributes(keyErrorType.String(kind))
	default:
		text := kind
		if err != nil && x.recorder.content && x.span.IsRecording() {
			text = x.recorder.errorText(run.Event{}, err)
		}
		setError(x.span, kind, text)
	}
	x.span.End()
}
