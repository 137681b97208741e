package words_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/words"
)

// TestCommonLines checks that no line counts twice.
func TestCommonLines(t *testing.T) {
	for _, test := range []struct {
		a, b       string
		head, tail int
	}{
		{"a b c", "a x c", 1, 1},
		{"a b", "a b", 2, 0},
		{"a", "a a", 1, 0},
		{"", "a", 0, 0},
		{"a a b", "a b", 1, 1},
	} {
		if head, tail := words.CommonLines(strings.Fields(test.a), strings.Fields(test.b)); head != test.head || tail != test.tail {
			t.Errorf("%q and %q: got %d and %d", test.a, test.b, head, tail)
		}
	}
}
