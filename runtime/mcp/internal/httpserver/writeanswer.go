package httpserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
)

// writeOutcome writes the outcome of a call.
func (c *DirectCalls) writeOutcome(w http.ResponseWriter, m callMessage, result *sdk.CallToolResult, err error) {
	b := startAnswer(m.id)
	if err == nil {
		b, err = c.appendResult(append(b, `,"result":`...), result, m.request.Version)
	}
	if err != nil {
		protocolErr := toProtocolError(err)
		writeError(w, m.id, protocolErr, errorStatus(protocolErr.Code, m.request.Version))
		return
	}
	sendAnswer(w, http.StatusOK, b)
}

// writeError answers a request with an error.
func writeError(w http.ResponseWriter, id json.RawMessage, e *jsonrpc.Error, status int) {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // the data of e are JSON
	}
	sendAnswer(w, status, append(append(startAnswer(id), `,"error":`...), text...))
}

// startAnswer returns the beginning of a JSON-RPC response, up to its ID.
func startAnswer(id json.RawMessage) []byte {
	return append(append(make([]byte, 0, 1024), `{"jsonrpc":"2.0","id":`...), id...)
}

// sendAnswer appends the closing brace to a JSON-RPC response and sends it.
func sendAnswer(w http.ResponseWriter, status int, b []byte) {
	b = append(b, '}')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // an error means that the client has disconnected
}

// toProtocolError converts an error to a JSON-RPC error in the same way as the SDK.
func toProtocolError(err error) *jsonrpc.Error {
	if direct, ok := errtype.As[*jsonrpc.Error](err); ok {
		return direct
	}
	e := &jsonrpc.Error{Message: err.Error()}
	var wrapped *jsonrpc.Error
	if errors.As(err, &wrapped) {
		e.Code = wrapped.Code
	}
	return e
}

// errorStatus returns the HTTP status of an error response.
func errorStatus(code int64, version string) int {
	if version < StatelessVersion {
		return http.StatusOK
	}
	switch code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case jsonrpc.CodeInvalidParams, sdk.CodeUnsupportedProtocolVersion, sdk.CodeMissingRequiredClientCapabilities:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// appendResult appends the JSON of a result in the format of a protocol version. Instead of content, a
// result may have questions for the client.
func (c *DirectCalls) appendResult(b []byte, r *sdk.CallToolResult, version string) (_ []byte, err error) {
	b = append(b, '{')
	member := func(name string, value any) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), `":`...)
		if err == nil {
			b, err = appendJSON(b, value)
		}
	}
	if meta := c.resultMeta(r.Meta, version); len(meta) > 0 {
		member("_meta", map[string]any(meta))
	}
	if r.InputRequests == nil {
		member("content", r.Content)
	} else {
		member("inputRequests", r.InputRequests)
	}
	if r.StructuredContent != nil {
		member("structuredContent", r.StructuredContent)
	}
	if r.IsError {
		member("isError", true)
	}
	if r.RequestState != "" {
		member("requestState", r.RequestState)
	}
	switch {
	case version < StatelessVersion:
	case r.InputRequests != nil:
		member("resultType", "input_required")
	default:
		member("resultType", "complete")
	}
	return append(b, '}'), err
}

// resultMeta returns the _meta of a result. In the protocol version without sessions, it adds the name
// and version of the server.
func (c *DirectCalls) resultMeta(meta sdk.Meta, version string) sdk.Meta {
	if version < StatelessVersion || meta[sdk.MetaKeyServerInfo] != nil {
		return meta
	}
	if meta == nil {
		meta = sdk.Meta{}
	}
	meta[sdk.MetaKeyServerInfo] = c.Server
	return meta
}

// appendJSON appends the value of a member of a result.
func appendJSON(b []byte, value any) ([]byte, error) {
	switch value := value.(type) {
	case json.RawMessage: // the registry has checked that it is valid
		return append(b, value...), nil
	case []sdk.Content:
		return appendContents(b, value)
	}
	text, err := json.Marshal(value)
	return append(b, text...), err
}

func appendContents(b []byte, all []sdk.Content) (_ []byte, err error) {
	b = append(b, '[')
	for i, content := range all {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendContent(b, content); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func appendContent(b []byte, content sdk.Content) ([]byte, error) {
	if text, ok := content.(*sdk.TextContent); ok && text.Meta == nil && text.Annotations == nil {
		return append(jsontext.AppendQuoted(append(b, `{"type":"text","text":`...), text.Text), '}'), nil
	}
	text, err := json.Marshal(content)
	return append(b, text...), err
}
