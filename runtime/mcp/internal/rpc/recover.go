package rpc

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Recover calls a function that answers a request. If the function panics, Recover logs the
// panic and returns a protocol error.
func Recover[R any](log *slog.Logger, method string, answer func() (R, error)) (result R, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("mcp: a request failed because of an internal error", "method", method, "panic", p, "stack", string(debug.Stack()))
			err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: method + " failed because of an internal error of the server"}
		}
	}()
	return answer()
}

// RunIsolated calls a function of the program in a new goroutine and waits for it. If the function
// panics, RunIsolated logs the panic and returns an error. It also returns an error if the function
// calls runtime.Goexit.
func RunIsolated[R any](log *slog.Logger, what string, f func() (R, error)) (result R, err error) {
	err = fmt.Errorf("%s ended its goroutine (runtime.Goexit)", what)
	var running sync.WaitGroup
	running.Go(func() { result, err = Recover(log, what, f) })
	running.Wait()
	return result, err
}
