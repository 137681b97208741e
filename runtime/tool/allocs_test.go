//go:build !race

package tool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// kept stores a call, as a caller might.
var kept *tool.Call

// TestAllocations checks the number of allocations: the context of the function and the list in the
// arguments, and the record of the call if the caller keeps it. The texts of arguments and outputs
// share memory with those of earlier calls. The race detector empties pools at random.
func TestAllocations(t *testing.T) {
	ctx, request := t.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(payload)}
	if n := testing.AllocsPerRun(100, func() { hundred.Call(ctx, request) }); n > 2 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { kept = hundred.Call(ctx, request) }); n > 3 {
		t.Errorf("%v allocations for a call that is kept", n)
	}
	behind := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler { return next }))
	behind.Replace(tool.Generated(&searchDefinition, invokeSearch))
	if n := testing.AllocsPerRun(100, func() { behind.Call(ctx, request) }); n > 3 {
		t.Errorf("%v allocations behind middleware", n)
	}
	typed := textTool("t", func(context.Context, struct{}) (string, error) { return "", nil })
	if n := testing.AllocsPerRun(100, func() { _, _ = typed.Call(ctx, struct{}{}) }); n > 1 {
		t.Errorf("%v allocations of a typed call", n)
	}
}
