package note

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
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Mark returns what nobody else has: the mark of a writer, or the ID of a run that was
// given none. It is no secret.
func Mark() string { return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()) }

// maxID bounds the ID of a run, in bytes, for those of its calls begin with it.
const maxID = 256

// Begin makes the first entry of a run.
func Begin(ctx context.Context, j journal.Journal, run string, now time.Time, in record.Input) error {
	if run == "" || len(run) > maxID || strings.Contains(run, "/") {
		return &record.Error{Kind: "invalid_input", Text: fmt.Sprintf("the ID of a run has 1 to %d bytes and no slash", maxID)}
	}
	data, err := jsontext.Encode(in)
	if err != nil {
		return err
	}
	return j.Append(ctx, run, 0, journal.Entry{Format: Format, Kind: KindBegin, By: Mark(), Time: now, Status: record.Running, Data: data})
}

// Send appends a signal to the journal of a run. The error is the journal's, or a
// [*record.Error] if the run will not process the signal; then nothing was appended. The
// check may be nil. It gets the input of the run and the name of the tool of the call, and
// may refuse a signal that is otherwise valid.
func Send(ctx context.Context, j journal.Journal, run string, now time.Time, s record.Signal, check func(in *record.Input, name string) error) error {
	data, err := jsontext.Encode(s)
	if err != nil {
		return invalidSignal("the signal %q is not valid: %v", s.Kind, err)
	}
	switch n, err := Parse(journal.Entry{Kind: s.Kind, Data: data}); {
	case n.Signal == nil:
		return invalidSignal("there is no such signal: %q", s.Kind)
	case err != nil:
		return invalidSignal("the signal %q is not valid: %v", s.Kind, errors.Unwrap(err))
	}
	e := journal.Entry{Format: Format, Kind: s.Kind, By: Mark(), Effect: s.Call, Data: data}
	for there := (standing{call: s.Call}); ; {
		if err := there.read(ctx, j, run); err != nil {
			return err
		}
		if err := there.refuse(s, data); err != nil {
			return err
		}
		if check != nil {
			if err := check(there.in, there.tool); err != nil {
				return err
			}
		}
		e.Time = Later(now, there.last.Time)
		e.Status, e.WaitsFor = Stands(there.last, there.waits, e)
		err := j.Append(ctx, run, there.next, e)
		if _, taken := errors.AsType[*journal.Taken](err); !taken {
			return err
		}
	}
}

func invalidSignal(format string, args ...any) error {
	return &record.Error{Kind: "invalid_input", Text: fmt.Sprintf(format, args...)}
}

// standing is where a run stands, as far as it matters for a signal.
type standing struct {
	call      string // that the signal is about; the entries of others are not parsed
	next      int    // number of the next entry
	last      journal.Entry
	in        *record.Input // of the run
	tool      string        // of the call
	waits     []record.Wait
	questions []ask.Question // of the call, to a person
}

// read takes in what the journal has more.
func (r *standing) read(ctx context.Context, j journal.Journal, run string) error {
	for e, err := range j.Read(ctx, run, r.next) {
		if err != nil {
			return err
		}
		r.last, r.next = e, e.N+1
		n := &Note{Entry: e}
		if e.Kind == KindBegin || r.call != "" && (e.Kind == KindStop || (e.Kind == KindRequest || e.Kind == KindOutcome) && e.Effect == r.call) {
			if n, err = Parse(e); err != nil {
				return err
			}
		}
		switch {
		case n.Begin != nil:
			r.in = n.Begin
		case n.Came != nil:
			r.questions = Questions(Asks(n.Came.Call))
			r.tool = n.Tool()
		case n.Asked != nil:
			r.tool = n.Tool()
		}
		if r.call != "" {
			r.waits = Waiting(r.waits, n)
		}
	}
	return nil
}

