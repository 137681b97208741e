package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// NewID returns a unique ID for a writer or a run. It is not a secret.
func NewID() string { return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()) }

// maxIDLength is the maximum length of a run ID in bytes. Call IDs begin with it.
const maxIDLength = 256

// checkID returns an error if a run cannot have this ID.
func checkID(run string) error {
	if run == "" || len(run) > maxIDLength || strings.Contains(run, "/") {
		return &Error{Kind: "invalid_input", Text: fmt.Sprintf("a run ID must have 1 to %d bytes and no slash", maxIDLength)}
	}
	return nil
}

// SendSignal appends a signal to the journal of a run. The error is the journal's, or an [*Error]
// if the run will not process the signal; then nothing was appended. If check is not nil, it
// receives the input of the run and the name of the call's tool, and may refuse an otherwise
// valid signal.
func SendSignal(ctx context.Context, j journal.Journal, run string, now time.Time, s Signal, check func(in *Input, name string) error) error {
	data, err := jsontext.Encode(s)
	if err != nil {
		return newSignalError("invalid signal %q: %v", s.Kind, err)
	}
	switch n, err := parseEntry(journal.Entry{Kind: s.Kind, Data: data}); {
	case n.Signal == nil:
		return newSignalError("unknown signal %q", s.Kind)
	case err != nil:
		return newSignalError("invalid signal %q: %v", s.Kind, errors.Unwrap(err))
	}
	e := journal.Entry{Format: entryFormat, Kind: s.Kind, By: NewID(), Effect: s.Call, Data: data}
	owner, _ := ParseCallID(s.Call)
	for target := (signalTarget{callID: s.Call, agentCall: owner}); ; {
		if err := target.readEntries(ctx, j, run); err != nil {
			return err
		}
		if err := target.checkAccepts(s, data); err != nil {
			return err
		}
		if check != nil {
			if err := check(target.in, target.tool); err != nil {
				return err
			}
		}
		e.Time = laterTime(now, target.last.Time)
		e.Status, e.WaitsFor = statusAfter(target.last, target.waits, e)
		err := j.Append(ctx, run, target.next, e)
		if _, conflict := errors.AsType[*journal.ConflictError](err); !conflict {
			return err
		}
	}
}

func newSignalError(format string, args ...any) error {
	return &Error{Kind: "invalid_input", Text: fmt.Sprintf(format, args...)}
}

// signalTarget is the part of a run's state that determines whether the run accepts a signal.
type signalTarget struct {
	callID    string // ID of the call that the signal is about; entries of other calls are not parsed
	next      int    // number of the next entry
	last      journal.Entry
	agentCall string // if an agent made the call of the signal, the ID of the call that this agent carries out
	in        *Input // of the run, or of that agent
	tool      string // name of the call's tool
	waits     []Wait
	questions []tool.Question // questions of the call that a person must answer
}

// readEntries processes the entries from r.next on.
func (r *signalTarget) readEntries(ctx context.Context, j journal.Journal, run string) error {
	for e, err := range j.Read(ctx, run, r.next) {
		if err != nil {
			return err
		}
		r.last, r.next = e, e.N+1
		n := &runEntry{Entry: e}
		if r.isRelevant(e) {
			if n, err = parseEntry(e); err != nil {
				return err
			}
		}
		switch {
		case n.Begin != nil:
			r.in = n.Begin
		case n.Agent != nil:
			r.in = &n.Agent.Input
		case n.Outcome != nil:
			r.questions = openQuestions(askErrorOf(n.Outcome.Call))
			r.tool = n.toolName()
		case n.Request != nil:
			r.tool = n.toolName()
		}
		if r.callID != "" {
			r.waits = updateWaits(r.waits, n)
		}
	}
	return nil
}

// isRelevant reports whether an entry has to be decoded.
func (r *signalTarget) isRelevant(e journal.Entry) bool {
	switch e.Kind {
	case kindBegin:
		return true
	case kindStop:
		return r.callID != ""
	case kindRequest, kindOutcome:
		return r.callID != "" && e.Effect == r.callID
	case kindAgent:
		return r.callID != "" && e.Effect == r.agentCall
	}
	return false
}

