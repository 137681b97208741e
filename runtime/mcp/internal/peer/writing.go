package peer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Write runs a function that writes what a request is for, as a call of a tool is run: it
// has an exchange, and what it attaches there stands behind what it returns.
func Write(ctx context.Context, r *Request, key sealed.Key, write func(context.Context) ([]content.Part, error)) ([]content.Part, *Input, error) {
	writer := tool.NewDo(&tool.Definition{Name: r.Method, Description: r.Name}, func(wire.Value) struct{} { return struct{}{} }, func(ctx context.Context, _ struct{}) error {
		parts, err := write(ctx)
		tool.ExchangeFrom(ctx).Attach(parts...)
		return err
	})
	registry := tool.NewRegistry()
	if err := registry.Register(writer.Tool); err != nil {
		return nil, nil, err
	}
	call, input, err := Drive(ctx, r, key, func(again tool.Request) (*tool.Call, error) {
		again.Name = r.Method
		return registry.Match(again)
	})
	switch {
	case err != nil || input != nil:
		return nil, input, err
	case call.Err != nil:
		return nil, nil, failed(r, call.Err)
	}
	return call.Content, nil, nil
}

// longestError bounds what a client is told of an error, in bytes.
const longestError = 2000

// failed returns the error that a client is told. What a function panicked with is none,
// but a fault of the server.
func failed(r *Request, err error) error {
	var own *tool.ToolError
	var panicked *tool.PanicError
	switch {
	case errors.As(err, &panicked):
		panic(fmt.Sprintf("%v\n%s", panicked.Value, panicked.Stack))
	case errors.Is(err, fs.ErrNotExist):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: r.Name + " is not there"}
	case errors.As(err, &own):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: r.Name + " failed: " + words.Cut(own.Err.Error(), longestError)}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: tool.ModelText(err)}
}
