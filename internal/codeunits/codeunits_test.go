package codeunits

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// TestBefore counts before every offset of long texts, also invalid ones. It also checks that a long text is not
// counted from its start for each offset.
func TestBefore(t *testing.T) {
	for _, unit := range []string{"", "x", "é", "世a", "😀", "a😀é", "\xff", "\x80\x80\x80\x80\x80\x80", "\ufeff", "\xf0\x9f"} {
		for _, start := range []string{"", "xyz", strings.Repeat("x", distance-1)} {
			text := start + strings.Repeat(unit, 4*distance/max(1, len(unit)))
			c := New([]byte(text))
			for offset := 0; offset <= len(text); offset += 1 + offset/100 {
				want := len(utf16.Encode([]rune(text[:offset])))
				if got := c.Before(offset); got != want {
					t.Fatalf("%q after %d bytes: %d code units before byte %d, not %d", unit, len(start), got, offset, want)
				}
				if counted := offset - c.markBefore(offset).offset; counted > 2*distance {
					t.Fatalf("%q: %d bytes are counted for offset %d", unit, counted, offset)
				}
			}
		}
	}
}
