package words_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// A long list is cut.
func ExampleSample() {
	fmt.Println(words.Sample([]string{"find", "add", "find"}))
	fmt.Println(words.Sample(strings.Split("abcdefghij", "")))
	// Output:
	// add, find
	// a, b, c, d, e, f, g, h and 2 more
}
