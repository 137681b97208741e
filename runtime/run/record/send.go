package record

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Send tells a run something, also one that another process drives. It goes on with
// it when it is executed next, or at its next effect. The error is the journal's, or
// an [*Error] if the run has ended or does not wait for the call; then nothing
// was appended.
func Send(ctx context.Context, j journal.Journal, run string, s Signal) error {
	data, err := Encode(s)
	if err != nil {
		return err
	}
	e := journal.Entry{Format: Format, Kind: s.kind, By: rand.Text(), Status: Running, Effect: s.Call, Data: data}
	if s.kind == KindCancel {
		e.Status = Cancelled
	}
	var waits []Wait
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
			if waits, err = waiting(waits, there); err != nil {
				return err
			}
		}
		switch {
		case slices.Contains([]string{Completed, Failed, Cancelled}, last.Status):
			return &Error{Kind: "run_ended", Text: fmt.Sprintf("the run is %s", last.Status)}
		case s.Call != "" && !slices.ContainsFunc(waits, s.answers):
			return &Error{Kind: "not_waiting", Text: fmt.Sprintf("the run does not wait for anybody to %s a call %q", s.kind, s.Call)}
		}
		e.Time = Later(time.Now(), last.Time)
		err := j.Append(ctx, run, next, e)
		if _, taken := errors.AsType[*journal.Taken](err); !taken {
			return err
		}
	}
}

// waiting returns the calls that a run waits for after an entry, given those before.
func waiting(calls []Wait, e journal.Entry) ([]Wait, error) {
	switch e.Kind {
	case KindStop:
		n, err := Parse(e)
		if err != nil {
			return nil, err
		}
		return n.Stop.Calls, nil
	case KindRequest, KindOutcome, KindApprove, KindDeny, KindRedo, KindSupply:
		return slices.DeleteFunc(slices.Clone(calls), func(w Wait) bool { return w.Call == e.Effect }), nil
	}
	return calls, nil
}
