package remote

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// observeRequest calls the function that the program passed to [Observe]. The function may add to the Meta
// of the request. observeRequest returns the context to send the request with, and a function that must be
// called with the result.
func (s *Server) observeRequest(ctx context.Context, r *observe.Request) (context.Context, func(json.RawMessage, error)) {
	if s.config.observe == nil {
		return ctx, func(json.RawMessage, error) {}
	}
	if r.Meta == nil {
		r.Meta = map[string]string{}
	}
	s.mu.Lock()
	if s.info != nil { // else there has been no connection yet
		r.Version = s.info.ProtocolVersion
	}
	if s.link != nil {
		r.Session = s.link.SessionID()
	}
	s.mu.Unlock()
	_, r.Connection = transport.Describe(s.transport)
	ctx, end := s.config.observe(ctx, r)
	return ctx, func(result json.RawMessage, err error) { end(observedOutcome(ctx, result, err)) }
}

// observeSession calls the function that the program passed to [ObserveSessions] with the session of a link.
func (s *Server) observeSession(l *transport.Link) {
	if s.config.watch == nil || l.IsStateless() {
		return
	}
	_, connection := transport.Describe(s.transport)
	end := s.config.watch(&observe.Session{ID: l.SessionID(), Version: l.Session.InitializeResult().ProtocolVersion, Connection: connection})
	s.background.Go(func() {
		if reason := l.Wait(); s.ctx.Err() == nil {
			end(reason)
		} else {
			end(nil) // the program has closed the server
		}
	})
}

// observedOutcome converts the outcome of a request to the type that the function passed to [Observe] receives.
func observedOutcome(ctx context.Context, result json.RawMessage, err error) observe.Outcome {
	if err != nil && ctx.Err() != nil {
		return observe.Outcome{Err: context.Cause(ctx)}
	}
	out := observe.Outcome{Err: err}
	if answered, ok := errors.AsType[*jsonrpc.Error](err); ok {
		out.Code = answered.Code
	}
	var called struct{ IsError json.RawMessage }
	_ = json.Unmarshal(result, &called) // readAnswer reports an invalid result
	out.ToolFailed = !isNull(called.IsError) && string(called.IsError) != "false"
	return out
}

// metaOf converts texts to the _meta of a request.
func metaOf(texts map[string]string) sdk.Meta {
	meta := make(sdk.Meta, len(texts)+1)
	for name, text := range texts {
		meta[name] = text
	}
	return meta
}
