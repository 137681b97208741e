package telemetry

import (
	"context"
	"iter"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// Model returns a model that records the calls of m. The provider is one of the values that the
// conventions define for gen_ai.provider.name, such as openai, anthropic, gcp.gemini or mistral_ai, or
// a custom name. Pass a model that [llm.Retry] and [llm.Fallback] have already wrapped, so that one span
// covers all attempts of a call.
func (r *Recorder) Model(provider string, m llm.Model) llm.Model {
	if !r.enabled {
		return m
	}
	o := &observedModel{recorder: r, model: m, name: llm.Name(m), spanName: operationChat}
	o.labels = []attribute.KeyValue{keyOperation.String(operationChat), keyProvider.String(cutName(provider))}
	if name := cutName(o.name); name != "" {
		o.spanName, o.labels = operationChat+" "+name, append(o.labels, keyRequestModel.String(name))
	}
	o.chunkLabels = metric.WithAttributes(o.labels...)
	o.start = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(o.labels...)}
	return o
}

// observedModel is a model whose calls are recorded.
type observedModel struct {
	recorder       *Recorder
	model          llm.Model
	name, spanName string
	start          []trace.SpanStartOption
	labels         []attribute.KeyValue     // attributes of metrics
	chunkLabels    metric.MeasurementOption // the same labels
}

var _ llm.Streamer = (*observedModel)(nil)

// Name returns the name of the model; see [llm.Name].
func (m *observedModel) Name() string { return m.name }

// Generate implements [llm.Model].
func (m *observedModel) Generate(ctx context.Context, request llm.Request) (response llm.Response, err error) {
	ctx, c := m.beginCall(ctx, request, false)
	defer c.endPanic()
	response, err = m.model.Generate(ctx, request)
	c.endCall(response, err)
	return response, err
}

// Stream implements [llm.Streamer].
func (m *observedModel) Stream(ctx context.Context, request llm.Request) iter.Seq2[llm.Chunk, error] {
	_, streams := m.model.(llm.Streamer)
	return func(yield func(llm.Chunk, error) bool) {
		ctx, c := m.beginCall(ctx, request, streams)
		defer c.endPanic()
		var response llm.Response
		failure := context.Canceled // unless there is a response
		for chunk, err := range llm.Stream(ctx, m.model, request) {
			c.recordChunk(chunk)
			if chunk.Response != nil {
				response, failure = *chunk.Response, nil
			}
			if err != nil {
				failure = err
			}
			if !yield(chunk, err) {
				break
			}
		}
		c.endCall(response, failure)
	}
}

// modelCall is a call of a model that is being recorded.
type modelCall struct {
	*observedModel
	ctx     context.Context
	origin  callOrigin
	span    trace.Span
	request llm.Request
	streams bool
	started time.Time
	first   time.Time // when the first chunk arrived
	last    time.Time // when the last chunk arrived
	ended   bool
}

// beginCall begins the span of a call.
func (m *observedModel) beginCall(ctx context.Context, request llm.Request, streams bool) (context.Context, *modelCall) {
	ctx, origin := m.recorder.callContext(ctx)
	c := &modelCall{observedModel: m, origin: origin, request: request, streams: streams, started: time.Now()}
	c.ctx, c.span = m.recorder.tracer.Start(ctx, m.spanName, m.start...)
	if c.span.IsRecording() {
		c.span.SetAttributes(append(runAttributes(origin.event, origin.kind), requestAttributes(request, streams)...)...)
		if start, ok := origin.event.What.(run.ModelStart); ok {
			c.span.SetAttributes(keyPurpose.String(cutName(start.For)))
		}
		if origin.compacted {
			c.span.SetAttributes(keyCompacted.Bool(true))
		}
		if m.recorder.content {
			m.recorder.recordRequest(c.span, origin.event, request)
		}
	}
	return c.ctx, c
}

// requestAttributes returns the parameters of a request as attributes.
func requestAttributes(r llm.Request, streams bool) (attributes []attribute.KeyValue) {
	if streams {
		attributes = append(attributes, keyRequestStream.Bool(true))
	}
	if r.MaxTokens > 0 {
		attributes = append(attributes, keyRequestTokens.Int(r.MaxTokens))
	}
	if r.Temperature != nil {
		attributes = append(attributes, keyRequestTemp.Float64(*r.Temperature))
	}
	if r.TopP != nil {
		attributes = append(attributes, keyRequestTopP.Float64(*r.TopP))
	}
	if r.Seed != nil {
		attributes = append(attributes, keyRequestSeed.Int(*r.Seed))
	}
	if r.Effort != "" {
		attributes = append(attributes, keyRequestEffort.String(cutName(r.Effort)))
	}
	if len(r.Stop) > 0 {
		stop := slices.Clone(r.Stop[:min(len(r.Stop), maxListed)])
		for i, text := range stop {
			stop[i] = cutText(text, maxNameBytes)
		}
		attributes = append(attributes, keyRequestStop.StringSlice(stop))
	}
	if len(r.Schema) > 0 {
		attributes = append(attributes, keyOutputType.String(outputJSON))
	}
	return attributes
}

