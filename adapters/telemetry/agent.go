package telemetry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// Agent returns an option of an orchestrator. It records the executions of runs, their plans and steps,
// and the agents that they call as tools. It also puts the trace context into the input of new
// runs. The name of the agent appears in spans and metrics. Engines that replay workflows, such as
// adapters/temporal, reject this option: use [Recorder.Events] and [Recorder.TraceInput] there.
func (r *Recorder) Agent(name string) orchestrator.Option {
	if !r.enabled {
		return orchestrator.Options()
	}
	name = cutName(name)
	return orchestrator.Options(
		orchestrator.StartMeta(func(ctx context.Context, in orchestrator.Input) map[string]string { return r.startMeta(ctx, name, in) }),
		orchestrator.Events(r.Events(name)),
	)
}

// Events returns a function that records the events of runs of an agent, as [Recorder.Agent] does. Pass
// it to temporal.Events. It returns nil if the Recorder has neither traces nor metrics.
func (r *Recorder) Events(agent string) func(context.Context, run.Event) {
	if !r.enabled {
		return nil
	}
	agent = cutName(agent)
	return func(ctx context.Context, e run.Event) { r.observeEvent(ctx, agent, e) }
}

// TraceInput returns the input of a run with the trace context in its Meta, to start a run of an engine
// that does not accept [Recorder.Agent]. If ctx and the input have no trace, TraceInput begins one.
func (r *Recorder) TraceInput(ctx context.Context, agent string, in orchestrator.Input) orchestrator.Input {
	if !r.enabled {
		return in
	}
	all := map[string]string{}
	maps.Copy(all, in.Meta)
	maps.Copy(all, r.startMeta(ctx, cutName(agent), in))
	in.Meta = all
	return in
}

// startMeta returns the trace context for the input of a run, or nil if the input already has one. If
// ctx has no trace, startMeta begins one, which all executions of the run share.
func (r *Recorder) startMeta(ctx context.Context, name string, in orchestrator.Input) map[string]string {
	if spanContextOf(r.extractTrace(context.Background(), in.Meta)).IsValid() {
		return nil // the input already has a trace context
	}
	if !spanContextOf(ctx).IsValid() {
		var span trace.Span
		attributes := appendText([]attribute.KeyValue{keyAgentName.String(name)}, keyRunID, in.ID, maxTextBytes) // in.ID is empty if the engine chooses the ID later
		ctx, span = r.tracer.Start(ctx, operationStart+" "+name, trace.WithAttributes(attributes...))
		span.End()
	}
	meta := propagation.MapCarrier{}
	r.propagator.Inject(ctx, meta)
	return meta
}

// callOrigin describes the run and the agent that call a model or a tool. It is zero outside of runs.
type callOrigin struct {
	event     run.Event
	kind      string // kind of the run
	agent     string // name of the agent
	compacted bool   // the conversation of the agent was compacted
}

// callContext returns the context for the span of a call of a model or a tool, and the origin of the
// call. In a run, the parent span is that of the step, plan or run, unless the program has begun a span
// of its own inside it.
func (r *Recorder) callContext(ctx context.Context) (context.Context, callOrigin) {
	e, ok := run.EventFrom(ctx)
	if !ok {
		return ctx, callOrigin{}
	}
	x := r.runs.findRun(e.Run)
	if x == nil {
		return ctx, callOrigin{event: e}
	}
	parent, origin := x.findOrigin(e)
	if spanContextOf(ctx).Equal(x.ambient) {
		ctx = trace.ContextWithSpan(ctx, parent)
	}
	return ctx, origin
}

// runAttributes returns the attributes of a span that belongs to a run.
func runAttributes(e run.Event, kind string) []attribute.KeyValue {
	if e.Run == "" {
		return nil
	}
	attributes := []attribute.KeyValue{keyRunID.String(cutText(e.Run, maxTextBytes))}
	if kind == kindConversation {
		attributes = append(attributes, keyConversation.String(cutText(e.Run, maxTextBytes)))
	}
	if e.Step != "" {
		attributes = append(attributes, keyStepID.String(cutName(e.Step)))
	}
	return attributes
}

// kindConversation is the kind of runs that are conversations.
const kindConversation = "conversation"

// observeEvent records an event of a run.
func (r *Recorder) observeEvent(ctx context.Context, name string, e run.Event) {
	switch what := e.What.(type) {
	case run.RunClaimed:
		r.beginRun(ctx, name, e, what)
	case run.RunStopped:
		r.endRun(ctx, e.Run, what.Result)
	case run.RunDetached:
		r.endRun(ctx, e.Run, &run.Result{Status: statusDetached, Error: what.Error})
	default:
		if x := r.runs.findRun(e.Run); x != nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			r.observePart(ctx, x, e)
		}
	}
}

