package remote

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// observeRequest lets the program observe a request with these metadata. It returns the context and
// the metadata to send the request with, and a function for its result.
func (s *Server) observeRequest(ctx context.Context, method, tool string, meta map[string]string) (context.Context, map[string]string, func(json.RawMessage, error)) {
	if s.config.observe == nil {
		return ctx, meta, func(json.RawMessage, error) {}
	}
	if meta == nil {
		meta = map[string]string{}
	}
	r := &observe.Request{Method: method, Tool: tool, Version: s.protocolVersion(), Meta: meta}
	ctx, end := s.config.observe(ctx, r)
	return ctx, meta, func(result json.RawMessage, err error) { end(observedOutcome(ctx, result, err)) }
}

// protocolVersion returns the version of the protocol, or "" if there has been no connection yet.
func (s *Server) protocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.info == nil {
		return ""
	}
	return s.info.ProtocolVersion
}

// observedOutcome returns the outcome of a request for the function that observes it.
func observedOutcome(ctx context.Context, result json.RawMessage, err error) observe.Outcome {
	if err != nil && ctx.Err() != nil {
		return observe.Outcome{Err: context.Cause(ctx)}
	}
	out := observe.Outcome{Err: err}
	if answered, ok := errors.AsType[*jsonrpc.Error](err); ok {
		out.Code = answered.Code
	}
	var called struct{ IsError json.RawMessage }
	_ = json.Unmarshal(result, &called) // a result of another form is reported where it is read
	out.ToolFailed = !isNull(called.IsError) && string(called.IsError) != "false"
	return out
}

// metaOf returns texts as the _meta of a request.
func metaOf(texts map[string]string) sdk.Meta {
	meta := make(sdk.Meta, len(texts)+1)
	for name, text := range texts {
		meta[name] = text
	}
	return meta
}
