package history

import (
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
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

// redact returns an event as it may be shown. Tools are the tools of its frame; nil means those of the run.
func (r *Run) redact(what any, tools []tool.Definition) any {
	if r.redactor == nil {
		return what
	}
	if tools == nil {
		tools = r.frames[0].tools
	}
	return r.redactor.Event(run.Event{Run: r.ID, Tools: tools, What: what}).What
}

// redactPlan returns the plan as it may be shown.
func (r *Run) redactPlan(p plan.Plan) plan.Plan {
	if shown, ok := r.redact(run.PlanMade{Plan: p}, nil).(run.PlanMade); ok {
		return shown.Plan
	}
	return plan.Plan{}
}

// redactMessage returns a message as it may be shown.
func (r *Run) redactMessage(m llm.Message) llm.Message {
	shown, _ := r.redact(run.MessageRead{Message: m}, nil).(run.MessageRead)
	return shown.Message
}

// redactText returns a text of a person or about a call as it may be shown.
func (r *Run) redactText(text string) string {
	return r.redactMessage(llm.Message{Text: text}).Text
}