// statusDetached is the value of aiongen.run.status if the run may continue in another process.
const statusDetached = "detached"

// beginRun begins the span of an execution. If the current span belongs to the trace in which the run
// was started, it is the parent. Otherwise the parent is the span in which the run was started, and
// the new span has a link to the current span.
func (r *Recorder) beginRun(ctx context.Context, name string, e run.Event, claimed run.RunClaimed) {
	x := &runTrace{ambient: spanContextOf(ctx), kind: claimed.Kind, agents: map[string]*frameTrace{}, toolNames: map[string]string{}}
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindInternal)}
	started := spanContextOf(r.extractTrace(context.Background(), claimed.Meta))
	if started.IsValid() && started.TraceID() != x.ambient.TraceID() {
		if x.ambient.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: x.ambient}))
		}
		ctx = trace.ContextWithRemoteSpanContext(ctx, started)
	}
	attributes := append(runAttributes(e, claimed.Kind), keyOperation.String(operationAgent), keyAgentName.String(name))
	ctx, span := r.tracer.Start(ctx, operationAgent+" "+name, append(options, trace.WithAttributes(attributes...))...)
	x.root = newFrameTrace(span, name)
	x.root.compacted = slices.ContainsFunc(claimed.Earlier, func(e run.Event) bool {
		_, ok := e.What.(run.MessagesCompacted)
		return ok && e.AgentCall == ""
	})
	for _, open := range openSteps(claimed.Earlier) {
		r.beginStep(ctx, x.root, open)
	}
	if previous := r.runs.addRun(e.Run, x); previous != nil {
		r.endFrames(ctx, previous, errorSuperseded, nil)
	}
}

// openSteps returns the StepStart events of the steps that earlier executions have begun but not ended.
func openSteps(earlier []run.Event) (open []run.Event) {
	for _, e := range earlier {
		switch e.What.(type) {
		case run.StepStart:
			if e.AgentCall == "" {
				open = append(open, e)
			}
		case run.StepEnd:
			open = slices.DeleteFunc(open, func(start run.Event) bool { return e.AgentCall == "" && start.Step == e.Step })
		}
	}
	return open
}

// endRun ends the spans of an execution.
func (r *Recorder) endRun(ctx context.Context, id string, result *run.Result) {
	x := r.runs.removeRun(id)
	if x == nil {
		return
	}
	kind := ""
	switch {
	case result.Status == run.Completed, result.Status == run.Waiting:
	case result.Error != nil:
		kind = r.errorType(result.Error)
	default:
		kind = r.errorCodes.limitName(result.Status)
	}
	attributes := []attribute.KeyValue{keyRunStatus.String(cutName(result.Status))}
	if result.WaitsFor != "" {
		attributes = append(attributes, keyWaitsFor.String(cutName(result.WaitsFor)))
	}
	r.endFrames(ctx, x, kind, attributes)
}

// endFrames ends the spans of the run and of its agents.
func (r *Recorder) endFrames(ctx context.Context, x *runTrace, errorType string, attributes []attribute.KeyValue) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, f := range x.agents {
		r.endFrame(ctx, f, errorType)
		delete(x.agents, id)
	}
	x.root.span.SetAttributes(attributes...)
	r.endFrame(ctx, x.root, errorType)
}

// endFrame ends the spans of a frame (a run or an agent called as a tool) and records its metrics. errorType is empty if the frame succeeded.
func (r *Recorder) endFrame(ctx context.Context, f *frameTrace, errorType string) {
	seconds := time.Since(f.started).Seconds()
	if errorType != "" {
		setError(f.span, errorType, errorType)
		if f.plan != nil {
			setError(f.plan.span, errorType, errorType)
		}
	}
	if f.usage.Total() > 0 {
		f.span.SetAttributes(keyUsageInput.Int64(countOf(f.usage.Input)), keyUsageOutput.Int64(countOf(f.usage.Output)))
	}
	f.endSpans()
	ctx = trace.ContextWithSpan(ctx, f.span) // for exemplars
	attributes := []attribute.KeyValue{keyOperation.String(operationAgent), keyAgentName.String(f.name)}
	agentLabels := metric.WithAttributes(attributes...)
	r.metrics.agentInferences.Record(ctx, int64(f.inferences), agentLabels)
	r.metrics.agentTools.Record(ctx, int64(f.calls), agentLabels)
	r.metrics.agent.Record(ctx, seconds, metric.WithAttributes(appendError(attributes, errorType)...))
}

