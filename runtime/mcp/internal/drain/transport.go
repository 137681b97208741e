package drain

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Refusal is what a call is answered that comes when the server ends.
var Refusal = &jsonrpc.Error{Code: -32004, Message: "the server is about to end; ask again later"}

// Transport returns a transport whose calls are among these.
func (c *Calls) Transport(t sdk.Transport) sdk.Transport { return transport{t, c} }

type transport struct {
	sdk.Transport
	calls *Calls
}

// Connect connects the transport.
func (t transport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Connection: c, calls: t.calls, open: map[jsonrpc.ID]bool{}}, nil
}

// SupportsProtocolVersion says what the transport says, if it says so.
func (t transport) SupportsProtocolVersion(version string) bool {
	s, ok := t.Transport.(sdk.ProtocolVersionSupporter)
	return !ok || s.SupportsProtocolVersion(version)
}

// connection notes the calls that come by it, until they are answered or it is
// closed.
type connection struct {
	sdk.Connection
	calls *Calls

	mu   sync.Mutex
	open map[jsonrpc.ID]bool // nil when it is closed
}

// Read returns the next message that is not to be refused.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			c.endAll() // there is nobody to take answers
			return m, err
		}
		r, ok := m.(*jsonrpc.Request)
		if !ok || !r.IsCall() || !Counts(r.Method) || c.begin(r.ID) {
			return m, nil
		}
		if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: r.ID, Error: Refusal}); err != nil {
			return nil, err
		}
	}
}

// Counts reports whether a call is one to wait for: not one that only ends with its
// connection, nor one that asks whether there is still somebody.
func Counts(method string) bool { return method != "subscriptions/listen" && method != "ping" }

func (c *connection) begin(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil || c.open[id] { // the second with an ID is answered as the first is
		return true
	}
	if !c.calls.Begin() {
		return false
	}
	c.open[id] = true
	return true
}

// Write writes a message, which may be an answer.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
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

// Close closes the connection. What was not answered yet is not any more.
func (c *connection) Close() error {
	c.endAll()
	return c.Connection.Close()
}

func (c *connection) endAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range c.open {
		c.calls.End()
	}
	c.open = nil
}
