// Package transport connects to MCP servers over the transports of the SDK, and limits
// what a server can do to the connection. The size of a message is checked while it is
// read, a message that cannot be read affects at most one request, and every failure says
// whether the request can have run.
package transport

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Config is what a connection needs to know of its user.
type Config struct {
	Log *slog.Logger
	// Limit returns the current limit of a line, in bytes. It depends on which requests
	// wait for an answer.
	Limit func() int
	// Headers returns additional HTTP headers of a request, as the definition of a tool
	// may ask for.
	Headers func(*jsonrpc.Request) map[string]string
	// Lost is called when the server no longer knows the session. Requests that already
	// run may still be answered.
	Lost func()
}

// Open connects to a server. A message that cannot be read, but may be the answer to a
// request, is read as a response without an ID.
func Open(ctx context.Context, t sdk.Transport, c Config) (sdk.Connection, error) {
	switch t := t.(type) {
	case *sdk.CommandTransport:
		return openCommand(t, c)
	case *sdk.IOTransport:
		return newLines(t.Reader, t.Writer, func() error { return errors.Join(t.Reader.Close(), t.Writer.Close()) }, c), nil
	case *sdk.StreamableClientTransport:
		return newWeb(ctx, t, c), nil
	case *sdk.SSEClientTransport:
		limited := *t
		limited.MaxEventSize = cmp.Or(t.MaxEventSize, LargestAnswer)
		return connectDetached(ctx, &limited)
	case *sdk.LoggingTransport:
		inner, err := Open(ctx, t.Transport, c)
		if err != nil {
			return nil, err
		}
		return (&sdk.LoggingTransport{Transport: Opened{inner}, Writer: t.Writer}).Connect(ctx)
	}
	return connectDetached(ctx, t)
}

// detached is a connection with a context of its own.
type detached struct {
	sdk.Connection
	cancel context.CancelFunc
}

// Close closes the connection.
func (d *detached) Close() error {
	defer d.cancel()
	return d.Connection.Close()
}

// connectDetached connects with a context that is done only if ctx is done before there is a
// connection: some transports end a connection with the context that it was opened with.
func connectDetached(ctx context.Context, t sdk.Transport) (sdk.Connection, error) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	conn, err := t.Connect(own)
	if err != nil {
		cancel()
		return nil, err
	}
	stop()
	return &detached{conn, cancel}, nil
}

// CanReopen reports whether a transport can connect more than once.
func CanReopen(t sdk.Transport) bool {
	switch t := t.(type) {
	case *sdk.CommandTransport:
		return t.Command.Cancel == nil // else its context, which cannot be copied, has to end it
	case *sdk.LoggingTransport:
		return CanReopen(t.Transport)
	case *sdk.IOTransport, *sdk.StdioTransport, *sdk.InMemoryTransport:
		return false
	}
	return true
}

// Address returns what the program itself knows of the server that a transport leads to:
// the host of its URL or the name of its command. It is "" if the program knows nothing.
func Address(t sdk.Transport) string {
	switch t := t.(type) {
	case *sdk.CommandTransport:
		return commandName(t.Command)
	case *sdk.StreamableClientTransport:
		return hostOf(t.Endpoint)
	case *sdk.SSEClientTransport:
		return hostOf(t.Endpoint)
	case *sdk.LoggingTransport:
		return Address(t.Transport)
	}
	return ""
}

func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// Opened is a transport over a connection that is already open.
type Opened struct{ Connection sdk.Connection }

// Connect returns the connection.
func (o Opened) Connect(context.Context) (sdk.Connection, error) { return o.Connection, nil }
