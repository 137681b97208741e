package run

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Signal is a message to a run. Create one with a function such as [Approve] and send it with
// [Env.Send].
type Signal struct {
	Kind      string          `json:"-"`              // of its entry
	Call      string          `json:"call,omitempty"` // ID of the call that the signal is about
	Approval  string          `json:"approval,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // replace those of the call
	Answers   []tool.Answer   `json:"answers,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Message   *llm.Message    `json:"message,omitempty"`
	Output    json.RawMessage `json:"output,omitempty"`
	Limits    *Limits         `json:"limits,omitempty"`
}

// Approve allows a call that waits for approval. Arguments, if not nil, replace its arguments.
// The approval names the person who approves and must not be blank.
func Approve(call, approval string, arguments json.RawMessage) Signal {
	return Signal{Kind: "approve", Call: call, Approval: approval, Arguments: arguments}
}

// Reply answers the questions of a waiting call in order. The call is then repeated. Create the
// answers with [tool.Question.Accept] or Cancel.
func Reply(call string, answers ...tool.Answer) Signal {
	return Signal{Kind: "reply", Call: call, Answers: answers}
}

// Deny lets a waiting call fail. The model receives the reason.
func Deny(call, reason string) Signal { return Signal{Kind: "deny", Call: call, Reason: reason} }

// Redo repeats a call whose outcome is unknown. It may then have been made twice.
func Redo(call string) Signal { return Signal{Kind: "redo", Call: call} }

// Supply provides the output of a call whose outcome is unknown.
func Supply(call string, output json.RawMessage) Signal {
	return Signal{Kind: "supply", Call: call, Output: output}
}

// Say sends a run a user or system message with text or parts. A run that does not read messages
// refuses it: see [Input].
func Say(message llm.Message) Signal { return Signal{Kind: "say", Message: &message} }

// Extend replaces the limits of a run.
func Extend(limits Limits) Signal { return Signal{Kind: "extend", Limits: &limits} }

// Cancel ends a run. If the run is being driven, it ends at its next effect.
func Cancel(reason string) Signal { return Signal{Kind: "cancel", Reason: reason} }