// observePart records an event between the start and the end of an execution. The caller holds the lock
// of x.
func (r *Recorder) observePart(ctx context.Context, x *runTrace, e run.Event) {
	switch e.What.(type) {
	case run.ModelStart, run.ModelEnd, run.MessagesCompacted, run.PlanMade, run.StepStart, run.StepEnd, run.CallStart, run.CallEnd:
	default: // other events may arrive after the end of an agent, and frameOf would begin its span again
		return
	}
	f := r.frameOf(ctx, x, e)
	switch what := e.What.(type) {
	case run.ModelStart:
		if f.plan == nil && (what.For == run.PurposePlan || what.For == run.PurposeReplan) {
			f.plan = r.openSpan(trace.ContextWithSpan(ctx, f.span), operationPlan+" "+f.name,
				append(runAttributes(e, x.kind), keyOperation.String(operationPlan), keyAgentName.String(f.name)))
		}
	case run.ModelEnd:
		f.addAnswer(what.Answer)
	case run.MessagesCompacted:
		f.compacted = true
	case run.PlanMade:
		f.endPlan(e.Time)
	case run.StepStart:
		f.endPlan(e.Time)
		r.beginStep(trace.ContextWithSpan(ctx, f.span), f, e)
	case run.StepEnd:
		r.endStep(f, e, what.Result.Error)
	case run.CallStart:
		x.toolNames[what.Request.ID] = what.Request.Name
	case run.CallEnd:
		if what.Attempt > 0 {
			f.calls++
		}
		r.endAgent(ctx, x, what)
	}
}

// beginStep begins the span of a step.
func (r *Recorder) beginStep(ctx context.Context, f *frameTrace, e run.Event) {
	mode := cutName(string(e.What.(run.StepStart).Mode))
	f.steps[e.Step] = r.openSpan(ctx, operationStep+" "+mode, append(runAttributes(e, ""), keyStepMode.String(mode)))
}

// endStep ends the span of a step, if there is one. The error may be nil.
func (r *Recorder) endStep(f *frameTrace, e run.Event, failure *run.Error) {
	if open := f.steps[e.Step]; open != nil && failure != nil {
		kind := r.errorType(failure)
		setError(open.span, kind, kind)
	}
	f.endStep(e.Step, e.Time)
}

// openSpan begins the span of a plan or a step.
func (r *Recorder) openSpan(ctx context.Context, name string, attributes []attribute.KeyValue) *openSpan {
	_, span := r.tracer.Start(ctx, name, trace.WithAttributes(attributes...))
	return &openSpan{span, time.Now()}
}

// frameOf returns the frame of an event. At the first event of an agent, it begins the agent's span.
func (r *Recorder) frameOf(ctx context.Context, x *runTrace, e run.Event) *frameTrace {
	if f := x.findFrame(e.AgentCall); f != nil {
		return f
	}
	callerID, step := run.ParseCallID(e.AgentCall)
	caller := cmp.Or(x.agents[callerID], x.root)
	name := cutName(x.toolNames[e.AgentCall])
	attributes := append(runAttributes(run.Event{Run: e.Run, Step: step}, x.kind), keyOperation.String(operationAgent), keyToolCall.String(cutText(e.AgentCall, maxTextBytes)))
	spanName := operationAgent
	if name != "" { // otherwise, another process has begun the call, and endAgent sets the name
		spanName, attributes = operationAgent+" "+name, append(attributes, keyAgentName.String(name))
	}
	_, span := r.tracer.Start(trace.ContextWithSpan(ctx, caller.parentSpan(step)), spanName, trace.WithAttributes(attributes...))
	f := newFrameTrace(span, name)
	x.agents[e.AgentCall] = f
	return f
}

// endAgent ends the span of the agent that has carried out a call, if there is one.
func (r *Recorder) endAgent(ctx context.Context, x *runTrace, end run.CallEnd) {
	id := end.Call.ID
	delete(x.toolNames, id)
	f := x.agents[id]
	if f == nil {
		return
	}
	delete(x.agents, id)
	if f.name == "" {
		f.name = cutName(end.Call.Request.Name)
		f.span.SetName(operationAgent + " " + f.name)
		f.span.SetAttributes(keyAgentName.String(f.name))
	}
	kind := ""
	if end.Call.Err != nil {
		kind = r.errorType(end.Call.Err)
	}
	r.endFrame(ctx, f, kind)
}
