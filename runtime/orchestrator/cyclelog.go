package orchestrator

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
)

// CycleLog returns a receiver of events that writes one line of JSON per cycle to w. A cycle is a step
// of a plan, a turn of a conversation, or the time before the first or after the last of them. Each
// line is written with one call of Write, and the calls do not overlap. A line has these members:
//
//	run                 the ID of the run
//	agent_call          the ID of the call that an agent carries out, if the cycle is one of an agent; see [AsTool]
//	step_number         the number of the cycle's step, in the order in which steps had their first effect; 0 if there is no step
//	plan_state          the plan that was made, the status of the step, or the status of the run when it stops
//	llm_output          answers of the model
//	supervisor_actions  attempts at repairs
//	tool_calls          calls that ended
//	ttl_remaining       steps that the run may still begin, if there is a limit
//	errors              what went wrong
//	timestamp           the end of the cycle
//
// Empty members are left out. The receiver is safe for concurrent use: one log may contain lines of
// several runs, and the lines of each run are in order. A log that cannot be written does not stop
// a run. CycleLog passes only the first error to failed. If failed is nil, the default logger of
// package slog receives it.
//
// If r is not nil, lines contain the events as redacted by r. The redaction happens when a line is
// written, so a line also hides values that r has learned to hide since the events of the line.
func CycleLog(w io.Writer, r *redact.Redactor, failed func(error)) func(context.Context, run.Event) {
	if failed == nil {
		failed = func(err error) { slog.Error("lines of the cycle log are missing", "error", err) }
	}
	return (&cycleLogger{w: w, redactor: r, runs: map[string]cycles{}, failed: failed}).handleEvent
}

type cycleLogger struct {
	redactor *redact.Redactor // may be nil
	failed   func(error)

	mu              sync.Mutex
	runs            map[string]cycles // unfinished cycles by the ID of the run, or of the call that an agent carries out
	w               io.Writer
	torn            bool // the last line was not written completely
	failureReported bool // failed was called
}

// cycles are the unfinished cycles of a run by their steps. Several may overlap. The step "" is
// the time before the first step and after the last.
type cycles map[string]*cycle

// handleEvent adds an event to its cycle, and writes the cycles that it ends.
func (l *cycleLogger) handleEvent(_ context.Context, e run.Event) {
	l.redactor.Learn(e)
	for _, c := range l.endCycles(e) {
		for _, e := range c.events {
			c.addEvent(l.redactor.Event(e))
		}
		if c.isEmpty() {
			continue
		}
		text, err := jsontext.Marshal(c, "")
		l.writeLine(text, err)
	}
}

// endCycles returns the cycles that an event ends.
func (l *cycleLogger) endCycles(e run.Event) []*cycle {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, begins := e.What.(run.RunClaimed); begins {
		l.endRuns(e, e.Run)
	}
	owner := cmp.Or(e.AgentCall, e.Run)
	r := l.runs[owner]
	if r == nil {
		r = cycles{}
		l.runs[owner] = r
	}
	r.addEvent(e)
	switch w := e.What.(type) {
	case run.ModelEnd:
		if w.For == run.PurposeTurn { // a turn of the model ends the previous turn
			return r.endMatching(e, func(step string) bool { return step != e.Step })
		}
	case run.PlanMade, run.StepEnd:
		return r.endMatching(e, func(step string) bool { return step == e.Step })
	case run.CallEnd:
		return l.endRuns(e, w.Call.ID)
	case run.RunStopped, run.RunDetached:
		return l.endRuns(e, e.Run)
	}
	return nil
}

// endRuns ends all cycles of a run or a call, and of the calls inside it.
func (l *cycleLogger) endRuns(e run.Event, id string) (ended []*cycle) {
	for _, owner := range slices.Backward(slices.Sorted(maps.Keys(l.runs))) {
		if owner == id || strings.HasPrefix(owner, id+"/") {
			ended = append(ended, l.runs[owner].endMatching(e, func(string) bool { return true })...)
			delete(l.runs, owner)
		}
	}
	return ended
}

// addEvent adds an event to the cycle of its step.
func (r cycles) addEvent(e run.Event) {
	c := r[e.Step]
	if c == nil {
		c = &cycle{Run: e.Run, Agent: e.AgentCall}
		r[e.Step] = c
	}
	c.Number = e.Number
	if isLogged(e.What) {
		c.events = append(c.events, e)
	}
}

// endMatching ends the cycles of the steps for which match returns true. It returns them in the order
// of the steps, with the cycle without a step last.
func (r cycles) endMatching(e run.Event, match func(step string) bool) (ended []*cycle) {
	for _, step := range slices.Sorted(maps.Keys(r)) {
		if !match(step) {
			continue
		}
		c := r[step]
		delete(r, step)
		if c.Time = e.Time; e.StepsLeft >= 0 {
			c.TTL = &e.StepsLeft
		}
		ended = append(ended, c)
	}
	slices.SortStableFunc(ended, func(a, b *cycle) int { return cmp.Compare(uint(a.Number-1), uint(b.Number-1)) })
	return ended
}

// writeLine writes a line. If err is not nil, the line could not be encoded, and writeLine only
// reports err.
func (l *cycleLogger) writeLine(line []byte, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		line = append(line, '\n')
		if l.torn {
			line = append([]byte{'\n'}, line...)
		}
		var n int
		n, err = l.w.Write(line)
		if n > 0 {
			l.torn = n < len(line)
		}
		if err == nil && n < len(line) {
			err = io.ErrShortWrite
		}
	}
	if err != nil && !l.failureReported {
		l.failureReported = true
		l.failed(err)
	}
}
