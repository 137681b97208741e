package record

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/llm"
)

// Signal is what somebody tells a run, such as [Approve] returns. A run is told by the method
// Send of a run.Env.
type Signal struct {
	Kind      string          `json:"-"`              // that of its entry
	Call      string          `json:"call,omitempty"` // ID of the call that it is about
	Approval  string          `json:"approval,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // in place of those of the call
	Answers   []ask.Answer    `json:"answers,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Message   *llm.Message    `json:"message,omitempty"`
	Output    json.RawMessage `json:"output,omitempty"`
	Limits    *Limits         `json:"limits,omitempty"`
}

// Approve lets a call run that waits for approval; with other arguments, if there are
// any. The approval names the person who approves, and must not be blank.
func Approve(call, approval string, arguments json.RawMessage) Signal {
	return Signal{Kind: "approve", Call: call, Approval: approval, Arguments: arguments}
}

// Reply answers the questions that a call waits with, each in its turn; it is then made
// again. Answers are made by the questions: see [ask.Question.Accept].
func Reply(call string, answers ...ask.Answer) Signal {
	return Signal{Kind: "reply", Call: call, Answers: answers}
}

// Deny lets a call fail that the run waits for. The model is told the reason.
func Deny(call, reason string) Signal { return Signal{Kind: "deny", Call: call, Reason: reason} }

// Redo has a call made again of which nobody knows what came of it. It may then have
// been made twice.
func Redo(call string) Signal { return Signal{Kind: "redo", Call: call} }

// Supply tells what came of a call of which the run does not know it.
func Supply(call string, output json.RawMessage) Signal {
	return Signal{Kind: "supply", Call: call, Output: output}
}

// Say gives a run a message of the user or the system, with a text or parts. A run that
// does not read messages refuses it: see [Input].
func Say(message llm.Message) Signal { return Signal{Kind: "say", Message: &message} }

// Extend replaces the limits of a run.
func Extend(limits Limits) Signal { return Signal{Kind: "extend", Limits: &limits} }

// Cancel ends a run, at the next effect if it is being driven.
func Cancel(reason string) Signal { return Signal{Kind: "cancel", Reason: reason} }
