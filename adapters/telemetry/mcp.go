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

// methodCall is the method by which a client calls a tool.
const methodCall = "tools/call"

// ServeMCP records a request or notification of an MCP client; give it to mcp.Observe. Its span is a
// child of the one in the request's _meta, with a link to the span of the HTTP request. Without a
// trace in _meta, it is a child of the span in ctx, or else of the one in the HTTP headers. If the
// tools have the [Recorder.Middleware], the span of a call of a tool is also that of the tool.
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

// CallMCP records a request to an MCP server and sends the trace context with it; give it to
// remote.Observe. If the [Recorder.Middleware] has begun the span of the tool, that span receives the
// attributes of the request. Otherwise, the request has its own span.
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
		x.span.SetAttributes(slices.DeleteFunc(x.attributes, func(a attribute.KeyValue) bool { return a.Key == keyToolName })...) // it has the name of the program
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
	method     string               // or "_OTHER"
	attributes []attribute.KeyValue // of the span
	labels     []attribute.KeyValue // of the metric, without those of the outcome
	seconds    metric.Float64Histogram
	ctx        context.Context
	span       trace.Span
	ownsSpan   bool      // otherwise, the span is that of a tool, which ends it
	call       *callSpan // with which a tool may find the span; nil for other methods and at a client
	started    time.Time
}

// newRequest returns the record of a request, without a span.
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

// endRequest ends the span of a request and records its metrics. The name of a tool or prompt becomes
// part of them only after a successful request, because a client may send any name.
func (x *mcpRequest) endRequest(out observe.Outcome) {
	x.span.SetAttributes(appendText(nil, keyRPCID, x.request.ID, maxNameBytes)...) // a client has it only now
	labels, kind := x.labels, x.errorType(out)
	if out.Code != 0 {
		status := keyRPCStatus.String(kind)
		x.span.SetAttributes(status)
		labels = append(labels, status)
	}
	name := ""
	if x.request.Tool+x.request.Prompt != "" && out.Err == nil {
		name = x.recorder.requestNames.limitName(x.request.Tool + x.request.Prompt)
		labels = append(labels, x.nameKey().String(name))
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
		return x.recorder.statusCodes.limitName(strconv.FormatInt(out.Code, 10)) // the other side may answer with any number
	case out.Err != nil:
		return x.recorder.errorType(out.Err)
	case out.ToolFailed:
		return errorTool
	}
	return ""
}

// nameKey returns the key for the name of the requested tool or prompt.
func (x *mcpRequest) nameKey() attribute.Key {
	if x.request.Prompt != "" {
		return keyPromptName
	}
	return keyToolName
}

// endSpan ends the span of a request. The name, the type of its error and the error may be empty.
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