// checkAccepts returns an error if the run will not process the signal, whose encoding is data.
func (r *signalTarget) checkAccepts(s Signal, data []byte) error {
	ofCall := !slices.Contains([]string{kindSay, kindExtend, kindCancel}, s.Kind)
	switch {
	case slices.Contains([]string{Completed, Failed, Cancelled}, r.last.Status):
		return &Error{Kind: "run_ended", Text: fmt.Sprintf("the run is %s", r.last.Status)}
	case ofCall && !slices.ContainsFunc(r.waits, func(w Wait) bool { return answersWait(s, w) }):
		return &Error{Kind: "not_waiting", Text: fmt.Sprintf("the run does not wait for a signal %q for call %q", s.Kind, s.Call)}
	case s.Kind == kindSay && !(r.in != nil && r.in.Messages) && r.last.WaitsFor != ForMessage:
		return &Error{Kind: "not_waiting", Text: "the run does not read messages now; set Messages in its input to let it always read them"}
	}
	if text := signalFault(s, r.questions); text != "" {
		return newSignalError("%s", text)
	}
	if used, err := jsontext.Encode(usedMembers(s)); err != nil || !bytes.Equal(used, data) {
		return newSignalError("the signal %q has members that do not belong to its kind; the run would use only %s", s.Kind, used)
	}
	return nil
}

// maxOutputLength is the maximum length in bytes of the output of a call with its attachments. It
// leaves room for the rest of the entry.
const maxOutputLength = journal.MaxEntry - 8<<20

// signalFault returns what is wrong with a signal, or "" if it is valid. The questions are those
// of its call.
func signalFault(s Signal, questions []tool.Question) string {
	switch {
	case s.Kind == kindApprove && isBlank(s.Approval):
		return "an approval needs the name of the person who approves"
	case s.Kind == kindReply:
		return missingAnswers(questions, s.Answers)
	case s.Kind == kindExtend && (min(s.Limits.Steps, s.Limits.Tokens) < 0 || s.Limits.Cost < 0): // as when a program subtracts the usage from an exceeded budget
		return "limits must not be negative"
	case s.Kind == kindSay:
		return messageFault(*s.Message)
	case s.Kind == kindSupply && len(s.Output) == 0:
		return "the output is missing; send null for a tool that returns nothing"
	case s.Kind == kindSupply && len(s.Output) > maxOutputLength:
		return fmt.Sprintf("the output has %d bytes, at most %d are allowed", len(s.Output), maxOutputLength)
	}
	return ""
}

// isBlank reports whether a text has no visible characters.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// messageFault returns what is wrong with a message, such as a part that no run reads or that
// endpoints reject. It returns "" for a valid message.
func messageFault(m llm.Message) string {
	switch {
	case m.Role != "" && m.Role != llm.RoleUser && m.Role != llm.RoleSystem:
		return fmt.Sprintf("the role of a message must be %q or %q, not %q", llm.RoleUser, llm.RoleSystem, m.Role)
	case len(m.Calls) > 0 || m.Result != nil || m.Reasoning != "" || len(m.Provider) > 0:
		return "a message may have only text and parts, not calls, results or reasoning"
	case m.Role == llm.RoleSystem && len(m.Parts) > 0:
		return "a system message may have only text"
	case isBlank(m.Text) && len(m.Parts) == 0: // endpoints would reject it on every attempt
		return "the message is empty"
	}
	for i, p := range m.Parts {
		if err := p.Check(); err != nil {
			return fmt.Sprintf("part %d of the message: %v", i+1, err)
		}
	}
	return ""
}

// usedMembers returns a signal with only the members that its kind uses.
func usedMembers(s Signal) Signal {
	switch s.Kind {
	case kindApprove:
		return Approve(s.Call, s.Approval, s.Arguments)
	case kindReply:
		return Reply(s.Call, s.Answers...)
	case kindDeny:
		return Deny(s.Call, s.Reason)
	case kindRedo:
		return Redo(s.Call)
	case kindSupply:
		return Supply(s.Call, s.Output)
	case kindSay:
		return Say(*s.Message)
	case kindExtend:
		return Extend(*s.Limits)
	}
	return Cancel(s.Reason)
}
