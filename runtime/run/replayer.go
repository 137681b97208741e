package run

import (
	"slices"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
)

// replayer holds the entries of a run and replays its effects. The zero value is ready to use.
type replayer struct {
	input         Input
	limits        Limits     // in force
	claimedBefore bool       // the run was claimed before
	claimEvent    RunClaimed // the event to emit on the next claim
	callsClosed   bool       // the existing entries were read; requests and outcomes that are added later belong to running calls and are not replayed

	entriesByCall map[string][]*runEntry
	effects       []*runEntry
	nextEffect    int // index of the next effect
	messages      []*runEntry
	nextMessage   int    // index of the next message
	stopReason    *Error // of the last stop
}

// addEntry adds an entry.
func (h *replayer) addEntry(n *runEntry) {
	switch n.Kind {
	case kindBegin:
		h.input, h.limits = *n.Begin, n.Begin.Limits
		h.claimEvent = RunClaimed{Kind: h.input.Kind, Status: Running}
	case kindClaim:
		h.claimedBefore = true
		h.claimEvent = RunClaimed{Kind: h.input.Kind, Status: Running}
	case kindStop:
		h.stopReason = n.Stop.Error
		h.claimEvent = RunClaimed{Kind: h.input.Kind, Status: n.Status, WaitsFor: n.WaitsFor, Since: n.Time}
		for _, w := range n.Stop.Calls {
			h.addCallEntry(w.Call, n)
		}
	case kindModel, kindDo, kindAgent, kindEnd:
		h.effects = append(h.effects, n)
		h.addCallEntry(n.callID(), n)
	case kindRequest, kindOutcome:
		if !h.callsClosed { // otherwise the entry is new and belongs to the current effect
			h.effects = append(h.effects, n)
		}
		h.addCallEntry(n.Effect, n)
	case kindSay:
		h.messages = append(h.messages, n)
	case kindExtend:
		h.limits = *n.Signal.Limits
	case kindCancel:
	default:
		h.addCallEntry(n.Signal.Call, n)
	}
}

// addCallEntry adds an entry about a call. It does nothing if call is empty.
func (h *replayer) addCallEntry(call string, n *runEntry) {
	if call == "" {
		return
	}
	if h.entriesByCall == nil {
		h.entriesByCall = map[string][]*runEntry{}
	}
	h.entriesByCall[call] = append(h.entriesByCall[call], n)
}

// callEntries returns the entries about a call in order.
func (h *replayer) callEntries(call string) []*runEntry { return h.entriesByCall[call] }

// entriesSince returns the entries about a call after the request of an attempt.
func (h *replayer) entriesSince(call string, attempt int) []*runEntry {
	entries := h.entriesByCall[call]
	i := slices.IndexFunc(entries, func(n *runEntry) bool { return n.Request != nil && n.Request.Attempt == attempt })
	return entries[i+1:]
}

// currentStop returns a [Stop] with the current state of the run. Its last entry and the calls that
// it waits for are arguments.
func (h *replayer) currentStop(last journal.Entry, calls []Wait) *Stop {
	s := &Stop{Status: last.Status, WaitsFor: last.WaitsFor}
	if last.Status == Running {
		return s
	}
	s.Err = h.stopReason
	for _, w := range calls {
		s.Calls = append(s.Calls, h.describeWait(w))
	}
	return s
}

// describeWait completes a wait with request and questions.
func (h *replayer) describeWait(w Wait) Wait {
	for _, n := range h.entriesByCall[w.Call] {
		switch {
		case n.Request != nil:
			w.Request = &n.Request.Request
		case n.Outcome != nil:
			w.Request, w.Questions = &n.Outcome.Call.Request, openQuestions(askErrorOf(n.Outcome.Call))
		}
	}
	return w
}

// peekEffect returns the next recorded effect, or nil.
func (h *replayer) peekEffect() *runEntry {
	if h.nextEffect == len(h.effects) {
		return nil
	}
	return h.effects[h.nextEffect]
}

// skipEffect advances past the next effect.
func (h *replayer) skipEffect() { h.nextEffect++ }

// runEnd returns the recorded end of the run, or nil.
func (h *replayer) runEnd() *endData {
	if len(h.effects) == 0 {
		return nil
	}
	return h.effects[len(h.effects)-1].End
}

// takeMessage returns the next message. It returns nil if there is none, or if the run had not seen
// the message before its next recorded effect.
func (h *replayer) takeMessage() *llm.Message {
	if h.nextMessage == len(h.messages) {
		return nil
	}
	n := h.messages[h.nextMessage]
	if next := h.peekEffect(); next != nil && n.N >= next.Seen {
		return nil
	}
	h.nextMessage++
	return n.Signal.Message
}
