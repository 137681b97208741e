package reader_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

func Example() {
	text := `{name: 'Ada', born: 1815, tags: ["x", "y"}`
	r := reader.New(text, 0, len(text))
	n := r.ReadValue(reader.InText, nil)
	fmt.Println(n, r.Cut, r.Err == nil)
	// Output: {"name":"Ada","born":1815,"tags":["x","y"]} false true
}
