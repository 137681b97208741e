// Package observe defines the function that observes the requests of MCP servers and clients, for
// traces, metrics and logs. The options mcp.Observe and remote.Observe take one.
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
	Version  string // of the protocol
	Session  string // ID of the session, at a server

	// Meta contains the texts in the _meta of the request. A client sends what the function adds to
	// it. At a client, it is not nil.
	Meta map[string]string

	// Header returns a header of the HTTP request that carried the request. It is nil at a client,
	// and for other transports.
	Header func(name string) string
}

// Outcome is the outcome of a request. The zero Outcome is that of a request that succeeded.
type Outcome struct {
	Err        error // why there is no result
	Code       int64 // of the JSON-RPC error, if the other side answered with one, or if the server does
	ToolFailed bool  // the result of tools/call is an error of the tool
}
