package lowering_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/lowering"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

func Example_schema2() {
	root, _ := outline.Parse([]byte(`{"type":"object","properties":{"size":{"type":"integer","minimum":1}}}`))
	l := outline.NewLowering("anthropic-strict")
	lowered, _ := lowering.Rewrite(l, root)
	fmt.Println(string(outline.RawJSON(lowered)))
	for _, loss := range l.Losses {
		fmt.Println(loss.Pointer, loss.Message)
	}
	// Output:
	// {"type":"object","properties":{"size":{"description":"Must be at least 1.","type":"integer"}},"additionalProperties":false}
	// /input/properties/size minimum is only stated in the description
}
