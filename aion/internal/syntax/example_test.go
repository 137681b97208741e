package syntax_test

import (
	"fmt"

	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// An item that lacks a part is completed if its meaning is clear.
func Example() {
	r := syntax.Read("users.aion", []byte(`[
  {
    name => "find",
    link: "https://example.com"
  }
]`))
	items, at := r.ReadArray()
	fmt.Println("the array is at", at)
	for _, element := range r.CompleteItems(items) {
		for _, it := range r.CompleteItems(element.Block.Items) {
			fmt.Println(it.Key.Value, "is", syntax.TextValue(it.Text.Value))
		}
	}
	for _, d := range r.List {
		fmt.Println(d.Span, d.Message, d.Help)
	}
	// Output:
	// the array is at users.aion:1:1
	// name is find
	// link is https://example.com
	// users.aion:3:10 expected "-->" after "name", found "=>" [write name --> "find"]
	// users.aion:4:9 expected "-->" after "link", found ":" [write link --> "https://example.com"]
}
