package keep_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/keep"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

func ExampleSchema() {
	l := rules.For("openai")
	root, _ := tree.Parse([]byte(`{"properties":{"tags":{"type":"array"}},"anyOf":[{"required":["tags"]}]}`))
	lowered, _ := keep.Schema(l, root)
	fmt.Println(string(tree.Raw(lowered)))
	for _, loss := range l.Losses {
		fmt.Println(loss.Message)
	}
	// Output:
	// {"type":"object","description":"Must be valid against the JSON Schema {\"anyOf\":[{\"required\":[\"tags\"]}]}.","properties":{"tags":{"type":"array","items":{}}}}
	// anyOf is only told in the description
}
