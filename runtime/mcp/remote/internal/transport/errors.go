package transport

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
)

// ErrSessionLost is the error of a request that did not run because the server no longer
// knows the session. The request can be repeated in a new session.
var ErrSessionLost = errors.New("the server no longer knows the session")

// NotSentError reports that a request did not reach the server.
type NotSentError struct{ Err error }

func (e *NotSentError) Error() string {
	return "the server cannot be reached: " + sanitize.Text(e.Err.Error())
}

func (e *NotSentError) Unwrap() error { return e.Err }

// Refuses reports whether a JSON-RPC error with this code means that the request did not run.
func Refuses(code int64) bool {
	switch code {
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams,
		sdk.CodeHeaderMismatch, sdk.CodeMissingRequiredClientCapabilities, sdk.CodeUnsupportedProtocolVersion, sdk.CodeURLElicitationRequired,
		rpc.ErrShuttingDown.Code:
		return true
	}
	return false
}

// isInterruption reports whether a JSON-RPC error with this code comes from a gateway that received no
// answer, because the server behind it disconnected or did not answer in time.
func isInterruption(code int64) bool {
	const connectionClosed, requestTimeout = -32000, -32001
	return code == connectionClosed || code == requestTimeout
}

// RefusedError reports that a server refused a request with an HTTP status, and that the
// request did not run.
type RefusedError struct{ Status int }

func (e *RefusedError) Error() string {
	return "the server refused the request with " + formatStatus(e.Status)
}

// Retryable reports whether the server asks to send the request later.
func (e *RefusedError) Retryable() bool { return e.Status == http.StatusTooManyRequests }

// redirectError reports that a server redirects a request to another host. Such redirects are not
// followed, because requests contain arguments of calls and the ID of the session.
type redirectError struct {
	target     string
	mayHaveRun bool // status 303 may be the answer to a request that has run
}

func (e *redirectError) Error() string {
	return fmt.Sprintf("it redirects to %q: connect to that endpoint if you trust it", e.target)
}

func formatStatus(code int) string {
	return fmt.Sprintf("HTTP status %d %s", code, http.StatusText(code))
}
