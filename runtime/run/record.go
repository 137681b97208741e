package run

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Record is a decoded entry of the journal of a run. Input, Answer, Request, Call and Signal are
// nil unless the entry is of their kind.
type Record struct {
	N        int       // number of the entry, from 0
	Kind     string    // begin, claim, model, do, agent, request, outcome, stop, end, or the kind of a [Signal]
	Time     time.Time // of the entry
	Status   string    // of the run after the entry
	WaitsFor string    // what the run waits for after the entry

	Input   *Input          // with which the run began
	Answer  *Answer         // of the model
	Purpose string          // for which the model was asked
	Step    string          // for which the model was asked, or the ID of the call whose function asked it
	Request *tool.Request   // the function of a call that may change something is about to be called
	Call    *tool.Call      // the outcome of a call; it may wait for an approval or an answer
	Ran     bool            // the function of Call was called
	Attempt int             // of Request or Call, from 1; 0 if the function does not change anything
	Signal  *Signal         // that was sent to the run
	Value   json.RawMessage // of [Effects.Do], or the answer of the run that ends
	Error   *Error          // of [Effects.Do], or why the run stopped or failed
}

// Records returns the entries of a run in order, without executing its function. An error of the
// journal, or an entry that cannot be read, ends the sequence.
func Records(ctx context.Context, j journal.Journal, id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for e, err := range j.Read(ctx, id, 0) {
			var n *runEntry
			if err == nil {
				n, err = parseEntry(e)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(n.record(), nil) {
				return
			}
		}
	}
}

// record returns the exported form of the entry.
func (n *runEntry) record() Record {
	r := Record{N: n.N, Kind: n.Kind, Time: n.Time, Status: n.Status, WaitsFor: n.WaitsFor, Input: n.Begin, Answer: n.Answer, Signal: n.Signal}
	switch {
	case n.Answer != nil:
		r.Purpose, r.Step, _ = strings.Cut(n.Effect, "/")
	case n.Request != nil:
		r.Request, r.Attempt = &n.Request.Request, n.Request.Attempt
	case n.Outcome != nil:
		r.Call, r.Attempt = n.Outcome.Call, n.Outcome.Attempt
		r.Ran = hasRun(r.Call)
	case n.Done != nil:
		r.Value, r.Error = n.Done.Value, n.Done.Error
	case n.Stop != nil:
		r.Error = n.Stop.Error
	case n.End != nil:
		r.Value, r.Error = n.End.Answer, n.End.Error
	case n.Signal != nil:
		r.Signal.Kind = n.Kind
	}
	return r
}
