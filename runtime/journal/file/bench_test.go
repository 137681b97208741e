package file

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// BenchmarkAppend appends entries of 300 bytes to one run.
func BenchmarkAppend(b *testing.B) {
	j, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	entry := note(strings.Repeat("x", 300))
	n := 0
	for b.Loop() {
		if err := j.Append(b.Context(), "r", n, entry); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// BenchmarkBegin starts runs.
func BenchmarkBegin(b *testing.B) {
	j, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		if err := j.Append(b.Context(), fmt.Sprint(n), 0, journal.Entry{By: "a"}); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
