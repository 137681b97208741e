package lazyregexp_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/internal/lazyregexp"
)

func Example() {
	digits := lazyregexp.Regexp{Text: `^[0-9]+$`}
	fmt.Println(digits.Get().MatchString("2026"), digits.Get() == digits.Get())
	// Output: true true
}

// TestInvalid checks that an invalid expression panics on first use, and not before.
func TestInvalid(t *testing.T) {
	wrong := lazyregexp.Regexp{Text: `(`}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	wrong.Get()
}
