package rpc

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewCheckingTransport returns a transport that checks the parameters of requests, and answers
// invalid ones with an error.
func NewCheckingTransport(t sdk.Transport) sdk.Transport { return checkingTransport{t} }

type checkingTransport struct{ sdk.Transport }

// Connect connects the transport.
func (t checkingTransport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return checkingConnection{c}, nil
}

// SupportsProtocolVersion asks the wrapped transport. It returns true if that transport does not
// implement the method.
func (t checkingTransport) SupportsProtocolVersion(version string) bool {
	s, ok := t.Transport.(sdk.ProtocolVersionSupporter)
	return !ok || s.SupportsProtocolVersion(version)
}

type checkingConnection struct{ sdk.Connection }

// Read returns the next message. It skips requests with invalid parameters, after answering
// them.
func (c checkingConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		r, ok := m.(*jsonrpc.Request)
		if err != nil || !ok || !r.IsCall() {
			return m, err
		}
		paramsErr := checkParams(r.Method, r.Params)
		if paramsErr == nil {
			return m, nil
		}
		answer := &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: paramsErr.Error()}}
		if err := c.Connection.Write(ctx, answer); err != nil {
			return nil, err
		}
	}
}