// recordChunk records the time of a chunk with content.
func (c *modelCall) recordChunk(chunk llm.Chunk) {
	if !c.streams || chunk.Text == "" && chunk.Reasoning == "" && chunk.Response == nil {
		return
	}
	now, i := time.Now(), &c.recorder.metrics
	if c.first.IsZero() {
		c.first = now
		recordSeconds(c.ctx, i.firstChunk, i.oldFirst, now.Sub(c.started), c.chunkLabels)
	} else {
		recordSeconds(c.ctx, i.nextChunk, i.oldNext, now.Sub(c.last), c.chunkLabels)
	}
	c.last = now
}

// endCall ends the span of a call and records its metrics.
func (c *modelCall) endCall(response llm.Response, err error) {
	r, kind, labels := c.recorder, "", slices.Clone(c.labels)
	if err != nil {
		kind = r.errorType(err)
	} else if response.Model != "" {
		labels = append(labels, keyResponseModel.String(r.modelNames.limitName(response.Model)))
	}
	if c.span.IsRecording() {
		c.recordResponse(response, err, kind)
	}
	c.span.End()
	if err == nil {
		r.metrics.recordUsage(c.ctx, response.Usage, labels, modalityOf(c.request))
	}
	recordSeconds(c.ctx, r.metrics.inference, r.metrics.oldInference, time.Since(c.started), metric.WithAttributes(appendError(labels, kind)...))
	c.ended = true
}

// recordResponse records the outcome of a call in its span.
func (c *modelCall) recordResponse(response llm.Response, err error, kind string) {
	if !c.first.IsZero() {
		c.span.SetAttributes(keyResponseFirst.Float64(c.first.Sub(c.started).Seconds()))
	}
	if err != nil {
		text := kind
		if c.recorder.content {
			text = c.recorder.errorText(c.origin.event, err)
		}
		setError(c.span, kind, text)
		return
	}
	if response.Model != "" {
		c.span.SetAttributes(keyResponseModel.String(cutName(response.Model)))
	}
	if response.Finish != "" {
		c.span.SetAttributes(keyResponseFinish.StringSlice([]string{finishReason(response.Finish)}))
	}
	if u := response.Usage; u.Total() > 0 {
		c.span.SetAttributes(keyUsageInput.Int64(countOf(u.Input)), keyUsageOutput.Int64(countOf(u.Output)))
		if u.Cached > 0 {
			c.span.SetAttributes(keyUsageCached.Int(u.Cached))
		}
		if u.Reasoning > 0 {
			c.span.SetAttributes(keyUsageReasoning.Int(u.Reasoning))
		}
	}
	if c.recorder.content {
		c.recorder.recordAnswer(c.span, c.origin.event, response)
	}
}

// finishReason returns the name that the conventions define for a reason.
func finishReason(f llm.Finish) string {
	switch f {
	case llm.FinishCalls:
		return "tool_call"
	case llm.FinishRefused:
		return "content_filter"
	}
	return cutName(string(f))
}

// modalityOf returns the modality of all tokens of a call, or "" if there are media in the request.
func modalityOf(r llm.Request) string {
	isMedia := func(p content.Part) bool { return p.Kind() != content.KindText }
	for _, m := range r.Messages {
		if slices.ContainsFunc(m.Parts, isMedia) || m.Result != nil && slices.ContainsFunc(m.Result.Content, isMedia) {
			return ""
		}
	}
	return modalityText
}

// endPanic ends the span of a call that has not ended, because the model, or a method of its error, has panicked.
// It does not recover. If the run has called the model, the panic ends the execution of the run without an event,
// so endPanic also ends the spans of the run.
func (c *modelCall) endPanic() {
	if c.ended {
		return
	}
	setError(c.span, errorPanic, errorPanic)
	c.span.End()
	labels := metric.WithAttributes(appendError(slices.Clone(c.labels), errorPanic)...)
	recordSeconds(c.ctx, c.recorder.metrics.inference, c.recorder.metrics.oldInference, time.Since(c.started), labels)
	if _, ok := c.origin.event.What.(run.ModelStart); ok { // otherwise, the function of a tool has called the model
		if x := c.recorder.runs.removeRun(c.origin.event.Run); x != nil {
			c.recorder.endFrames(c.ctx, x, errorPanic, nil)
		}
	}
}
