package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/memorytest"
)

func TestMap(t *testing.T) {
	memorytest.Run(t, func(*testing.T) memory.Store { return new(memory.Map) })
}

func TestPrefix(t *testing.T) {
	memorytest.Run(t, func(*testing.T) memory.Store { return memory.Prefix(new(memory.Map), "") })
}

func TestError(t *testing.T) {
	var m memory.Map
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, _, done := m.Read(ctx, "k")
	for _, test := range []struct {
		err       error
		text      string
		code      string
		retryable bool
	}{
		{m.Write(t.Context(), "", 1), "memory: the key is empty", "invalid_key", false},
		{m.Write(t.Context(), strings.Repeat("k", 1025), 1),
			`memory: key "` + strings.Repeat("k", 64) + `"…: it has 1025 bytes, at most 1024 are allowed`, "invalid_key", false},
		{m.Write(t.Context(), "a\nb", func() {}), `memory: key "a\nb": json: unsupported type: func()`, "invalid_value", false},
		{m.Write(t.Context(), "k", json.RawMessage("\"\xff\"")), `memory: key "k": it is not UTF-8`, "invalid_value", false},
		{m.Write(t.Context(), "k", strings.Repeat("v", 16<<20)),
			`memory: key "k": it has 16777218 bytes as JSON, at most 16777216 are allowed`, "invalid_value", false},
		{done, `memory: key "k": context canceled`, "store_failed", true},
		{&memory.Error{Kind: memory.Failed, Err: io.ErrShortWrite}, "memory: short write", "store_failed", true},
	} {
		var e *memory.Error
		if !errors.As(test.err, &e) || e.Error() != test.text || e.Code() != test.code || e.Retryable() != test.retryable {
			t.Errorf("%v, code %s, want %s, code %s", test.err, e.Code(), test.text, test.code)
		}
	}
}

// BenchmarkSearch finds 100 of 100,000 keys.
func BenchmarkSearch(b *testing.B) {
	var m memory.Map
	for i := range 100_000 {
		if err := m.Write(b.Context(), fmt.Sprintf("run/%03d/%d", i/100, i), i); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for _, err := range m.Search(b.Context(), "run/500/") {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
