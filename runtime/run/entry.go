package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// entryFormat is the version of the entry format. Raise it when older versions of this package can
// no longer read new entries.
const entryFormat = 1

// Kinds of entries, with the types of their data and the content of their field Effect.
const (
	kindBegin   = "begin"   // [Input]
	kindClaim   = "claim"   // the writer drives the run from here on
	kindModel   = "model"   // [Answer]; the effect is purpose and step
	kindDo      = "do"      // [doneData]
	kindAgent   = "agent"   // [AgentRecord]: an agent carries out the call; the effect is the ID of the call
	kindRequest = "request" // [requestData]: the function may start; the effect is the ID of the call
	kindOutcome = "outcome" // [outcomeData]; the effect is the ID of the call
	kindStop    = "stop"    // [stopData]
	kindEnd     = "end"     // [endData]

	// Kinds of signals: see [Signal].
	kindApprove = "approve"
	kindReply   = "reply"
	kindDeny    = "deny"
	kindSay     = "say"
	kindRedo    = "redo"
	kindSupply  = "supply"
	kindExtend  = "extend"
	kindCancel  = "cancel"
)

// requestData records that a call which is not read-only is about to be made.
type requestData struct {
	Attempt int          `json:"attempt"` // from 1
	Request tool.Request `json:"request"`
}

// outcomeData records the outcome of a call.
type outcomeData struct {
	Attempt int             `json:"attempt,omitempty"` // of the preceding request; 0 if the call is read-only
	Call    *tool.Call      `json:"call"`
	Output  json.RawMessage `json:"output,omitempty"` // stored here because tool.Call leaves it out of its JSON
}

// doneData records the outcome of [Effects.Do].
type doneData struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error *Error          `json:"error,omitempty"`
}

// stopData records why a run stopped, in addition to its status.
type stopData struct {
	Calls []Wait `json:"calls,omitempty"` // calls that the run waits for
	Error *Error `json:"error,omitempty"`
}

// endData records the end of a run.
type endData struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  *Error          `json:"error,omitempty"`
	Usage  Usage           `json:"usage"`
}

// Result returns the result of the ended run.
func (e endData) Result() *Result {
	status := Completed
	if e.Error != nil {
		status = Failed
	}
	return &Result{Status: status, Answer: e.Answer, Error: e.Error, Usage: e.Usage}
}

// runEntry is a decoded entry. Only the pointer for its kind is set.
type runEntry struct {
	journal.Entry // without data
	Begin         *Input
	Answer        *Answer
	Done          *doneData
	Request       *requestData
	Outcome       *outcomeData
	Agent         *AgentRecord
	Stop          *stopData
	End           *endData
	Signal        *Signal
}

// String returns kind and effect.
func (n *runEntry) String() string { return strings.TrimSpace(n.Kind + " " + n.Effect) }

// callID returns the ID of the call that a request, an outcome, the beginning of an agent or a
// model's answer belongs to, or "".
func (n *runEntry) callID() string {
	if n.Request != nil || n.Outcome != nil || n.Agent != nil {
		return n.Effect
	}
	if id, asked := strings.CutPrefix(n.Effect, callPrefix); asked && n.Answer != nil {
		return id
	}
	return ""
}

// toolName returns the name of the tool of a request, an outcome or the beginning of an agent.
func (n *runEntry) toolName() string {
	switch {
	case n.Request != nil:
		return n.Request.Request.Name
	case n.Agent != nil:
		return n.Agent.Call.Request.Name
	}
	return n.Outcome.Call.Request.Name
}

// parseEntry decodes an entry. If that fails, it also returns what could be decoded.
func parseEntry(e journal.Entry) (*runEntry, error) {
	data := e.Data
	e.Data = nil
	n := &runEntry{Entry: e}
	if e.Format > entryFormat {
		return n, fmt.Errorf("entry %d has format %d, only formats up to %d are supported", e.N, e.Format, entryFormat)
	}
	var err error
	switch e.Kind {
	case kindBegin:
		err = decodeData(data, &n.Begin)
	case kindClaim:
	case kindModel:
		err = decodeData(data, &n.Answer)
	case kindDo:
		err = decodeData(data, &n.Done)
	case kindRequest:
		err = decodeData(data, &n.Request)
	case kindOutcome:
		if err = decodeData(data, &n.Outcome); err == nil && n.Outcome.Call != nil {
			n.Outcome.Call.Output = n.Outcome.Output
		}
	case kindAgent:
		err = decodeData(data, &n.Agent)
	case kindStop:
		err = decodeData(data, &n.Stop)
	case kindEnd:
		err = decodeData(data, &n.End)
	case kindApprove, kindReply, kindDeny, kindSay, kindRedo, kindSupply, kindExtend, kindCancel:
		err = decodeData(data, &n.Signal)
	default:
		err = fmt.Errorf("unknown kind %q", e.Kind)
	}
	if err = cmp.Or(err, n.checkMembers()); err != nil {
		err = fmt.Errorf("entry %d: %w", e.N, err)
	}
	return n, err
}

func decodeData[T any](data json.RawMessage, x **T) error {
	*x = new(T)
	return json.Unmarshal(data, *x)
}

// newStopData returns a stop in the form that the journal stores: without the requests and questions
// of its calls, which earlier entries contain.
func newStopData(e *Stop) stopData {
	data := stopData{Error: e.Err}
	for _, w := range e.Calls {
		data.Calls = append(data.Calls, Wait{Call: w.Call, For: w.For})
	}
	return data
}

// checkMembers returns an error if the data of an entry lacks a member that its kind requires.
func (n *runEntry) checkMembers() error {
	switch {
	case n.Outcome != nil && n.Outcome.Call == nil, n.Agent != nil && n.Agent.Call == nil:
		return errors.New("the call is missing")
	case n.Kind == kindSay && n.Signal.Message == nil:
		return errors.New("the message is missing")
	case n.Kind == kindExtend && n.Signal.Limits == nil:
		return errors.New("the limits are missing")
	}
	return nil
}
