//go:build !race

package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// kept is a call that somebody keeps.
var kept *tool.Call

// TestAllocations: the context of the function, the arguments as text, the list in
// them, and the output; and the record of the call for one who keeps it. (The race
// detector empties pools at random.)
func TestAllocations(t *testing.T) {
	ctx, request := t.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(payload)}
	if n := testing.AllocsPerRun(100, func() { hundred.Call(ctx, request) }); n > 4 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { kept = hundred.Call(ctx, request) }); n > 5 {
		t.Errorf("%v allocations for a call that is kept", n)
	}
}
