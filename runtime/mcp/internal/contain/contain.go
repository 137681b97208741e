// Package contain keeps a fault to the request that it came with: what panics in an
// answer ends neither server nor client.
package contain

import (
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Answer answers a request by a function. If that panics, it is an error of that request
// alone, and logged.
func Answer[R any](log *slog.Logger, method string, by func() (R, error)) (result R, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("mcp: a request failed by a fault of the server", "method", method, "panic", p, "stack", string(debug.Stack()))
			err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: method + " failed by a fault of the server"}
		}
	}()
	return by()
}
