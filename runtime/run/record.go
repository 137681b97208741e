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

// Record is a decoded entry of the journal of a run. Input, Agent, Answer, Request, Call and Signal
// are nil unless the entry is of their kind.
type Record struct {
	N        int       // number of the entry, from 0
	Kind     string    // begin, claim, model, do, agent, request, outcome, stop, end, or the kind of a [Signal]
	Time     time.Time // of the entry
	Status   string    // of the run after the entry
	WaitsFor string    // what the run waits for after the entry
	By       string    // ID of the worker or the sender that appended the entry

	Input   *Input          // with which the run began
	Agent   *AgentRecord    // an agent begins to carry out a call
	Answer  *Answer         // of the model
	Purpose string          // for which the model was asked
	Step    string          // for which the model was asked, or the ID of the call whose function asked it
	Request *tool.Request   // the function of a call that may change something is about to be called
	Call    *tool.Call      // the outcome of a call; it may wait for an approval or an answer
	Ran     bool            // the function of Call was called
	Attempt int             // of Request or Call, from 1; 0 if the function does not change anything
	Signal  *Signal         // that was sent to the run
	Waits   []Wait          // calls that the run stopped for, without their requests
	Name    string          // of [Effects.Do]
	Value   json.RawMessage // of [Effects.Do], or the answer of the run that ends
	Error   *Error          // of [Effects.Do], or why the run stopped or failed
}

// AgentRecord records that an agent carries out a call, see [Agent]. All entries between this one
// and the one with the outcome of the call record what the agent did.
type AgentRecord struct {
	Call  *tool.Call `json:"call"` // the call of the function that prepared the input
	Input Input      `json:"input"`
}

// DecodeRecord decodes an entry of the journal of a run. If that fails, the record has only its
// number, kind, time, status, WaitsFor and By.
func DecodeRecord(e journal.Entry) (Record, error) {
	n, err := parseEntry(e)
	if err != nil {
		return (&runEntry{Entry: n.Entry}).record(), err
	}
	return n.record(), nil
}

// Records returns the entries of a run in order, without executing its function. An error of the
// journal, or an entry that cannot be read, ends the sequence.
func Records(ctx context.Context, j journal.Journal, id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for e, err := range j.Read(ctx, id, 0) {
			var r Record
			if err == nil {
				r, err = DecodeRecord(e)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// record returns the exported form of the entry.
func (n *runEntry) record() Record {
	r := Record{N: n.N, Kind: n.Kind, Time: n.Time, Status: n.Status, WaitsFor: n.WaitsFor, By: n.By, Input: n.Begin, Agent: n.Agent, Answer: n.Answer, Signal: n.Signal}
	switch {
	case n.Answer != nil:
		r.Purpose, r.Step, _ = strings.Cut(n.Effect, "/")
	case n.Request != nil:
		r.Request, r.Attempt = &n.Request.Request, n.Request.Attempt
	case n.Outcome != nil:
		r.Call, r.Attempt = n.Outcome.Call, n.Outcome.Attempt
		r.Ran = hasRun(r.Call)
	case n.Done != nil:
		r.Name, r.Value, r.Error = n.Effect, n.Done.Value, n.Done.Error
	case n.Stop != nil:
		r.Error, r.Waits = n.Stop.Error, n.Stop.Calls
	case n.End != nil:
		r.Value, r.Error = n.End.Answer, n.End.Error
	case n.Signal != nil:
		r.Signal.Kind = n.Kind
	}
	return r
}
