package lowering_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/lowering"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

func Example_schema() {
	l := outline.NewLowering("openai")
	root, _ := outline.Parse([]byte(`{"properties":{"tags":{"type":"array"}},"anyOf":[{"required":["tags"]}]}`))
	lowered, _ := lowering.PassThrough(l, root)
	fmt.Println(string(outline.RawJSON(lowered)))
	for _, loss := range l.Losses {
		fmt.Println(loss.Message)
	}
	// Output:
	// {"type":"object","description":"Must be valid against the JSON Schema {\"anyOf\":[{\"required\":[\"tags\"]}]}.","properties":{"tags":{"type":"array","items":{}}}}
	// anyOf is only stated in the description
}
