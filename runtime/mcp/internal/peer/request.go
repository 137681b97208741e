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

	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
	"github.com/aiongen/aiongen/runtime/tool"
)

// withoutSessions is the version from which on the protocol has no sessions.
const withoutSessions = "2026-07-28"

// Request is what a request for a call says, of the call and of who makes it.
type Request struct {
	Method    string
	Name      string          // of what is called
	Arguments json.RawMessage // as JSON

	Version string
	Caller  tool.Caller
	Headers http.Header
	Meta    map[string]any
	Can     *sdk.ClientCapabilities // what the client can; nil for nothing
	Session *sdk.ServerSession      // by which it is asked in a version with sessions
	Tell    Teller                  // nil if it is told nothing

	Responses sdk.InputResponseMap // to what was asked before
	State     string               // that came with that
}

// Teller tells a client how far a call is.
type Teller interface {
	NotifyProgress(context.Context, *sdk.ProgressNotificationParams) error
	Log(context.Context, *sdk.LoggingMessageParams) error
}

// Of returns what a request of the SDK says of who makes it.
func Of[P sdk.Params](method string, r *sdk.ServerRequest[P]) *Request {
	out := &Request{
		Method: method, Version: r.ProtocolVersion(), Meta: r.Params.GetMeta(), Can: r.ClientCapabilities(),
		Session: r.Session, Tell: r.Session, Caller: tool.Caller{Session: r.Session.ID()},
	}
	if c := r.ClientInfo(); c != nil {
		out.Caller.Client = strings.TrimSpace(c.Name + " " + c.Version)
	}
	if r.Extra != nil {
		out.Headers = r.Extra.Header
		if r.Extra.TokenInfo != nil {
			out.Caller.User = r.Extra.TokenInfo.UserID
		}
	}
	return out
}

// texts returns the members of _meta that are texts, but for those of the protocol.
func (r *Request) texts() map[string]string {
	var texts map[string]string
	for name, value := range r.Meta {
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

// digest is that of the call which the request is for.
func (r *Request) digest() string {
	return sealed.Digest(r.Method, r.Name, r.Arguments, r.Caller.User)
}

// open returns the state that came with the request; none, if it begins a call.
func (r *Request) open(key sealed.Key) (sealed.State, error) {
	if r.State == "" {
		return sealed.State{}, nil
	}
	state, err := key.Open(r.State, r.digest(), time.Now())
	if err != nil {
		return sealed.State{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("the requestState cannot be used: %v", err)}
	}
	return state, nil
}
