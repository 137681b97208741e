package words_test

import (
	"testing"

	"github.com/aiongen/aiongen/internal/words"
)

// TestFreeNumber counts how many numbers are tried to number many names.
func TestFreeNumber(t *testing.T) {
	taken, tried := map[int]bool{}, 0
	isTaken := func(n int) bool { tried++; return taken[n] }
	const count = 10_000
	for i := range count {
		n := words.FreeNumber(isTaken)
		if want := i + 2; n != want {
			t.Fatalf("got %d, want %d", n, want)
		}
		taken[n] = true
	}
	if tried > 100*count {
		t.Errorf("%d numbers were tried for %d names", tried, count)
	}
	delete(taken, 7)
	if n := words.FreeNumber(isTaken); n != 7 {
		t.Errorf("got %d, want 7", n)
	}
}
