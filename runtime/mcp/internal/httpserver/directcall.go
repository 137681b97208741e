// Package httpserver serves an MCP server over HTTP. It checks hosts, origins and tokens, limits
// message sizes and sessions, and shuts down without losing calls. It passes requests on to the
// SDK, but answers plain tool calls itself; see [DirectCalls]. Create a handler with [New].
package httpserver

import (
	"context"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// StatelessVersion is the protocol version without sessions.
const StatelessVersion = "2026-07-28"

// sessionVersions are the permitted values of the header Mcp-Protocol-Version in a session. The
// header may be missing, because early versions of the protocol do not have it.
var sessionVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", ""}

// DirectCalls answers tool calls over HTTP without the SDK, for speed: most requests are tool calls,
// and the SDK spends most of the time of a call on streams, goroutines and reflection.
//
// DirectCalls answers only plain tool calls: those without unusual headers or members. It leaves all other requests to the SDK, including
// invalid ones. It hands a running call over to the SDK when the tool reports progress, logs to the
// client or asks the client a question; see [Handover].
type DirectCalls struct {
	Server *sdk.Implementation // included in every answer in the protocol version without sessions
	// Find returns a function that calls the tool with this name, or nil if there is no such
	// tool or it cannot be called directly.
	Find func(name string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error)
	Log  *slog.Logger // receives internal errors
	// Observe observes the calls. It may be nil.
	Observe observe.Func
}

// AnswerCall answers a request if its body is a plain tool call. Otherwise it does nothing and
// returns false. The session is nil in the protocol version without sessions. The handler is that
// of the SDK, to which a running call can be handed over.
func (c *DirectCalls) AnswerCall(w http.ResponseWriter, r *http.Request, body []byte, s *sessionCalls, handler http.Handler) bool {
	if !isDirectCall(r, s) {
		return false
	}
	m, ok := readCall(body, s)
	if !ok || s == nil && m.request.Name != r.Header.Get("Mcp-Name") {
		return false
	}
	call := c.Find(m.request.Name)
	if call == nil {
		return false
	}
	m.request.Headers = r.Header
	if c.Observe != nil {
		m.request.Delivery = newDelivery(r, m.id)
	}
	if user := auth.TokenInfoFromContext(r.Context()); user != nil {
		m.request.Caller.User = user.UserID
	}
	ctx, end := r.Context(), func() {}
	if s != nil {
		if ctx, end = s.beginCall(ctx, string(m.id)); ctx == nil {
			writeError(w, m.id, duplicateIDError(string(m.id)), http.StatusBadRequest)
			return true
		}
	}
	if calls := rpc.CallsFrom(ctx); calls != nil {
		var cancel context.CancelFunc
		ctx, cancel = calls.BindContext(ctx)
		defer cancel()
	}
	h := &Handover{w: w, r: r, handler: handler, log: c.Log, version: m.request.Version}
	m.request.Reach = h.reachSession
	result, err := c.runCall(ctx, m.request, call)
	end() // the client may use the ID again as soon as it has the answer
	if answered := h.finishCall(result, err); answered || r.Context().Err() != nil {
		return true
	}
	c.writeOutcome(w, m, result, err)
	return true
}

// runCall runs a call and reports it to Observe.
func (c *DirectCalls) runCall(ctx context.Context, request *peer.Request, call func(context.Context, *peer.Request) (*sdk.CallToolResult, error)) (*sdk.CallToolResult, error) {
	observed := func(*sdk.CallToolResult, error) {}
	if c.Observe != nil {
		var end func(observe.Outcome)
		ctx, end = c.Observe(ctx, request.Observed())
		observed = func(result *sdk.CallToolResult, err error) { end(rpc.ObservedOutcome(result, err)) }
	}
	result, err := rpc.Recover(c.Log, request.Method, func() (*sdk.CallToolResult, error) { return call(ctx, request) })
	observed(result, err)
	return result, err
}

// isDirectCall reports whether the headers of a request are those of a plain tool call.
func isDirectCall(r *http.Request, s *sessionCalls) bool {
	if r.Method != http.MethodPost || len(r.Header["Last-Event-Id"]) > 0 {
		return false
	}
	switch version := r.Header.Get("Mcp-Protocol-Version"); {
	case s != nil && !slices.Contains(sessionVersions, version):
		return false
	case s == nil && (version != StatelessVersion || r.Header.Get("Mcp-Method") != "tools/call"):
		return false
	}
	if t := r.Header.Get("Content-Type"); t != "application/json" {
		if t, _, err := mime.ParseMediaType(t); err != nil || t != "application/json" {
			return false
		}
	}
	return acceptsBoth(r.Header["Accept"])
}

// acceptsBoth reports whether an Accept header lists both JSON and event streams, or */*. It does
// not recognize other ways to accept both, such as application/*; the SDK then handles the request.
func acceptsBoth(values []string) bool {
	var message, stream bool
	for _, value := range values {
		for mediaType := range strings.SplitSeq(value, ",") {
			mediaType, _, _ = strings.Cut(mediaType, ";")
			switch strings.TrimSpace(mediaType) {
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
