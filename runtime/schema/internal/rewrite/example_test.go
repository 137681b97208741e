package rewrite_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/rewrite"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

func ExampleSchema() {
	root, _ := tree.Parse([]byte(`{"type":"object","properties":{"size":{"type":"integer","minimum":1}}}`))
	l := rules.For("anthropic-strict")
	lowered, _ := rewrite.Schema(l, root)
	fmt.Println(string(tree.Raw(lowered)))
	for _, loss := range l.Losses {
		fmt.Println(loss.Pointer, loss.Message)
	}
	// Output:
	// {"type":"object","properties":{"size":{"description":"Must be at least 1.","type":"integer"}},"additionalProperties":false}
	// /input/properties/size minimum is only told in the description
}
