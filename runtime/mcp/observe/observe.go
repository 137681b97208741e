// Package observe defines the functions that observe the requests and sessions of MCP servers and
// clients, for traces, metrics and logs. Pass a [Func] to the options mcp.Observe and remote.Observe,
// and a [SessionFunc] to mcp.ObserveSessions and remote.ObserveSessions.
package observe

import "context"

// Func is called before a server serves a request or a notification, and before a client sends
// one. It returns the context to continue with, which must be ctx or be derived from it, and a
// function that is called once, with the outcome. Both are called on the goroutine of the request,
// and must be safe for concurrent use.
type Func func(ctx context.Context, r *Request) (context.Context, func(Outcome))

// Request describes a request or a notification. Its texts come from the other side of the
// connection: they can be long, and need not be valid UTF-8. Unknown fields are empty.
type Request struct {
	Method   string // such as tools/call
	Tool     string // name of the tool to be called
	Prompt   string // name of the requested prompt
	Resource string // URI of the requested resource
	Version  string // protocol version
	Session  string // ID of the session

	// ID is the ID of the JSON-RPC request, as text. A notification has none. A client sets it when
	// it sends the request. A server knows it only for requests over HTTP.
	ID string

	Connection Connection

	// Meta contains the strings in the _meta of the request. At a client, it is not nil, and entries
	// that the function adds are sent to the server.
	Meta map[string]string

	// Header returns a header of the HTTP request that carried the request. It is nil at a client,
	// and for transports other than HTTP.
	Header func(name string) string
}

// Connection describes a connection with the attribute values that OpenTelemetry defines. Unknown
// fields are empty.
type Connection struct {
	Transport   string // network.transport: tcp, unix or pipe
	Protocol    string // network.protocol.name: http
	HTTPVersion string // such as 1.1 or 2; only set at a server
	Address     string // host name or IP address of the other side, or of a proxy
	Port        int
}

// SessionFunc is called when a session has begun, in protocol versions that have sessions. It returns
// a function that is called once, when the session has ended, with the error that ended it, if any.
// Both must be safe for concurrent use.
type SessionFunc func(s *Session) (end func(err error))

// Session describes a session. Its texts come from the other side of the connection: they can be
// long, and need not be valid UTF-8.
type Session struct {
	ID         string // "" for transports other than HTTP
	Version    string // protocol version
	Connection Connection
}

// Outcome is the outcome of a request. The zero Outcome means success.
type Outcome struct {
	Err        error // the reason why there is no result, or nil
	Code       int64 // code of the JSON-RPC error with which the server answers, or 0
	ToolFailed bool  // the result of tools/call is marked as an error
}
