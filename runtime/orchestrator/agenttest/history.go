package agenttest

import (
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// history is what a run did, according to its records.
type history struct {
	records []run.Record
	calls   []*madeCall // in the order of their first records
	changes []*change   // in order
	byID    map[string]*madeCall
}

// madeCall is a call of a run.
type madeCall struct {
	name      string
	arguments []byte
	running   *change // the change without an outcome; nil if there is none
}

// change is an attempt to call a function that may change something.
type change struct {
	call   *madeCall
	notRun bool // the function was not called, or it only asked a question
}

// add adds a record.
func (h *history) add(r run.Record) {
	h.records = append(h.records, r)
	switch {
	case r.Request != nil:
		c := h.call(r.Request.ID, r.Request.Name, r.Request.Arguments)
		c.running = &change{call: c}
		h.changes = append(h.changes, c.running)
	case r.Call != nil:
		c := h.call(r.Call.ID, r.Call.Request.Name, r.Call.Arguments)
		if c.running != nil {
			c.running.notRun = !r.Ran || tool.Code(r.Call.Err) == tool.Code(new(tool.AskError))
		}
		c.running = nil
	case r.Signal != nil && h.byID[r.Signal.Call] != nil:
		h.byID[r.Signal.Call].running = nil // the outcome is unknown, the function may have run
	}
}

// call returns the call with an ID, and sets its name and its latest arguments.
func (h *history) call(id, name string, arguments []byte) *madeCall {
	if h.byID == nil {
		h.byID = map[string]*madeCall{}
	}
	c := h.byID[id]
	if c == nil {
		c = new(madeCall)
		h.byID[id], h.calls = c, append(h.calls, c)
	}
	c.name, c.arguments = name, arguments
	return c
}

// changingCalls returns the calls that may have changed something, once for each change.
func (h *history) changingCalls() (calls []*madeCall) {
	for _, c := range h.changes {
		if !c.notRun {
			calls = append(calls, c.call)
		}
	}
	return calls
}
