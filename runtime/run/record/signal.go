package record

import (
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Signal is what somebody tells a run, by [Send].
type Signal struct {
	kind      string
	Call      string          `json:"call,omitempty"` // ID of the call that it is about
	Approval  string          `json:"approval,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // in place of those of the call
	Reason    string          `json:"reason,omitempty"`
	Message   *llm.Message    `json:"message,omitempty"`
	Output    json.RawMessage `json:"output,omitempty"`
	Limits    *Limits         `json:"limits,omitempty"`
}

// check returns what a signal of a kind lacks.
func (s *Signal) check(kind string) error {
	switch {
	case kind == KindSay && s.Message == nil:
		return errors.New("there is no message")
	case kind == KindExtend && s.Limits == nil:
		return errors.New("there are no limits")
	}
	return nil
}

// answers tells whether a signal about a call is what a run waits for.
func (s *Signal) answers(w Wait) bool {
	switch {
	case w.Call != s.Call:
		return false
	case s.kind == KindApprove:
		return w.For == ForApproval
	case s.kind == KindRedo, s.kind == KindSupply:
		return w.For == ForDecision
	}
	return true
}

// Approve lets a call run that waits for approval; with other arguments, if there are
// any.
func Approve(call, approval string, arguments json.RawMessage) Signal {
	return Signal{kind: KindApprove, Call: call, Approval: approval, Arguments: arguments}
}

// Deny lets a call fail that the run waits for. The model is told the reason.
func Deny(call, reason string) Signal { return Signal{kind: KindDeny, Call: call, Reason: reason} }

// Redo has a call made again of which nobody knows what came of it. It may then have
// been made twice.
func Redo(call string) Signal { return Signal{kind: KindRedo, Call: call} }

// Supply tells what came of a call of which the run does not know it.
func Supply(call string, output json.RawMessage) Signal {
	return Signal{kind: KindSupply, Call: call, Output: output}
}

// Say gives a run a message.
func Say(message llm.Message) Signal { return Signal{kind: KindSay, Message: &message} }

// Extend replaces the limits of a run.
func Extend(limits Limits) Signal { return Signal{kind: KindExtend, Limits: &limits} }

// Cancel ends a run, at the next effect if it is being driven.
func Cancel(reason string) Signal { return Signal{kind: KindCancel, Reason: reason} }
