package rpc

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ErrShuttingDown is the answer to calls that arrive while the server is shutting down.
var ErrShuttingDown = &jsonrpc.Error{Code: -32004, Message: "the server is shutting down; try again later"}

// WrapTransport returns a transport that counts its calls in c. It answers calls with invalid parameters,
// and calls that arrive while the server is shutting down, with an error.
func (c *Calls) WrapTransport(t sdk.Transport) sdk.Transport { return wrappedTransport{t, c} }

type wrappedTransport struct {
	sdk.Transport
	calls *Calls
}

// Connect connects the transport.
func (t wrappedTransport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &wrappedConnection{Connection: c, calls: t.calls, open: map[jsonrpc.ID]bool{}}, nil
}

// SupportsProtocolVersion asks the wrapped transport. It returns true if that transport does not
// implement the method.
func (t wrappedTransport) SupportsProtocolVersion(version string) bool {
	s, ok := t.Transport.(sdk.ProtocolVersionSupporter)
	return !ok || s.SupportsProtocolVersion(version)
}

// wrappedConnection counts each call that it receives until the call is answered or the connection
// is closed.
type wrappedConnection struct {
	sdk.Connection
	calls *Calls

	mu   sync.Mutex
	open map[jsonrpc.ID]bool // unanswered calls; nil after the connection is closed
}

// Read returns the next message, except calls that admitCall rejects.
func (c *wrappedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			c.endCalls() // nobody can receive the answers
			return m, err
		}
		r, ok := m.(*jsonrpc.Request)
		if !ok || !r.IsCall() {
			return m, nil
		}
		rejection := c.admitCall(r)
		if rejection == nil {
			return m, nil
		}
		if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: r.ID, Error: rejection}); err != nil {
			c.endCalls()
			return nil, err
		}
	}
}

// admitCall counts a call, or returns the error with which the call is answered.
func (c *wrappedConnection) admitCall(r *jsonrpc.Request) error {
	if err := checkParams(r.Method, r.Params); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	if DelaysShutdown(r.Method) && !c.beginCall(r.ID) {
		return ErrShuttingDown
	}
	return nil
}

// DelaysShutdown reports whether a server that shuts down waits for calls of this method. It
// does not wait for subscriptions, which last as long as their connection, or for pings.
func DelaysShutdown(method string) bool { return method != "subscriptions/listen" && method != "ping" }

func (c *wrappedConnection) beginCall(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil || c.open[id] { // the SDK rejects a call with a duplicate ID
		return true
	}
	if !c.calls.Begin() {
		return false
	}
	c.open[id] = true
	return true
}

// Write writes a message. If the message answers a call, that call is no longer counted.
func (c *wrappedConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[r.ID] {
			c.calls.End()
		}
		delete(c.open, r.ID)
	}
	return err
}

// Close closes the connection. Its unanswered calls are no longer counted.
func (c *wrappedConnection) Close() error {
	c.endCalls()
	return c.Connection.Close()
}

func (c *wrappedConnection) endCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range c.open {
		c.calls.End()
	}
	c.open = nil
}
