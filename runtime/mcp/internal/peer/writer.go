package peer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// RunWriter runs a function that writes the content of a prompt or a resource. The function runs
// like that of a tool, with a [tool.Exchange]. Parts that it attaches to the exchange come before the
// parts that it returns.
func RunWriter(ctx context.Context, r *Request, key Key, write func(context.Context) ([]content.Part, error)) ([]content.Part, *Input, error) {
	writer := tool.NewTypedAction(&tool.Definition{Name: r.Method, Description: r.Name}, func(wire.Value) struct{} { return struct{}{} }, func(ctx context.Context, _ struct{}) error {
		parts, err := write(ctx)
		tool.ExchangeFrom(ctx).Attach(parts...)
		return err
	})
	registry := tool.NewRegistry()
	if err := registry.Register(writer.Tool); err != nil {
		return nil, nil, err
	}
	call, input, err := RunCall(ctx, r, key, func(attempt tool.Request) (*tool.Call, error) {
		attempt.Name = r.Method
		return registry.Match(attempt)
	})
	switch {
	case err != nil || input != nil:
		return nil, input, err
	case call.Err != nil:
		return nil, nil, clientError(r, call.Err)
	}
	return call.Content, nil, nil
}

// maxErrorBytes limits the text of a function's error in a response, in bytes.
const maxErrorBytes = 2000

// clientError returns the error for the client. If the function panicked, clientError panics with
// the same value and stack, so that the server logs them and hides them from the client.
func clientError(r *Request, err error) error {
	var toolErr *tool.ToolError
	var panicked *tool.PanicError
	switch {
	case errors.As(err, &panicked):
		panic(fmt.Sprintf("%v\n%s", panicked.Value, panicked.Stack))
	case errors.Is(err, fs.ErrNotExist):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: r.Name + " does not exist"}
	case errors.As(err, &toolErr):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: r.Name + " failed: " + words.Cut(toolErr.Err.Error(), maxErrorBytes)}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: tool.ModelText(err)}
}
