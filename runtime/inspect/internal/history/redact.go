package history

import (
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// learn lets the redactor remember the hidden values of an event, so that it hides them everywhere.
func (r *Run) learn(what any) {
	if r.redactor != nil {
		r.redactor.Learn(run.Event{Run: r.ID, Tools: r.frame().tools, What: what})
	}
}

// learnSignal learns from a signal about a call, as if the values in the signal were part of the call.
func (r *Run) learnSignal(s run.Signal, q tool.Request) {
	q.Answers, q.Approval = s.Answers, s.Approval
	if s.Arguments != nil {
		q.Arguments = s.Arguments
	}
	r.learn(run.CallEnd{Call: &tool.Call{ID: q.ID, Request: q, Arguments: q.Arguments, Output: s.Output}})
	r.learn(run.MessageRead{Message: llm.Message{Text: s.Reason}})
}

// redactEvent returns an event as it may be shown. Tools are the tools of its frame; nil means those of the run.
func redactEvent[T any](r *Run, what T, tools []tool.Definition) T {
	if r.redactor == nil {
		return what
	}
	if tools == nil {
		tools = r.frames[0].tools
	}
	return r.redactor.Event(run.Event{Run: r.ID, Tools: tools, What: what}).What.(T) // redactors keep the type of every event of package run
}

// redactMessage returns a message as it may be shown.
func (r *Run) redactMessage(m llm.Message) llm.Message {
	return redactEvent(r, run.MessageRead{Message: m}, nil).Message
}

// redactText returns a text of a person or about a call as it may be shown.
func (r *Run) redactText(text string) string {
	return r.redactMessage(llm.Message{Text: text}).Text
}
