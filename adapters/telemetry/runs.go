package telemetry

import (
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// runTable contains the runs that this process executes.
type runTable struct {
	mu   sync.Mutex
	runs map[string]*runTrace
}

// runTrace contains the open spans of an execution of a run.
type runTrace struct {
	ambient trace.SpanContext // span in the context with which the run is executed
	kind    string            // kind of the run

	mu        sync.Mutex
	root      *frameTrace
	agents    map[string]*frameTrace // that carry out calls, by the ID of the call
	toolNames map[string]string      // names of the tools of open calls, by the ID of the call
}

// frameTrace contains the open spans of a frame: the run itself, or an agent that carries out a call
// of the run.
type frameTrace struct {
	span    trace.Span
	name    string // name of the agent
	started time.Time
	plan    *openSpan            // nil if no plan is being made
	steps   map[string]*openSpan // by ID

	inferences, calls int       // number of calls of models and of tools
	usage             llm.Usage // sum for all calls of models
	compacted         bool      // the conversation was compacted
}

// newFrameTrace returns a frameTrace that starts now.
func newFrameTrace(span trace.Span, name string) *frameTrace {
	return &frameTrace{span: span, name: name, started: time.Now(), steps: map[string]*openSpan{}}
}

// addRun adds a run. If the table already has a run with this ID, whose end was not reported, addRun
// replaces and returns it.
func (t *runTable) addRun(id string, x *runTrace) (previous *runTrace) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.runs == nil {
		t.runs = map[string]*runTrace{}
	}
	previous = t.runs[id]
	t.runs[id] = x
	return previous
}

// findRun returns the run, or nil.
func (t *runTable) findRun(id string) *runTrace {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.runs[id]
}

// removeRun removes and returns the run, or returns nil.
func (t *runTable) removeRun(id string) *runTrace {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.runs[id]
	delete(t.runs, id)
	return x
}

// findFrame returns the frame to which an event belongs, or nil. The caller holds the lock.
func (x *runTrace) findFrame(agentCall string) *frameTrace {
	if agentCall == "" {
		return x.root
	}
	return x.agents[agentCall]
}

// findOrigin returns the innermost open span for the call of a model or tool that an event describes, and
// the origin of the call.
func (x *runTrace) findOrigin(e run.Event) (trace.Span, callOrigin) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f := x.findFrame(e.AgentCall)
	if f == nil {
		return x.root.span, callOrigin{event: e, kind: x.kind}
	}
	return f.parentSpan(e.Step), callOrigin{e, x.kind, f.name, f.compacted}
}

func (f *frameTrace) parentSpan(step string) trace.Span {
	switch open := f.steps[step]; {
	case open != nil:
		return open.span
	case f.plan != nil:
		return f.plan.span
	}
	return f.span
}

// addAnswer counts an answer of a model, and its tokens unless they are estimated.
func (f *frameTrace) addAnswer(a run.Answer) {
	f.inferences++
	if !a.Estimated {
		f.usage = f.usage.Add(a.Response.Usage)
	}
}

// endSpans ends the spans of a frame.
func (f *frameTrace) endSpans() {
	now := time.Now()
	f.endPlan(now)
	for id := range f.steps {
		f.endStep(id, now)
	}
	f.span.End()
}

// endPlan ends the span of the plan, if there is one.
func (f *frameTrace) endPlan(at time.Time) {
	if f.plan != nil {
		f.plan.endSpan(at)
		f.plan = nil
	}
}

// endStep ends the span of a step, if there is one.
func (f *frameTrace) endStep(id string, at time.Time) {
	if open := f.steps[id]; open != nil {
		open.endSpan(at)
		delete(f.steps, id)
	}
}

// openSpan is the span of a plan or a step.
type openSpan struct {
	span    trace.Span
	started time.Time
}

// endSpan ends the span at the time of an event, which may be earlier than its delivery. If the time is
// implausible, because the run uses another clock, the span ends now.
func (s *openSpan) endSpan(at time.Time) {
	if now := time.Now(); at.Before(s.started) || at.After(now) {
		at = now
	}
	s.span.End(trace.WithTimestamp(at))
}
