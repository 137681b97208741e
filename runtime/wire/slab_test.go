package wire

import (
	"bytes"
	"testing"
)

// TestSlabs checks that copies do not change when other texts are copied, when something is appended
// to one of them, or when their originals are modified.
func TestSlabs(t *testing.T) {
	var strings stringSlab
	var slices byteSlab
	var texts []string
	var copies [][]byte
	for i := range 2000 {
		text := bytes.Repeat([]byte{byte('a' + i%26)}, i*7%600)
		texts, copies = append(texts, strings.copyText(text)), append(copies, slices.copyText(text))
		_ = append(copies[i], '!')
		clear(text)
	}
	for i := range 2000 {
		want := string(bytes.Repeat([]byte{byte('a' + i%26)}, i*7%600))
		if texts[i] != want || string(copies[i]) != want || cap(copies[i]) > len(want)+64 {
			t.Fatalf("%d: %q and %q, want %q", i, texts[i], copies[i], want)
		}
	}
}

// TestSlabAllocations checks that short texts need less than one allocation each, and long ones one. A few
// more may come from other goroutines.
func TestSlabAllocations(t *testing.T) {
	var strings stringSlab
	var slices byteSlab
	for size, most := range map[int]float64{0: 0.1, 100: 0.2, 256: 0.6, 257: 1.1, 5000: 1.1} {
		text := make([]byte, size)
		if n := testing.AllocsPerRun(1, func() {
			for range 1000 {
				strings.copyText(text)
			}
		}); n > most*1000 {
			t.Errorf("%v allocations of %d bytes for strings", n, size)
		}
		if n := testing.AllocsPerRun(1, func() {
			for range 1000 {
				slices.copyText(text)
			}
		}); n > most*1000 {
			t.Errorf("%v allocations of %d bytes", n, size)
		}
	}
}
