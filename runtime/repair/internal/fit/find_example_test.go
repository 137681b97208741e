package fit_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
)

func Example_read() {
	text := "Here you are:\n```json\n{a: 1}\n```"
	d, bad := fit.ReadDocument(text, 0, nil)
	fmt.Println(d.Value, text[d.From:d.To], bad == nil)
	// Output: {"a":1} {a: 1} true
}
