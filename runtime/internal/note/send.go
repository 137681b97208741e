package note

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/ask"
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
	data, err := jsontext.Encode(in)
	if err != nil {
		return err
	}
	return j.Append(ctx, run, 0, journal.Entry{Format: Format, Kind: KindBegin, By: Mark(), Time: now, Status: record.Running, Data: data})
}

// Send tells a run something. The error is the journal's, or a [*record.Error] if the
// run has ended or does not wait for the call; then nothing was appended.
func Send(ctx context.Context, j journal.Journal, run string, now time.Time, s record.Signal) error {
	data, err := jsontext.Encode(s)
	if err != nil {
		return err
	}
	if n, err := Parse(journal.Entry{Kind: s.Kind, Data: data}); err != nil || n.Signal == nil {
		return &record.Error{Kind: "invalid_input", Text: fmt.Sprintf("there is no such signal: %q", s.Kind)}
	}
	e := journal.Entry{Format: Format, Kind: s.Kind, By: Mark(), Effect: s.Call, Data: data}
	for there := (standing{call: s.Call}); ; {
		if err := there.read(ctx, j, run); err != nil {
			return err
		}
		if err := there.refuses(s); err != nil {
			return err
		}
		e.Time = Later(now, there.last.Time)
		e.Status, e.WaitsFor = Stands(there.last, there.waits, e)
		err := j.Append(ctx, run, there.next, e)
		if _, taken := errors.AsType[*journal.Taken](err); !taken {
			return err
		}
	}
}

// standing is where a run stands, as far as it matters to who tells it something.
type standing struct {
	call      string // that it is told about; what the run does otherwise need not be understood
	next      int    // number of the next entry
	last      journal.Entry
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
		if r.call == "" {
			continue
		}
		n := &Note{Entry: e}
		if e.Kind == KindStop || e.Kind == KindOutcome && e.Effect == r.call {
			if n, err = Parse(e); err != nil {
				return err
			}
		}
		if n.Came != nil {
			r.questions = Questions(Asks(n.Came.Call))
		}
		r.waits = Waiting(r.waits, n)
	}
	return nil
}

// refuses returns why the run is not told something.
func (r *standing) refuses(s record.Signal) error {
	refused := &record.Error{Kind: "invalid_input"}
	switch {
	case slices.Contains([]string{record.Completed, record.Failed, record.Cancelled}, r.last.Status):
		return &record.Error{Kind: "run_ended", Text: fmt.Sprintf("the run is %s", r.last.Status)}
	case !slices.Contains([]string{KindSay, KindExtend, KindCancel}, s.Kind) && !slices.ContainsFunc(r.waits, func(w record.Wait) bool { return answers(s, w) }):
		return &record.Error{Kind: "not_waiting", Text: fmt.Sprintf("the run does not wait for a signal %q about a call %q", s.Kind, s.Call)}
	case s.Kind == KindReply:
		refused.Text = misses(r.questions, s.Answers)
	case s.Kind == KindExtend && (min(s.Limits.Steps, s.Limits.Tokens) < 0 || s.Limits.Cost < 0): // such as what is left of a budget that is used up
		refused.Text = "limits must not be negative"
	case s.Kind == KindSay && strings.TrimSpace(s.Message.Text) == "" && len(s.Message.Parts) == 0: // which endpoints refuse, again and again
		refused.Text = "the message is empty"
	case s.Kind == KindSupply && s.Output == nil:
		refused.Text = "there is no output; of a tool that returns nothing it is null"
	}
	if refused.Text == "" {
		return nil
	}
	return refused
}
