package calls_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
)

func ExampleRead() {
	found := calls.Read(`<tool_call>{"name": "find", "arguments": {"user": 7}}</tool_call>`, nil)
	for _, r := range found.Requests {
		fmt.Println(r.Name, string(r.Arguments), r.Truncated)
	}
	// Output: find {"user":7} false
}