// refuse returns an error if the run will not process a signal, which was encoded as data.
func (r *standing) refuse(s record.Signal, data []byte) error {
	ofCall := !slices.Contains([]string{KindSay, KindExtend, KindCancel}, s.Kind)
	switch {
	case slices.Contains([]string{record.Completed, record.Failed, record.Cancelled}, r.last.Status):
		return &record.Error{Kind: "run_ended", Text: fmt.Sprintf("the run is %s", r.last.Status)}
	case ofCall && !slices.ContainsFunc(r.waits, func(w record.Wait) bool { return answers(s, w) }):
		return &record.Error{Kind: "not_waiting", Text: fmt.Sprintf("the run does not wait for a signal %q about a call %q", s.Kind, s.Call)}
	case s.Kind == KindSay && !(r.in != nil && r.in.Messages) && r.last.WaitsFor != record.ForMessage:
		return &record.Error{Kind: "not_waiting", Text: "the run does not read messages now; that it always reads them, its input has to say (Messages)"}
	}
	if text := fault(s, r.questions); text != "" {
		return invalidSignal("%s", text)
	}
	if used, err := jsontext.Encode(usedBy(s)); err != nil || !bytes.Equal(used, data) {
		return invalidSignal("the signal %q has members that are not of its kind; of these the run would use %s", s.Kind, used)
	}
	return nil
}

// LongestOutput is the maximum length of the output of a call and of what was attached to
// it, in bytes, so that there is room for the rest of its entry.
const LongestOutput = journal.MaxEntry - 8<<20

// fault returns what is wrong with a signal, given the questions of its call, and "" if it is
// valid.
func fault(s record.Signal, questions []ask.Question) string {
	switch {
	case s.Kind == KindApprove && isBlank(s.Approval):
		return "an approval needs the name of the person who approves"
	case s.Kind == KindReply:
		return misses(questions, s.Answers)
	case s.Kind == KindExtend && (min(s.Limits.Steps, s.Limits.Tokens) < 0 || s.Limits.Cost < 0): // such as what is left of a budget that is used up
		return "limits must not be negative"
	case s.Kind == KindSay:
		return messageFault(*s.Message)
	case s.Kind == KindSupply && len(s.Output) == 0:
		return "there is no output; of a tool that returns nothing it is null"
	case s.Kind == KindSupply && len(s.Output) > LongestOutput:
		return fmt.Sprintf("the output has %d bytes, at most %d are allowed", len(s.Output), LongestOutput)
	}
	return ""
}

// isBlank reports whether a text has no visible characters.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// messageFault returns what is wrong with a message: parts that no run reads, or that
// endpoints refuse. It returns "" if the message is valid.
func messageFault(m llm.Message) string {
	switch {
	case m.Role != "" && m.Role != llm.RoleUser && m.Role != llm.RoleSystem:
		return fmt.Sprintf("a message is of the role %q or %q, not %q", llm.RoleUser, llm.RoleSystem, m.Role)
	case len(m.Calls) > 0 || m.Result != nil || m.Reasoning != "" || len(m.Provider) > 0:
		return "a message has text and parts; calls, results and reasoning are not read"
	case m.Role == llm.RoleSystem && len(m.Parts) > 0:
		return "a message of the system has only text"
	case isBlank(m.Text) && len(m.Parts) == 0: // which endpoints refuse, again and again
		return "the message is empty"
	}
	for i, p := range m.Parts {
		if err := p.Check(); err != nil {
			return fmt.Sprintf("part %d of the message: %v", i+1, err)
		}
	}
	return ""
}

// usedBy returns a signal with only the members that are of its kind.
func usedBy(s record.Signal) record.Signal {
	switch s.Kind {
	case KindApprove:
		return record.Approve(s.Call, s.Approval, s.Arguments)
	case KindReply:
		return record.Reply(s.Call, s.Answers...)
	case KindDeny:
		return record.Deny(s.Call, s.Reason)
	case KindRedo:
		return record.Redo(s.Call)
	case KindSupply:
		return record.Supply(s.Call, s.Output)
	case KindSay:
		return record.Say(*s.Message)
	case KindExtend:
		return record.Extend(*s.Limits)
	}
	return record.Cancel(s.Reason)
}
