package contain_test

import (
	"fmt"
	"log/slog"

	"github.com/aiongen/aiongen/runtime/mcp/internal/contain"
)

// What panics is an error of the request that it answers.
func ExampleAnswer() {
	var nobody *struct{ name string }
	_, err := contain.Answer(slog.New(slog.DiscardHandler), "tools/list", func() (string, error) { return nobody.name, nil })
	fmt.Println(err)
	// Output:
	// tools/list failed by a fault of the server
}
