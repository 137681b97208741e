package note

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
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
	data, err := record.Encode(in)
	if err != nil {
		return err
	}
	return j.Append(ctx, run, 0, journal.Entry{Format: Format, Kind: KindBegin, By: Mark(), Time: now, Status: record.Running, Data: data})
}

// Send tells a run something. The error is the journal's, or a [*record.Error] if the
// run has ended or does not wait for the call; then nothing was appended.
func Send(ctx context.Context, j journal.Journal, run string, now time.Time, s record.Signal) error {
	data, err := record.Encode(s)
	if err != nil {
		return err
	}
	if n, err := Parse(journal.Entry{Kind: s.Kind, Data: data}); err != nil || n.Signal == nil {
		return &record.Error{Kind: "invalid_input", Text: fmt.Sprintf("there is no such signal: %q", s.Kind)}
	}
	e := journal.Entry{Format: Format, Kind: s.Kind, By: Mark(), Effect: s.Call, Data: data}
	var waits []record.Wait
	var last journal.Entry
	for next := 0; ; {
		for there, err := range j.Read(ctx, run, next) {
			if err != nil {
				return err
			}
			last, next = there, there.N+1
			if s.Call == "" { // what the run does otherwise need not be understood
				continue
			}
			n := &Note{Entry: there}
			if there.Kind == KindStop {
				if n, err = Parse(there); err != nil {
					return err
				}
			}
			waits = Waiting(waits, n)
		}
		switch {
		case slices.Contains([]string{record.Completed, record.Failed, record.Cancelled}, last.Status):
			return &record.Error{Kind: "run_ended", Text: fmt.Sprintf("the run is %s", last.Status)}
		case s.Call != "" && !slices.ContainsFunc(waits, func(w record.Wait) bool { return answers(s, w) }):
			return &record.Error{Kind: "not_waiting", Text: fmt.Sprintf("the run does not wait for anybody to %s a call %q", s.Kind, s.Call)}
		case s.Kind == KindExtend && (min(s.Limits.Steps, s.Limits.Tokens) < 0 || s.Limits.Cost < 0): // such as what is left of a budget that is used up
			return &record.Error{Kind: "invalid_input", Text: "limits must not be negative"}
		case s.Kind == KindSay && strings.TrimSpace(s.Message.Text) == "" && len(s.Message.Parts) == 0:
			return &record.Error{Kind: "invalid_input", Text: "the message is empty"} // which endpoints refuse, again and again
		case s.Kind == KindSupply && s.Output == nil:
			return &record.Error{Kind: "invalid_input", Text: "there is no output; of a tool that returns nothing it is null"}
		}
		e.Time = Later(now, last.Time)
		e.Status, e.WaitsFor = Stands(last, waits, e)
		err := j.Append(ctx, run, next, e)
		if _, taken := errors.AsType[*journal.Taken](err); !taken {
			return err
		}
	}
}

// Stands returns status and what is waited for after an entry of somebody who does not
// drive the run, given its last entry and the calls that it waits for: as before, unless
// that is what the run stopped for.
func Stands(last journal.Entry, calls []record.Wait, e journal.Entry) (status, waitsFor string) {
	rest := Waiting(calls, &Note{Entry: e})
	switch {
	case e.Kind == KindCancel:
		return record.Cancelled, ""
	case e.Kind == KindExtend && (last.Status == record.Expired || last.Status == record.OverBudget),
		e.Kind == KindSay && last.WaitsFor == record.ForMessage,
		last.Status == record.Waiting && len(rest) == 0 && len(calls) > 0:
		return record.Running, ""
	case last.Status == record.Waiting && len(rest) < len(calls):
		return record.Waiting, rest[0].For
	}
	return last.Status, last.WaitsFor
}

// Waiting returns the calls that a run waits for after an entry, given those before. Of
// the entry it needs kind and effect, and of a stop what it holds.
func Waiting(calls []record.Wait, n *Note) []record.Wait {
	switch n.Kind {
	case KindStop:
		return n.Stop.Calls
	case KindRequest, KindOutcome, KindApprove, KindDeny, KindRedo, KindSupply:
		return slices.DeleteFunc(slices.Clone(calls), func(w record.Wait) bool { return w.Call == n.Effect })
	}
	return calls
}

// answers tells whether a signal about a call is what a run waits for.
func answers(s record.Signal, w record.Wait) bool {
	switch {
	case w.Call != s.Call:
		return false
	case s.Kind == KindApprove:
		return w.For == record.ForApproval
	case s.Kind == KindRedo, s.Kind == KindSupply:
		return w.For == record.ForDecision
	}
	return true
}
