// Package history is what the journal has of a run, by what it is about: the effects
// in their order, calls by their IDs, and what was said.
package history

import (
	"slices"

	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// History is ready to use when it is zero.
type History struct {
	In     record.Input
	Limits record.Limits  // in force
	Old    bool           // somebody has driven the run before
	Claim  record.Claimed // what somebody who claims the run tells
	Closed bool           // of calls that come from here on only what they are about is kept

	about   map[string][]*note.Note
	effects []*note.Note  // of which
	at      int           // so many were handed over
	said    []*note.Note  // of which
	heard   int           // so many were handed over
	why     *record.Error // of the last stop
}

// Take takes in an entry.
func (h *History) Take(n *note.Note) {
	switch n.Kind {
	case note.KindBegin:
		h.In, h.Limits = *n.Begin, n.Begin.Limits
		h.Claim = record.Claimed{Kind: h.In.Kind, Status: record.Running}
	case note.KindClaim:
		h.Old = true
		h.Claim = record.Claimed{Kind: h.In.Kind, Status: record.Running}
	case note.KindStop:
		h.why = n.Stop.Error
		h.Claim = record.Claimed{Kind: h.In.Kind, Status: n.Status, WaitsFor: n.WaitsFor, Since: n.Time}
		for _, w := range n.Stop.Calls {
			h.Add(w.Call, n)
		}
	case note.KindModel, note.KindDo, note.KindEnd:
		h.effects = append(h.effects, n)
		h.Add(n.Call(), n)
	case note.KindRequest, note.KindOutcome:
		if !h.Closed { // else it came late, and is of the effect that is being done
			h.effects = append(h.effects, n)
		}
		h.Add(n.Effect, n)
	case note.KindSay:
		h.said = append(h.said, n)
	case note.KindExtend:
		h.Limits = *n.Signal.Limits
	case note.KindCancel:
	default:
		h.Add(n.Signal.Call, n)
	}
}

// Add adds what is about a call, if it is about one.
func (h *History) Add(call string, n *note.Note) {
	if call == "" {
		return
	}
	if h.about == nil {
		h.about = map[string][]*note.Note{}
	}
	h.about[call] = append(h.about[call], n)
}

// About returns what there is about a call, in its order.
func (h *History) About(call string) []*note.Note { return h.about[call] }

// Since returns what there is about a call after the request of an attempt.
func (h *History) Since(call string, attempt int) []*note.Note {
	about := h.about[call]
	i := slices.IndexFunc(about, func(n *note.Note) bool { return n.Asked != nil && n.Asked.Attempt == attempt })
	return about[i+1:]
}

// Stands returns where the run stands by the last of its entries, and by the calls that
// it then waits for.
func (h *History) Stands(last journal.Entry, calls []record.Wait) *record.Stop {
	s := &record.Stop{Status: last.Status, WaitsFor: last.WaitsFor}
	if last.Status == record.Running {
		return s
	}
	s.Err = h.why
	for _, w := range calls {
		s.Calls = append(s.Calls, h.wait(w))
	}
	return s
}

// wait returns all that there is to know of a call that the run waits for.
func (h *History) wait(w record.Wait) record.Wait {
	for _, n := range h.about[w.Call] {
		switch {
		case n.Asked != nil:
			w.Request = &n.Asked.Request
		case n.Came != nil:
			w.Request, w.Questions = &n.Came.Call.Request, note.Questions(note.Asks(n.Came.Call))
		}
	}
	return w
}

// Next returns the effect that comes next; nil if there are no more.
func (h *History) Next() *note.Note {
	if h.at == len(h.effects) {
		return nil
	}
	return h.effects[h.at]
}

// Hand goes past the next effect.
func (h *History) Hand() { h.at++ }

// End returns how the run ended; nil if it did not.
func (h *History) End() *note.Ending {
	if len(h.effects) == 0 {
		return nil
	}
	return h.effects[len(h.effects)-1].End
}

// Hear hands over the next message that was said, if the run had seen it before the
// effect that comes next.
func (h *History) Hear() *llm.Message {
	if h.heard == len(h.said) {
		return nil
	}
	n := h.said[h.heard]
	if next := h.Next(); next != nil && n.N >= next.Seen {
		return nil
	}
	h.heard++
	return n.Signal.Message
}
