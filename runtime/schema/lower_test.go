package schema_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func ExampleLower() {
	definition := tool.Definition{Name: "now", Description: "The time of day."}
	lowered, err := schema.Lower(schema.MCP, definition)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", lowered.JSON(schema.MCPTool))
	// Output: {"name":"now","description":"The time of day.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}}
}
