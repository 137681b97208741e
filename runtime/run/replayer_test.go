package run

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
)

// TestMessageDuringAnswer checks that a message that arrives while the model answers is read after
// the answer.
func TestMessageDuringAnswer(t *testing.T) {
	var h replayer
	h.addEntry(&runEntry{Entry: journal.Entry{N: 1, Kind: kindSay}, Signal: &Signal{Message: &llm.Message{Text: "hello"}}})
	h.addEntry(&runEntry{Entry: journal.Entry{N: 2, Kind: kindModel, Seen: 1}})
	if m := h.takeMessage(); m != nil {
		t.Errorf("before the answer: %+v", m)
	}
	if e := h.peekEffect(); e == nil || e.Kind != kindModel {
		t.Errorf("got %+v", e)
	}
	h.skipEffect()
	if m := h.takeMessage(); m == nil || m.Text != "hello" {
		t.Errorf("after the answer: %+v", m)
	}
}
