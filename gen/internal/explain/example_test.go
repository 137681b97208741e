package explain_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/explain"
)

func Example() {
	topic, _ := explain.Find("empty-text")
	fmt.Print(topic.Description().Page)
	// Output:
	// empty-text: A text is empty.
	//
	// The text of function, args_schema, link and description must not be empty or
	// blank. Omit the property instead.
	//
	// Wrong, users.aion:
	//
	//     [
	//       { name --> "manual", link --> "https://example.com", description --> "" }
	//     ]
	//
	// Right, users.aion:
	//
	//     [
	//       { name --> "manual", link --> "https://example.com", description --> "The manual." }
	//     ]
}
