package values_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/values"
)

// A note of an int with min=1 does not allow 0.
func Example() {
	limits := values.Limits{Min: "1"}
	for _, text := range []string{"3", "0", "'3'"} {
		l, _ := values.Parse(text)
		problem := values.Mismatch(l, values.IntKind)
		if problem == "" {
			problem = limits.CheckValue(values.IntKind, l)
		}
		fmt.Printf("%v: %q\n", l, problem)
	}
	// Output:
	// 3: ""
	// 0: "is less than the minimum 1"
	// '3': "is not an integer"
}
