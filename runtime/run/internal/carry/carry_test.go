package carry_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/run/internal/carry"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestNote keeps what a model is to be told beside an output, which it cannot know
// otherwise: that the output was cut.
func TestNote(t *testing.T) {
	call := carry.Settle(&tool.Call{Status: tool.StatusCompleted, Output: []byte("[1]"), Note: "cut"}, tool.Request{})
	if call.Note != "cut" {
		t.Errorf("the note is %q", call.Note)
	}
}
