package outline_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

func Example_tree() {
	city := outline.NewMember("type", outline.NewString("string"))
	whole := outline.NewMember("properties", outline.NewMember("city", city))
	outline.AddMember(whole, "required", outline.NewStrings([]string{"city"}))
	outline.AddMember(whole, "title", nil)
	fmt.Println(string(outline.RawJSON(whole)))
	fmt.Println(string(outline.RawJSON(outline.WithoutMembers(whole, "required"))))
	// Output:
	// {"properties":{"city":{"type":"string"}},"required":["city"]}
	// {"properties":{"city":{"type":"string"}}}
}
