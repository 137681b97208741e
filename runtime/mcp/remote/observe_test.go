package remote_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestObserve checks that requests are observed, that the server receives what the observer adds to
// _meta, and that the observer learns the outcome.
func TestObserve(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		var mu sync.Mutex
		var got []any
		var outcomes []string
		addTool(server, &sdk.Tool{Name: "t"}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			got = append(got, r.Params.Meta["traceparent"], r.Params.Meta["tracestate"], r.Params.Meta["tenant"])
			return &sdk.CallToolResult{IsError: len(got) > 3, Content: []sdk.Content{&sdk.TextContent{Text: "ok"}}}, nil
		})
		r := connectClient(t, server, nil, remote.Observe(func(ctx context.Context, r *observe.Request) (context.Context, func(observe.Outcome)) {
			r.Meta["traceparent"] = "00-2"
			return ctx, func(out observe.Outcome) {
				mu.Lock()
				defer mu.Unlock()
				line := r.Method + " " + r.Tool + " " + r.Version
				if out.ToolFailed {
					line += " tool failed"
				}
				outcomes = append(outcomes, line)
			}
		}))
		registry := newRegistry(t, r)
		for range 2 {
			registry.Call(t.Context(), tool.Request{Name: "t", Meta: map[string]string{"traceparent": "00-1", "tracestate": "a=b", "tenant": "x"}})
		}
		if want := []any{"00-2", "a=b", nil, "00-2", "a=b", nil}; !slices.Equal(got, want) {
			t.Errorf("the server received %v, want %v", got, want)
		}
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"tools/list  " + version, "tools/call t " + version, "tools/call t " + version + " tool failed"}; !slices.Equal(slices.Compact(outcomes), want) {
			t.Errorf("observed %q, want %q", outcomes, want)
		}
	})
}

// TestObserveFailures checks the outcomes of requests without a result.
func TestObserveFailures(t *testing.T) {
	var last observe.Outcome
	r := connectFake(t, nil, func(f *fake, method string, _ map[string]any) any {
		if method == "tools/list" {
			return map[string]any{"tools": []any{map[string]any{"name": "t", "inputSchema": map[string]any{"type": "object"}}}}
		}
		return errors.New("refused")
	}, remote.Observe(func(ctx context.Context, _ *observe.Request) (context.Context, func(observe.Outcome)) {
		return ctx, func(out observe.Outcome) { last = out }
	}))
	registry := newRegistry(t, r)
	if call := registry.Call(t.Context(), tool.Request{Name: "t"}); call.Err == nil || last.Err == nil || last.Code == 0 {
		t.Errorf("a refused call: %v, observed %+v", call.Err, last)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	tools, err := r.Tools(done)
	if err == nil || !errors.Is(last.Err, context.Canceled) {
		t.Errorf("a canceled request: %v %v, observed %+v", tools, err, last)
	}
}
