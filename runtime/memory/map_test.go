package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
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

// strayStore is a store whose searches return too many entries.
type strayStore struct{ memory.Map }

func (*strayStore) Search(context.Context, string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		for _, key := range []string{"run/1/a", "run/1/", "run/2/b", "run/1/c", "r"} {
			if !yield(memory.Entry{Key: key}, nil) {
				return
			}
		}
	}
}

// TestPrefixStray checks that a view shows nothing of another one.
func TestPrefixStray(t *testing.T) {
	var keys []string
	for entry, err := range memory.Prefix(&strayStore{}, "run/1/").Search(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, entry.Key)
	}
	if want := []string{"a", "c"}; !slices.Equal(keys, want) {
		t.Errorf("the view has %q, want %q", keys, want)
	}
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
			`memory: key "` + strings.Repeat("k", 64) + `…": the key has 1025 bytes, at most 1024 are allowed`, "invalid_key", false},
		{m.Write(t.Context(), "k"+strings.Repeat("é", 600), 1),
			`memory: key "k` + strings.Repeat("é", 31) + `…": the key has 1201 bytes, at most 1024 are allowed`, "invalid_key", false},
		{m.Write(t.Context(), "a\nb", func() {}), `memory: key "a\nb": json: unsupported type: func()`, "invalid_value", false},
		{m.Write(t.Context(), "k", json.RawMessage("\"\xff\"")), `memory: key "k": the value is not valid UTF-8`, "invalid_value", false},
		{m.Write(t.Context(), "k", strings.Repeat("v", 16<<20)),
			`memory: key "k": the value has 16777218 bytes as JSON, at most 16777216 are allowed`, "invalid_value", false},
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
