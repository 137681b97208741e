package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/tool"
)

// BenchmarkCall finds one of 100 tools, decodes and checks its arguments, runs it and encodes its
// result. Compare it with BenchmarkEncodingJSON.
func BenchmarkCall(b *testing.B) {
	r := hundredTools(b)
	ctx, request := b.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(payload)}
	b.ReportAllocs()
	for b.Loop() {
		if c := r.Call(ctx, request); c.Err != nil {
			b.Fatal(c.Err)
		}
	}
}

func BenchmarkCallParallel(b *testing.B) {
	r := hundredTools(b)
	ctx, request := b.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(payload)}
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if c := r.Call(ctx, request); c.Err != nil {
				b.Error(c.Err)
			}
		}
	})
}

// BenchmarkEncodingJSON is the equivalent handwritten code: a map of functions, and encoding/json,
// which does not check the arguments.
func BenchmarkEncodingJSON(b *testing.B) {
	search := func(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
		var a SearchArgs
		if err := json.Unmarshal(raw, &a); err != nil {
			return nil, err
		}
		r, err := Search(ctx, a)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
	tools := map[string]func(context.Context, json.RawMessage) (json.RawMessage, error){"search": search}
	for i := range 99 {
		tools[fmt.Sprint("tool_", i)] = search
	}
	ctx, raw := b.Context(), json.RawMessage(payload)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tools["search"](ctx, raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFaults decodes arguments with a fault in every field.
func BenchmarkFaults(b *testing.B) {
	r := hundredTools(b)
	ctx, request := b.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(fiveMistakesAndOne)}
	b.ReportAllocs()
	for b.Loop() {
		if c := r.Call(ctx, request); c.Err == nil {
			b.Fatal("no error")
		}
	}
}

// BenchmarkHostile shows that the time for a hostile mebibyte is that for any other.
func BenchmarkHostile(b *testing.B) {
	r := hundredTools(b)
	for name, text := range search.Hostile(1 << 20) {
		b.Run(name, func(b *testing.B) {
			ctx, request := b.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(text)}
			b.ReportAllocs()
			for b.Loop() {
				if c := r.Call(ctx, request); c.Err == nil {
					b.Fatal("no error")
				}
			}
		})
	}
}

func BenchmarkRegister1000(b *testing.B) {
	tools := manyTools(1000)
	b.ReportAllocs()
	for b.Loop() {
		if err := tool.NewRegistry().Register(tools...); err != nil {
			b.Fatal(err)
		}
	}
}

// hundredTools returns a registry with the search tool and 99 others.
func hundredTools(tb testing.TB) *tool.Registry {
	r := tool.NewRegistry()
	if err := r.Register(append(manyTools(99), tool.Generated(&searchDefinition, invokeSearch))...); err != nil {
		tb.Fatal(err)
	}
	return r
}

func manyTools(n int) (tools []tool.Tool) {
	for i := range n {
		tools = append(tools, searchAs(&tool.Definition{Name: fmt.Sprint("tool_", i)}).Tool)
	}
	return tools
}
