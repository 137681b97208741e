package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/tool"
)

// statelessVersion is the first protocol version without sessions.
const statelessVersion = "2026-07-28"

// Request describes a request that runs a function: the call and its caller.
type Request struct {
	Method    string
	Name      string // name of the tool or prompt, or URI of the resource
	Arguments json.RawMessage

	Version      string
	Caller       tool.Caller
	Headers      http.Header
	Meta         map[string]any
	Capabilities *sdk.ClientCapabilities // declared by the client; may be nil
	Delivery     Delivery                // set only if the program observes requests

	// Reach returns the session for messages and questions to the client, and the context with
	// which the SDK sends messages that belong to this request. It is nil if the client cannot
	// receive messages.
	Reach func(context.Context) (context.Context, *sdk.ServerSession, error)
	// LogLevel returns the lowest level of log messages that the client wants, or "" if it
	// wants none. It is nil if the SDK handles the request, because then the SDK filters
	// log messages.
	LogLevel func() sdk.LoggingLevel

	Responses sdk.InputResponseMap // answers to earlier questions
	State     string               // sealed state that the client received with the questions
}

// NewRequest returns a Request with the caller, version and headers of a request of the SDK. It
// does not set Name, Arguments, Responses and State.
func NewRequest[P sdk.Params](method string, r *sdk.ServerRequest[P]) *Request {
	out := &Request{
		Method: method, Version: r.ProtocolVersion(), Meta: r.Params.GetMeta(), Capabilities: r.ClientCapabilities(),
		Caller: tool.Caller{Session: r.Session.ID(), Client: ClientName(r.ClientInfo())},
		Reach:  func(ctx context.Context) (context.Context, *sdk.ServerSession, error) { return ctx, r.Session, nil },
	}
	if r.Extra != nil {
		out.Headers = r.Extra.Header
		if r.Extra.TokenInfo != nil {
			out.Caller.User = r.Extra.TokenInfo.UserID
		}
	}
	return out
}

// Observed describes a tool call for the function that observes requests.
func (r *Request) Observed() *observe.Request {
	return &observe.Request{
		Method: r.Method, Tool: r.Name, Version: r.Version, Session: r.Caller.Session,
		ID: r.Delivery.ID, Connection: r.Delivery.Connection, Meta: TextMeta(r.Meta), Header: r.Headers.Get,
	}
}

// ClientName returns the name and version of a client, or "" if they are unknown.
func ClientName(c *sdk.Implementation) string {
	if c == nil {
		return ""
	}
	return strings.TrimSpace(c.Name + " " + c.Version)
}

// TextMeta returns the string members of _meta whose names the protocol does not reserve.
func TextMeta(meta map[string]any) map[string]string {
	var texts map[string]string
	for name, value := range meta {
		text, isText := value.(string)
		if !isText || name == "progressToken" || strings.HasPrefix(name, "io.modelcontextprotocol/") {
			continue
		}
		if texts == nil {
			texts = map[string]string{}
		}
		texts[name] = text
	}
	return texts
}

// callDigest returns the digest of the requested call.
func (r *Request) callDigest() string {
	return CallDigest(r.Method, r.Name, r.Arguments, r.Caller.User)
}

// openState verifies and returns the state in the request. It returns an empty State for the
// first request of a call.
func (r *Request) openState(key Key) (State, error) {
	if r.State == "" {
		return State{}, nil
	}
	state, err := key.Open(r.State, r.callDigest(), time.Now())
	if err != nil {
		return State{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("invalid requestState: %v", err)}
	}
	return state, nil
}
