package schema_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func ExampleDescribe() {
	fmt.Print(schema.Describe([]tool.Definition{{
		Name:        "find_ticket",
		Description: "Finds tickets by words in their titles.",
		Input:       []byte(`{"type":"object","properties":{"words":{"type":"string","description":"what to look for"},"limit":{"type":"integer"}},"required":["words"],"additionalProperties":false}`),
		Output:      []byte(`{"type":"array","items":{"type":"object"}}`),
	}}))
	// Output:
	// find_ticket -> list[object]
	//   Finds tickets by words in their titles.
	//   - words: string (what to look for)
	//   - limit?: integer
	//   {"name":"find_ticket","arguments":{"words":"text"}}
}
