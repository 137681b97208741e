package property_test

import (
	"fmt"

	"github.com/aiongen/aiongen/aion/internal/property"
)

// Names of other formats are told from slips and from what means nothing.
func Example() {
	for _, name := range []string{"handler", "descripton", "colour"} {
		fmt.Printf("%s: %q\n", name, property.Meant(name, property.Element))
	}
	fmt.Println(property.Port("param_2"))
	// Output:
	// handler: "function"
	// descripton: "description"
	// colour: ""
	// arg-2 true
}
