package syntax_test

import (
	"fmt"

	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// Names of other formats and misspellings are recognized, other names are not.
func Example_property() {
	for _, name := range []string{"handler", "descripton", "colour"} {
		fmt.Printf("%s: %q\n", name, syntax.GuessProperty(name, syntax.ElementProperties))
	}
	fmt.Println(syntax.GuessPort("param_2"))
	// Output:
	// handler: "function"
	// descripton: "description"
	// colour: ""
	// arg-2 true
}
