package telemetry

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Middleware records the calls of a registry's tools. Pass it to [tool.Use] before other middleware,
// so that their spans become children of its spans. If the context has no span, the trace context comes
// from the Meta of the request. A call that waits for an approval or an answer is not recorded as
// failed; an attribute of its span says what it waits for.
func (r *Recorder) Middleware(next tool.Handler) tool.Handler {
	if !r.enabled {
		return next
	}
	return func(ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
		ctx, x := r.beginTool(ctx, c)
		err = errNoReturn // replaced when next returns
		defer func() { x.endTool(ctx, c, output, err) }()
		output, err = next(ctx, c)
		return output, err
	}
}

// errNoReturn is the error of a call whose function ended its goroutine, or whose middleware panicked.
var errNoReturn = &tool.PanicError{Value: "the call did not return"}

// toolTable caches the toolNames of tools. Its size is limited, because MCP servers may offer any number
// of tools.
type toolTable struct {
	mu    sync.Mutex
	tools map[string]*toolNames
}

// toolNames holds the name and the attributes of spans and metrics that all calls of a tool share.
type toolNames struct {
	span   string // name of spans
	start  []trace.SpanStartOption
	labels []attribute.KeyValue // attributes of metrics
}

// findTool returns the toolNames of a tool. If the table is full, all further tools share the toolNames
// of the empty name.
func (t *toolTable) findTool(name string) *toolNames {
	t.mu.Lock()
	defer t.mu.Unlock()
	if names := t.tools[name]; names != nil {
		return names
	}
	if len(t.tools) >= maxNames {
		name = ""
	}
	if t.tools == nil {
		t.tools = map[string]*toolNames{}
	}
	if names := t.tools[name]; names != nil {
		return names
	}
	n := newToolNames(cutName(name))
	t.tools[name] = n
	return n
}

// newToolNames returns the toolNames of a tool. The empty name is for unknown tools, which are recorded as
// "_OTHER".
func newToolNames(name string) *toolNames {
	n := &toolNames{span: operationTool + " " + name}
	if name == "" {
		n.span, name = operationTool, otherValue
	}
	n.labels = []attribute.KeyValue{keyToolName.String(name), keyToolType.String(toolFunction)}
	n.start = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(keyOperation.String(operationTool)), trace.WithAttributes(n.labels...)}
	return n
}

// toolCall is a call of a tool that is being recorded.
type toolCall struct {
	recorder    *Recorder
	names       *toolNames
	span        trace.Span
	agent       string    // that makes the call; "" outside of runs
	requestSpan *callSpan // span of the MCP request, which ServeMCP ends; nil if the call has its own span
	started     time.Time
}

// beginTool begins the span of a call.
func (r *Recorder) beginTool(ctx context.Context, c *tool.Call) (context.Context, toolCall) {
	d := c.Definition()
	x := toolCall{recorder: r, names: r.tools.findTool(d.Name), started: time.Now()}
	if x.requestSpan = takeCallSpan(ctx, true); x.requestSpan != nil {
		x.span = x.requestSpan.span
	} else {
		inRun, origin := r.callContext(ctx)
		if len(c.Request.Meta) > 0 && !spanContextOf(inRun).IsValid() { // the Meta has the trace context of an MCP client, or of the start of a run
			inRun = r.extractTrace(inRun, c.Request.Meta)
		}
		x.agent = origin.agent
		ctx, x.span = r.tracer.Start(inRun, x.names.span, x.names.start...)
		if !x.span.IsRecording() {
			return ctx, x
		}
		x.span.SetAttributes(appendText(runAttributes(origin.event, origin.kind), keyAgentName, x.agent, maxNameBytes)...)
		ctx = context.WithValue(ctx, spanKey{}, &callSpan{span: x.span})
	}
	if !x.span.IsRecording() {
		return ctx, x
	}
	if d.Name != "" {
		x.span.SetAttributes(keyToolName.String(cutName(d.Name)), keyToolType.String(toolFunction))
	}
	x.span.SetAttributes(appendText(appendText(nil, keyToolCall, c.ID, maxTextBytes), keyToolText, d.Description, maxTextBytes)...)
	return ctx, x
}

// endTool ends the span of a call and records its metrics.
func (x toolCall) endTool(ctx context.Context, c *tool.Call, output json.RawMessage, err error) {
	r, kind, waits := x.recorder, "", ""
	if err != nil {
		switch kind = r.errorType(err); kind {
		case "needs_approval":
			kind, waits = "", "approval"
		case "needs_answer":
			kind, waits = "", "answer"
		}
	}
	if x.span.IsRecording() {
		text := kind
		if r.content {
			text = r.recordCall(ctx, x.span, c, output, err, text)
		}
		if waits != "" {
			x.span.SetAttributes(keyWaitsFor.String(waits))
		}
		if kind != "" {
			setError(x.span, kind, text)
			if x.requestSpan != nil {
				x.requestSpan.failed.Store(true)
			}
		}
	}
	if x.requestSpan == nil {
		x.span.End()
	}
	if r.metrics.tool.Enabled(ctx) {
		labels := appendText(slices.Clone(x.names.labels), keyAgentName, x.agent, maxNameBytes)
		r.metrics.tool.Record(ctx, time.Since(x.started).Seconds(), metric.WithAttributes(appendError(labels, kind)...))
	}
}
