// Package note is what the entries of a run's journal mean, and how a run is told
// something. Programs know runs by package record.
//
// Its layers, from top to bottom:
//
//	send    how a run begins, and is told something
//	wait    what it waits for
//	note    entries
//	encode  how they are written
package note

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Format is the version of the entries. It is raised when what was written before
// would no longer be understood.
const Format = 1

// Kinds of entries. Those of an effect say in Effect what it is.
const (
	KindBegin   = "begin"   // [record.Input]
	KindClaim   = "claim"   // who writes drives the run from here on
	KindModel   = "model"   // [record.Answer]; the effect is purpose and step
	KindDo      = "do"      // [Done]
	KindRequest = "request" // [Asked]: the function may begin; the effect is the ID of the call
	KindOutcome = "outcome" // [Came]; so it is here
	KindStop    = "stop"    // [Stopping]
	KindEnd     = "end"     // [Ending]

	// Of a [record.Signal].
	KindApprove = "approve"
	KindReply   = "reply"
	KindDeny    = "deny"
	KindSay     = "say"
	KindRedo    = "redo"
	KindSupply  = "supply"
	KindExtend  = "extend"
	KindCancel  = "cancel"
)

// Asked is the request of a call that changes something.
type Asked struct {
	Attempt int          `json:"attempt"` // from 1
	Request tool.Request `json:"request"`
}

// Came is what came of a call.
type Came struct {
	Attempt int             `json:"attempt,omitempty"` // of the request before it; a read-only call has none
	Call    *tool.Call      `json:"call"`
	Output  json.RawMessage `json:"output,omitempty"` // of the call, which has none itself in JSON
}

// Done is what came of something else.
type Done struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error *record.Error   `json:"error,omitempty"`
}

// Stopping is why a run does not go on, besides status and what it waits for.
type Stopping struct {
	Calls []record.Wait `json:"calls,omitempty"` // that it waits for
	Error *record.Error `json:"error,omitempty"`
}

// Ending is the end of a run.
type Ending struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  *record.Error   `json:"error,omitempty"`
	Usage  record.Usage    `json:"usage"`
}

// Result returns where a run stands that has ended so.
func (e Ending) Result() *record.Result {
	status := record.Completed
	if e.Error != nil {
		status = record.Failed
	}
	return &record.Result{Status: status, Answer: e.Answer, Error: e.Error, Usage: e.Usage}
}

// Note is an entry that was read; of the pointers that of its kind is set.
type Note struct {
	journal.Entry // without data
	Begin         *record.Input
	Answer        *record.Answer
	Done          *Done
	Asked         *Asked
	Came          *Came
	Stop          *Stopping
	End           *Ending
	Signal        *record.Signal
}

// String names kind and effect.
func (n *Note) String() string { return strings.TrimSpace(n.Kind + " " + n.Effect) }

// Call returns the ID of the call that a request, an outcome or the answer of a model is
// of; nothing of what is of none.
func (n *Note) Call() string {
	if n.Asked != nil || n.Came != nil {
		return n.Effect
	}
	if id, asked := strings.CutPrefix(n.Effect, ofCall); asked && n.Answer != nil {
		return id
	}
	return ""
}

// Tool returns the name of the tool of a request or an outcome.
func (n *Note) Tool() string {
	if n.Asked != nil {
		return n.Asked.Request.Name
	}
	return n.Came.Call.Request.Name
}

// Parse reads an entry. The note has what is known of it also if that fails.
func Parse(e journal.Entry) (*Note, error) {
	data := e.Data
	e.Data = nil
	n := &Note{Entry: e}
	if e.Format > Format {
		return n, fmt.Errorf("entry %d has format %d, of which only %d is known", e.N, e.Format, Format)
	}
	var err error
	switch e.Kind {
	case KindBegin:
		err = read(data, &n.Begin)
	case KindClaim:
	case KindModel:
		err = read(data, &n.Answer)
	case KindDo:
		err = read(data, &n.Done)
	case KindRequest:
		err = read(data, &n.Asked)
	case KindOutcome:
		if err = read(data, &n.Came); err == nil && n.Came.Call == nil {
			err = fmt.Errorf("there is no call")
		} else if err == nil {
			n.Came.Call.Output = n.Came.Output
		}
	case KindStop:
		err = read(data, &n.Stop)
	case KindEnd:
		err = read(data, &n.End)
	case KindApprove, KindReply, KindDeny, KindSay, KindRedo, KindSupply, KindExtend, KindCancel:
		if err = read(data, &n.Signal); err == nil {
			err = check(n.Signal, e.Kind)
		}
	default:
		err = fmt.Errorf("kind %q is not known", e.Kind)
	}
	if err != nil {
		err = fmt.Errorf("entry %d: %w", e.N, err)
	}
	return n, err
}

func read[T any](data json.RawMessage, x **T) error {
	*x = new(T)
	return json.Unmarshal(data, *x)
}

// Kept returns what the journal keeps of a stop.
func Kept(e *record.Stop) Stopping {
	kept := Stopping{Error: e.Err}
	for _, w := range e.Calls {
		kept.Calls = append(kept.Calls, record.Wait{Call: w.Call, For: w.For})
	}
	return kept
}

// check returns what a signal of a kind lacks.
func check(s *record.Signal, kind string) error {
	switch {
	case kind == KindSay && s.Message == nil:
		return errors.New("there is no message")
	case kind == KindExtend && s.Limits == nil:
		return errors.New("there are no limits")
	}
	return nil
}
