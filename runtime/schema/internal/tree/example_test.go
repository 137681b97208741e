package tree_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

func Example() {
	city := tree.One("type", tree.String("string"))
	whole := tree.One("properties", tree.One("city", city))
	tree.Add(whole, "required", tree.Strings([]string{"city"}))
	tree.Add(whole, "title", nil)
	fmt.Println(string(tree.Raw(whole)))
	fmt.Println(string(tree.Raw(tree.Without(whole, "required"))))
	// Output:
	// {"properties":{"city":{"type":"string"}},"required":["city"]}
	// {"properties":{"city":{"type":"string"}}}
}
