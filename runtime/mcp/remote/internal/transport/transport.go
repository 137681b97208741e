// Package transport connects to MCP servers over the transports of the SDK, and protects the program
// from faulty servers. It checks the size of a message while reading it. A message that cannot be read
// makes at most one request fail. The type of each error says whether the request may have run.
// Connect with [OpenLink].
package transport

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// connectionConfig configures a connection.
type connectionConfig struct {
	Log *slog.Logger
	// Limit returns the current size limit of a line, in bytes. It depends on the pending
	// requests.
	Limit func() int
	// Headers returns additional HTTP headers of a request, which the definition of a tool may
	// require.
	Headers func(*jsonrpc.Request) map[string]string
	// Lost is called when the server no longer knows the session. Running requests may still be
	// answered.
	Lost func()
}

// openConnection connects to a server. If a message cannot be read but may be the answer to a request,
// the connection returns a response without an ID instead.
func openConnection(ctx context.Context, t sdk.Transport, c connectionConfig) (sdk.Connection, error) {
	switch t := t.(type) {
	case *sdk.CommandTransport:
		return openCommand(t, c)
	case *sdk.IOTransport:
		return newLineConnection(t.Reader, t.Writer, func() error { return errors.Join(t.Reader.Close(), t.Writer.Close()) }, c), nil
	case *sdk.StreamableClientTransport:
		return newHTTPConnection(ctx, t, c), nil
	case *sdk.SSEClientTransport:
		limited := *t
		limited.MaxEventSize = cmp.Or(t.MaxEventSize, maxAnswerBytes)
		return connectDetached(ctx, &limited)
	case *sdk.LoggingTransport:
		inner, err := openConnection(ctx, t.Transport, c)
		if err != nil {
			return nil, err
		}
		return (&sdk.LoggingTransport{Transport: openedTransport{inner}, Writer: t.Writer}).Connect(ctx)
	}
	return connectDetached(ctx, t)
}

// detachedConnection is a connection with its own context.
type detachedConnection struct {
	sdk.Connection
	cancel context.CancelFunc
}

// Close closes the connection.
func (d *detachedConnection) Close() error {
	defer d.cancel()
	return d.Connection.Close()
}

// connectDetached connects with a new context, because some transports end a connection when the
// context with which it was opened is done. If ctx is done while connecting, the attempt is canceled.
func connectDetached(ctx context.Context, t sdk.Transport) (sdk.Connection, error) {
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unlink := context.AfterFunc(ctx, cancel)
	conn, err := t.Connect(detached)
	if err != nil {
		cancel()
		return nil, err
	}
	unlink()
	return &detachedConnection{conn, cancel}, nil
}

// CanReopen reports whether a transport can connect more than once.
func CanReopen(t sdk.Transport) bool {
	switch t := t.(type) {
	case *sdk.CommandTransport:
		return t.Command.Cancel == nil // the context of exec.CommandContext cannot be copied
	case *sdk.LoggingTransport:
		return CanReopen(t.Transport)
	case *sdk.IOTransport, *sdk.StdioTransport, *sdk.InMemoryTransport:
		return false
	}
	return true
}

// Describe returns the host of a server's URL or the name of its command, or "" for other transports. It
// also describes the connections of the transport for the functions of package observe.
func Describe(t sdk.Transport) (address string, c observe.Connection) {
	switch t := t.(type) {
	case *sdk.CommandTransport:
		return filepath.Base(t.Command.Path), observe.Connection{Transport: "pipe"}
	case *sdk.StdioTransport:
		return "", observe.Connection{Transport: "pipe"}
	case *sdk.StreamableClientTransport:
		return describeEndpoint(t.Endpoint)
	case *sdk.SSEClientTransport:
		return describeEndpoint(t.Endpoint)
	case *sdk.LoggingTransport:
		return Describe(t.Transport)
	}
	return "", c
}

func describeEndpoint(endpoint string) (address string, c observe.Connection) {
	c = observe.Connection{Transport: "tcp", Protocol: "http"}
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", c
	}
	c.Address = strings.ToLower(u.Hostname())
	c.Port, _ = strconv.Atoi(cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])) // 0 for another scheme
	return strings.ToLower(u.Host), c
}

// openedTransport is a transport over a connection that is already open.
type openedTransport struct{ Connection sdk.Connection }

// Connect returns the connection.
func (o openedTransport) Connect(context.Context) (sdk.Connection, error) { return o.Connection, nil }
