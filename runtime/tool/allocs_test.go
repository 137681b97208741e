//go:build !race

package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestAllocations: the call, its arguments as text, the list in them, and the
// output. (The race detector empties pools at random.)
func TestAllocations(t *testing.T) {
	ctx, request := t.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(payload)}
	if n := testing.AllocsPerRun(100, func() { hundred.Call(ctx, request) }); n > 4 {
		t.Errorf("%v allocations", n)
	}
}
