// Package cyclelog writes what plans and conversations do, as JSON: a line for each
// cycle, with what changed in it. A cycle is a plan that is made, a step of it, a turn
// of a conversation, or what a run does before it stops.
//
// Its layers, from top to bottom:
//
//	cyclelog  which cycles there are, and when they end
//	line      what changed in one
package cyclelog

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// New returns a sink of events that writes each line to w with one call of its Write,
// which no other overlaps. Its members are
//
//	run                 the ID of the run
//	step_number         of the step that the cycle is, in the order in which steps began to do something; 0 if it is none
//	plan_state          the plan that was made, the status of the step, or that of the run when it stops
//	llm_output          answers of the model
//	supervisor_actions  attempts at repairs
//	tool_calls          calls that ended
//	ttl_remaining       steps that the run may still begin, if there is a limit
//	errors              what went wrong
//	timestamp           the end of the cycle
//
// and those are left out in which nothing changed. It is safe for concurrent use: lines of several runs, each
// with the ID of its run, stand in one log, those of one run in their order. A log that
// cannot be written stops no run: failed is told of the first line that cannot, or if it
// is nil the default logger of package slog.
//
// If r is not nil, a line has what r shows of its events, and hides all values that were
// hidden before the line is written, also in events that came earlier.
func New(w io.Writer, r *redact.Redactor, failed func(error)) func(context.Context, record.Event) {
	if failed == nil {
		failed = func(err error) { slog.Error("lines are missing in the log of cycles", "error", err) }
	}
	return (&log{w: w, redactor: r, runs: map[string]cycles{}, failed: failed}).take
}

type log struct {
	redactor *redact.Redactor // may be nil
	failed   func(error)

	mu    sync.Mutex
	runs  map[string]cycles // that are under way
	w     io.Writer
	torn  bool // the last line has no end
	wrong bool // somebody was told of an error
}

// cycles are those of a run that have begun, by their steps, of which there may be
// several side by side. Before there is a step, or after the last, it is none.
type cycles map[string]*cycle

// take takes in an event.
func (l *log) take(_ context.Context, e record.Event) {
	l.redactor.Learn(e)
	for _, c := range l.ended(e) {
		for _, e := range c.events {
			c.add(l.redactor.Event(e))
		}
		if c.empty() {
			continue
		}
		text, err := jsontext.Marshal(c, "")
		l.write(text, err)
	}
}

// ended returns the lines of the cycles that end with an event.
func (l *log) ended(e record.Event) []*cycle {
	l.mu.Lock()
	defer l.mu.Unlock()
	run := l.runs[e.Run]
	if _, begins := e.What.(record.Claimed); run == nil || begins {
		run = cycles{}
		l.runs[e.Run] = run
	}
	var all []*cycle
	switch w := e.What.(type) {
	case record.ModelEnd:
		if w.For == event.ForTurn { // which is the end of the turn before
			all = run.end(e, func(step string) bool { return step != e.Step })
		}
		run.keep(e)
	case event.PlanMade, event.StepEnd:
		run.keep(e)
		all = run.end(e, func(step string) bool { return step == e.Step })
	case record.Stopped, record.Lost:
		run.keep(e)
		all = run.end(e, func(string) bool { return true })
		delete(l.runs, e.Run)
	default:
		run.keep(e)
	}
	return all
}

// keep adds an event to the cycle that it is of.
func (run cycles) keep(e record.Event) {
	c := run[e.Step]
	if c == nil {
		c = &cycle{Run: e.Run}
		run[e.Step] = c
	}
	c.Number = e.Number
	if appears(e.What) {
		c.events = append(c.events, e)
	}
}

// end ends cycles with an event, and returns those of which there is something to say:
// steps in their order, then what is of none.
func (run cycles) end(e record.Event, which func(step string) bool) (ended []*cycle) {
	for _, step := range slices.Sorted(maps.Keys(run)) {
		if !which(step) {
			continue
		}
		c := run[step]
		delete(run, step)
		if c.Time = e.Time; e.Left >= 0 {
			c.TTL = &e.Left
		}
		ended = append(ended, c)
	}
	slices.SortStableFunc(ended, func(a, b *cycle) int { return cmp.Compare(uint(a.Number-1), uint(b.Number-1)) })
	return ended
}

// write writes a line, unless it could not be made.
func (l *log) write(line []byte, err error) {
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
	if err != nil && !l.wrong {
		l.wrong = true
		l.failed(err)
	}
}
