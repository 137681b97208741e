package history

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Show returns the items from one index to another, redacted.
func (r *Run) Show(from, to int) []Item {
	from = min(max(from, 0), len(r.Items))
	to = min(max(to, from), len(r.Items))
	shown := make([]Item, 0, to-from)
	for _, item := range r.Items[from:to] {
		shown = append(shown, r.ShowRow(item))
	}
	return shown
}

// ShowWaits returns the calls that the run waits for, redacted, with the sources of arguments.
func (r *Run) ShowWaits() (shown []Item) {
	for _, item := range r.Waits {
		shown = append(shown, r.showWithSources(item))
	}
	return shown
}

// ShowItem returns the item that an entry belongs to, redacted, with the sources of arguments.
func (r *Run) ShowItem(entry int) (shown Item, ok bool) {
	for _, item := range r.Items {
		isMoment := func(m Moment) bool { return m.Entry == entry }
		if item.Entry == entry || item.Call != nil && slices.ContainsFunc(item.Call.Moments, isMoment) {
			return r.showWithSources(item), true
		}
	}
	return Item{}, false
}

func (r *Run) showWithSources(item *Item) Item {
	shown := r.ShowRow(item)
	if c := item.Call; c != nil {
		arguments, visible := c.arguments(), shown.Call.arguments()
		if c.Outcome != nil && c.Outcome.Arguments != nil { // as the function received them
			arguments, visible = c.Outcome.Arguments, shown.Call.Outcome.Arguments
		}
		shown.Call.Sources = r.findSources(item, arguments, visible)
	}
	return shown
}

// ShowPrompt redacts the request that the model answered with an item.
func (r *Run) ShowPrompt(item Item, request llm.Request) llm.Request {
	return r.redactor.Prompt(r.ID, item.frame.tools, request)
}

// ShowRequest returns the request of the run, redacted.
func (r *Run) ShowRequest() string { return r.redactText(r.Task.Request) }

// ShowResult returns the answer of the run and its error, redacted. A conversation has its latest
// answer.
func (r *Run) ShowResult() (answer json.RawMessage, failure *run.Error) {
	result := &run.Result{Answer: r.Answer, Error: r.Error}
	for i := len(r.Items) - 1; i >= 0 && result.Answer == nil && r.WaitsFor == run.ForMessage; i-- {
		item := r.Items[i]
		if item.Depth == 0 && item.Turn > 0 && len(item.Answer.Response.Calls) == 0 {
			result.Answer, _ = json.Marshal(item.Answer.Response.Text)
		}
	}
	result = redactEvent(r, run.RunStopped{Result: result}, nil).Result
	return result.Answer, result.Error
}

// ShowRow returns an item of the run, redacted, without the sources of arguments.
func (r *Run) ShowRow(item *Item) Item {
	shown := *item
	if item.Error != nil && item.Kind != KindFault {
		shown.Error = redactEvent(r, run.RunStopped{Result: &run.Result{Error: item.Error}}, item.frame.tools).Result.Error
	}
	if item.Answer != nil {
		end := redactEvent(r, item.modelEnd(), item.frame.tools)
		shown.Answer = &end.Answer
	}
	if item.Signal != nil {
		s := r.showSignal(*item.Signal, tool.Request{}, item.frame.tools)
		shown.Signal = &s
	}
	if item.Call != nil {
		shown.Call = r.showCall(item)
	}
	return shown
}

// showCall returns a call, redacted.
func (r *Run) showCall(item *Item) *Call {
	c := *item.Call
	c.Request, c.Outcome = r.showRequest(c.Request, item.frame.tools), r.showOutcome(c.Outcome, item.frame.tools)
	c.Moments = slices.Clone(c.Moments)
	for i := range c.Moments {
		m := &c.Moments[i]
		if m.Request != nil {
			shown := r.showRequest(*m.Request, item.frame.tools)
			m.Request = &shown
		}
		m.Call = r.showOutcome(m.Call, item.frame.tools)
		if m.Signal != nil {
			s := r.showSignal(*m.Signal, item.Call.Request, item.frame.tools)
			m.Signal = &s
		}
	}
	c.edits = slices.Clone(c.edits)
	for i, e := range c.edits {
		q := item.Call.Request
		q.Arguments = e.arguments
		c.edits[i].arguments = r.showRequest(q, item.frame.tools).Arguments
	}
	return &c
}

func (r *Run) showRequest(q tool.Request, tools []tool.Definition) tool.Request {
	return redactEvent(r, run.CallStart{Request: q}, tools).Request
}

func (r *Run) showOutcome(c *tool.Call, tools []tool.Definition) *tool.Call {
	return redactEvent(r, run.CallEnd{Call: c}, tools).Call
}

// showSignal returns a signal. It redacts the answers, arguments and output like those of a call, and texts like
// messages.
func (r *Run) showSignal(s run.Signal, q tool.Request, tools []tool.Definition) run.Signal {
	if r.redactor == nil {
		return s
	}
	q.Answers, q.Approval = s.Answers, s.Approval
	if s.Arguments != nil {
		q.Arguments = s.Arguments
	}
	shown := r.showRequest(q, tools)
	s.Answers, s.Approval = shown.Answers, shown.Approval
	if s.Arguments != nil {
		s.Arguments = shown.Arguments
	}
	s.Reason = r.redactText(s.Reason)
	if s.Message != nil {
		m := r.redactMessage(*s.Message)
		s.Message = &m
	}
	if s.Output != nil {
		s.Output = r.showOutcome(&tool.Call{ID: q.ID, Request: q, Status: tool.StatusCompleted, Output: s.Output}, tools).Output
	}
	return s
}
