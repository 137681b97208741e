package direct

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// write writes what a call came to.
func (c *Calls) write(w http.ResponseWriter, id json.RawMessage, result *sdk.CallToolResult, failed error) {
	b := append(append(make([]byte, 0, 1024), `{"jsonrpc":"2.0","id":`...), id...)
	status := http.StatusOK
	if failed == nil {
		b, failed = c.result(append(b, `,"result":`...), result)
	}
	if failed != nil {
		wire := wireError(failed)
		text, err := json.Marshal(wire)
		if err != nil {
			panic(err) // its data are JSON
		}
		b = append(append(b[:0], `{"jsonrpc":"2.0","id":`...), id...)
		b = append(append(b, `,"error":`...), text...)
		status = statusOf(wire.Code)
	}
	b = append(b, '}')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // if it fails, nobody waits for it
}

// wireError returns an error as the protocol has it.
func wireError(err error) *jsonrpc.Error {
	if direct, ok := err.(*jsonrpc.Error); ok {
		return direct
	}
	said := &jsonrpc.Error{Message: err.Error()}
	var wrapped *jsonrpc.Error
	if errors.As(err, &wrapped) {
		said.Code = wrapped.Code
	}
	return said
}

// statusOf is the status of an answer that is an error.
func statusOf(code int64) int {
	switch code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case jsonrpc.CodeInvalidParams, sdk.CodeUnsupportedProtocolVersion, sdk.CodeMissingRequiredClientCapabilities:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// result appends a result, or what the client is asked for it.
func (c *Calls) result(b []byte, r *sdk.CallToolResult) ([]byte, error) {
	meta, err := c.meta(r.Meta)
	if err != nil {
		return b, err
	}
	b = append(append(b, `{"_meta":`...), meta...)
	if r.InputRequests == nil {
		if b, err = appendContents(append(b, `,"content":`...), r.Content); err != nil {
			return b, err
		}
	}
	for _, member := range []struct {
		name    string
		value   any
		present bool
	}{
		{`,"structuredContent":`, r.StructuredContent, r.StructuredContent != nil},
		{`,"isError":`, true, r.IsError},
		{`,"inputRequests":`, r.InputRequests, r.InputRequests != nil},
		{`,"requestState":`, r.RequestState, r.RequestState != ""},
	} {
		if member.present {
			if b, err = appendJSON(append(b, member.name...), member.value); err != nil {
				return b, err
			}
		}
	}
	if r.InputRequests != nil {
		return append(b, `,"resultType":"input_required"}`...), nil
	}
	return append(b, `,"resultType":"complete"}`...), nil
}

// meta returns what is said of a result, and which server it is of.
func (c *Calls) meta(of sdk.Meta) ([]byte, error) {
	if of[sdk.MetaKeyServerInfo] == nil {
		if of == nil {
			of = sdk.Meta{}
		}
		of[sdk.MetaKeyServerInfo] = c.Server
	}
	return json.Marshal(map[string]any(of))
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
	return appendJSON(b, content)
}

func appendJSON(b []byte, value any) ([]byte, error) {
	if raw, ok := value.(json.RawMessage); ok { // of a tool, which has checked it
		return append(b, raw...), nil
	}
	text, err := json.Marshal(value)
	return append(b, text...), err
}
