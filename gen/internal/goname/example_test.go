package goname_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/goname"
)

// A name that is in use gets a number.
func ExampleNames_Take() {
	free := goname.NewNames("Find")
	fmt.Println(free.Take("Find"), free.Take("FindArgs"), free.Take("type"))
	// Output:
	// Find2 FindArgs type2
}

// Words of the notation become Go names with initialisms in capitals.
func ExampleExported() {
	fmt.Println(goname.Exported("get_url", "Tool"), goname.Unexported("URLPath"), goname.SnakeCase("userIDs"))
	// Output:
	// GetURL urlPath user_ids
}
