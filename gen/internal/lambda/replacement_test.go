package lambda

import (
	"fmt"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// Most unsupported constructs have a replacement.
func Example_methodReplacement() {
	for _, r := range []replacement{methodReplacement(ir.List, "reverse"), methodReplacement(ir.Str, "indexOf"), functionReplacement("zip"), functionReplacement("open")} {
		var d diag.Diagnostic
		fmt.Println(r.addHelp(&d), d.Help)
	}
	// Output:
	// true [write xs[::-1], which is a new list]
	// true [write s.find(t)]
	// true [call a Go function that pairs the elements]
	// false []
}
