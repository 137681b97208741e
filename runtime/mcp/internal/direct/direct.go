// Package direct answers the calls of the protocol without sessions that need nothing
// but a tool: they are most of what a server is asked, and the SDK makes a connection, a
// session and four goroutines for each. What is not exactly such a call is not answered
// here, whatever is wrong or special with it, but by the SDK, which knows all the rest:
// what is refused, and in which words, is said by it alone.
//
// Its layers, from top to bottom:
//
//	direct         a request
//	read, written  its message, and its answer
package direct

import (
	"context"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/contain"
	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// Version is the one of the protocol that is spoken here.
const Version = "2026-07-28"

// Calls answers calls.
type Calls struct {
	Server *sdk.Implementation // which says so in every answer
	// Find returns what calls the tool that clients know by a name now; nil, if there is
	// none that is called by a message alone.
	Find func(name string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error)
	Log  *slog.Logger // of faults of the server
}

// Answer answers a request with this body, or reports that it does not.
func (c *Calls) Answer(w http.ResponseWriter, r *http.Request, body []byte) bool {
	if !isCall(r) {
		return false
	}
	m, ok := read(body)
	if !ok || m.from.Name != r.Header.Get("Mcp-Name") {
		return false
	}
	call := c.Find(m.from.Name)
	if call == nil {
		return false
	}
	m.from.Headers = r.Header
	if user := auth.TokenInfoFromContext(r.Context()); user != nil {
		m.from.Caller.User = user.UserID
	}
	ctx := r.Context()
	if calls := drain.From(ctx); calls != nil {
		var done context.CancelFunc
		ctx, done = calls.Bind(ctx)
		defer done()
	}
	result, err := contain.Answer(c.Log, m.from.Method, func() (*sdk.CallToolResult, error) { return call(ctx, m.from) })
	if r.Context().Err() == nil { // else there is nobody who reads it
		c.write(w, m.id, result, err)
	}
	return true
}

// isCall reports whether the headers of a request are those of a call, as they must be.
func isCall(r *http.Request) bool {
	if r.Method != http.MethodPost || len(r.Header["Last-Event-Id"]) > 0 ||
		r.Header.Get("Mcp-Protocol-Version") != Version || r.Header.Get("Mcp-Method") != "tools/call" {
		return false
	}
	if t := r.Header.Get("Content-Type"); t != "application/json" {
		if t, _, err := mime.ParseMediaType(t); err != nil || t != "application/json" {
			return false
		}
	}
	return accepts(r.Header["Accept"])
}

// accepts reports whether a client reads what it may be answered. What it says in
// another way, the SDK reads.
func accepts(values []string) bool {
	var message, stream bool
	for _, value := range values {
		for one := range strings.SplitSeq(value, ",") {
			one, _, _ = strings.Cut(one, ";")
			switch strings.TrimSpace(one) {
			case "application/json":
				message = true
			case "text/event-stream":
				stream = true
			case "*/*":
				return true
			}
		}
	}
	return message && stream
}
