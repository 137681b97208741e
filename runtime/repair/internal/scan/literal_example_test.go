package scan_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

func Example_word() {
	for _, text := range []string{"None", "True", "0x1F", "1_000", "words"} {
		kind, lit, ok := scan.ParseWord(text)
		fmt.Printf("%v %q %v\n", kind == jsontext.Number, lit, ok)
	}
	// Output:
	// false "null" true
	// false "true" true
	// true "31" true
	// true "1000" true
	// true "" false
}
