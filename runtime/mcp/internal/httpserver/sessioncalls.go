package httpserver

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/tool"
)

// sessionCalls holds the calls of a session that are running and are answered without the SDK, so that
// the client can cancel them. It also holds the log level of the client. The SDK keeps the same data for
// the calls that it answers. sessionCalls is safe for concurrent use.
type sessionCalls struct {
	sdk *sdk.ServerSession

	mu      sync.Mutex
	running map[string]context.CancelFunc // by ID, as JSON
	level   sdk.LoggingLevel
}

// newSessionCalls returns the sessionCalls of an initialized session.
func newSessionCalls(s *sdk.ServerSession) *sessionCalls {
	return &sessionCalls{sdk: s, running: map[string]context.CancelFunc{}}
}

// beginCall returns the context of a call, and a function that ends the call. It returns nil if
// a call with the same ID is already running. The context has the values of ctx, but is done
// only when the client cancels the call, not when the client loses its connection.
func (s *sessionCalls) beginCall(ctx context.Context, id string) (context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[id] != nil {
		return nil, nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.running[id] = cancel
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, id)
		cancel()
	}
}

// cancelCall cancels the call with this ID, if it is running.
func (s *sessionCalls) cancelCall(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[id]; cancel != nil {
		cancel()
	}
}

// setLogLevel sets the lowest level of log messages that the client wants.
func (s *sessionCalls) setLogLevel(level sdk.LoggingLevel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

func (s *sessionCalls) logLevel() sdk.LoggingLevel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// newRequest returns a request with the protocol version, the capabilities and the caller of the
// session.
func (s *sessionCalls) newRequest() *peer.Request {
	params := s.sdk.InitializeParams()
	return &peer.Request{
		Version:      params.ProtocolVersion,
		Capabilities: params.Capabilities,
		Caller:       tool.Caller{Session: s.sdk.ID(), Client: peer.ClientName(params.ClientInfo)},
		LogLevel:     s.logLevel,
	}
}

// duplicateIDError returns the error for a call whose ID is that of a running call.
func duplicateIDError(id string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("duplicate in-flight request ID %s", strings.Trim(id, `"`))}
}
