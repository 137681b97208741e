package rpc_test

import (
	"fmt"
	"log/slog"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// A panic becomes an error for the request that caused it.
func ExampleRecover() {
	var nobody *struct{ name string }
	_, err := rpc.Recover(slog.New(slog.DiscardHandler), "tools/list", func() (string, error) { return nobody.name, nil })
	fmt.Println(err)
	// Output:
	// tools/list failed because of an internal error of the server
}
