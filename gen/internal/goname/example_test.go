package goname_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/goname"
)

// A set of names gives a second one of a name its number.
func ExampleNames_Take() {
	free := goname.Reserved("Find")
	fmt.Println(free.Take("Find"), free.Take("FindArgs"), free.Take("type"))
	// Output:
	// Find2 FindArgs type2
}

// Words of the notation become names of Go, initialisms in capitals.
func ExampleExported() {
	fmt.Println(goname.Exported("get_url", "Tool"), goname.Unexported("URLPath"), goname.Snake("userIDs"))
	// Output:
	// GetURL urlPath user_ids
}
