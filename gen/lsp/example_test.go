package lsp_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/gen/lsp"
)

// The client sends messages as an editor does, and ends the session. Serve returns nil after that.
func ExampleServe() {
	var in, out bytes.Buffer
	for _, message := range []string{
		`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}`,
		`{"jsonrpc": "2.0", "method": "initialized", "params": {}}`,
		`{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}`,
		`{"jsonrpc": "2.0", "method": "exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	err := lsp.Serve(context.Background(), lsp.Config{Version: "v1.2.3"}, &in, &out)
	fmt.Println(err, strings.Contains(out.String(), `"serverInfo":{"name":"aiongen","version":"v1.2.3"}`))
	// Output: <nil> true
}
