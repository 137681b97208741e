package wire_test

import (
	"testing"
	"unsafe"

	"github.com/aiongen/aiongen/runtime/wire"
)

func TestPromptData(t *testing.T) {
	n, s := 7, struct{ A string }{"<"}
	for _, tt := range []struct {
		value any
		want  string
	}{
		{nil, ""},
		{(*int)(nil), ""},
		{&n, "7"},
		{"a <b>", "a <b>"},
		{1.5, "1.5"},
		{true, "true"},
		{map[string]int{"b": 1, "a": 2}, "{\n  \"a\": 2,\n  \"b\": 1\n}"},
		{[]string{}, "[]"},
		{&s, "{\n  \"A\": \"<\"\n}"},
	} {
		if got, err := wire.PromptData(tt.value); err != nil || got != tt.want {
			t.Errorf("PromptData(%v) = %q, %v; want %q", tt.value, got, err, tt.want)
		}
	}
	c, f := make(chan int), func() {}
	for _, value := range []any{[]any{f}, c, &c, f, unsafe.Pointer(&n)} {
		if got, err := wire.PromptData(value); err == nil {
			t.Errorf("PromptData(%T) = %q, but there is no text for it", value, got)
		}
	}
}
