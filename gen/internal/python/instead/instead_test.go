package instead_test

import (
	"fmt"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/instead"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// Most of what lambdas do not have can be said in another way.
func Example() {
	for _, advice := range []instead.Advice{instead.Of(kind.List, "reverse"), instead.Of(kind.Str, "partition"), instead.OfFunction("zip"), instead.OfFunction("open")} {
		var d diag.Diagnostic
		fmt.Println(advice.Helps(&d), d.Help)
	}
	// Output:
	// true [write xs[::-1]]
	// true [write s.split(t, 1), which is without the separator]
	// true [call a Go function that pairs the elements]
	// false []
}
