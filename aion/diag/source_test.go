package diag

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// TestUTF16Column counts columns of long lines. It also checks that a line with many positions is not
// counted from its start for each of them.
func TestUTF16Column(t *testing.T) {
	for _, unit := range []string{"x", "é", "世a", "😀", "a😀é", "\xff", "\x80\x80\x80\x80\x80\x80", "\ufeff"} {
		for _, start := range []string{"", "\ufeff", "x\n"} {
			text := start + strings.Repeat(unit, 20_000/len(unit))
			number, line := 1, text
			if start == "x\n" {
				number, line = 2, text[2:]
			}
			s := source{read: func(string) ([]byte, error) { return []byte(text), nil }}
			step := len(unit)*7 + 1
			for at := 0; at <= len(line); at += step {
				want := 1
				shown := line[:at]
				if number == 1 {
					shown = strings.TrimPrefix(shown, "\ufeff")
				}
				for _, r := range shown {
					want += utf16.RuneLen(r)
				}
				if got := s.utf16Column("a", Pos{Line: number, Column: at + 1}); got != want {
					t.Fatalf("%q after %q: byte %d is in column %d, not %d", unit, start, at, got, want)
				}
			}
			if len(s.counters) != 1 {
				t.Errorf("%q: %d counters for one line", unit, len(s.counters))
			}
		}
	}
}

// TestCellsAllocations checks that characters of ASCII are shown without an allocation for
// each: many diagnostics may be on one long line.
func TestCellsAllocations(t *testing.T) {
	line := []byte(strings.Repeat("a b", 1000))
	if got := testing.AllocsPerRun(10, func() { splitCells(line) }); got > 1 {
		t.Errorf("%v allocations, want 1", got)
	}
}
