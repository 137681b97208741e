package rpc

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// ObservedOutcome converts the outcome of a request for the function that observes requests.
func ObservedOutcome(result sdk.Result, err error) observe.Outcome {
	out := observe.Outcome{Err: err}
	if answered, ok := errors.AsType[*jsonrpc.Error](err); ok {
		out.Code = answered.Code
	}
	if called, ok := result.(*sdk.CallToolResult); ok && called != nil && err == nil {
		out.ToolFailed = called.IsError
	}
	return out
}
