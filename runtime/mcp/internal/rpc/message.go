package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// MessageError reports why a message is rejected.
type MessageError struct {
	ID       json.RawMessage // ID of the message; nil if unknown
	IsAnswer bool            // the message answers a request of the server
	Code     int64           // a JSON-RPC error code
	Text     string
}

func (e *MessageError) Error() string { return e.Text }

// maxDepth is the maximum nesting depth of JSON that the SDK accepts.
const maxDepth = 1000

// CheckMessage checks a message or a batch of messages, and the parameters of known methods.
//
// Clients show errors to models. The errors of the SDK name Go types and repeat the input. The
// errors of CheckMessage name the invalid member, what was expected and what was found.
func CheckMessage(text []byte) *MessageError {
	var batch []json.RawMessage
	if len(text) == 0 || text[0] != '[' || json.Unmarshal(text, &batch) != nil {
		return checkSingle(text)
	}
	for i, message := range batch {
		if err := checkSingle(message); err != nil {
			err.Text = fmt.Sprintf("message %d of the batch: %s", i+1, err.Text)
			return err
		}
	}
	return nil
}

func checkSingle(text []byte) *MessageError {
	m, messageErr := ReadMessage(text)
	r, isRequest := m.(*jsonrpc.Request)
	if messageErr != nil || !isRequest {
		return messageErr
	}
	if err := checkParams(r.Method, r.Params); err != nil {
		var id struct{ ID json.RawMessage }
		_ = json.Unmarshal(text, &id) // it cannot fail, because ReadMessage has decoded the text
		return &MessageError{ID: id.ID, Code: jsonrpc.CodeInvalidParams, Text: err.Error()}
	}
	return nil
}

// isTooDeep reports whether JSON nests deeper than maxDepth.
func isTooDeep(text []byte) bool {
	var nesting jsontext.Nesting
	for _, c := range text {
		if nesting.Add(c); nesting.Depth > maxDepth {
			return true
		}
	}
	return false
}

// ReadMessage decodes a message without checking its parameters. It decodes the ID as the SDK
// does, which changes some IDs; see [IDMask].
func ReadMessage(text []byte) (jsonrpc.Message, *MessageError) {
	if isTooDeep(text) {
		return nil, &MessageError{Code: jsonrpc.CodeInvalidRequest, Text: fmt.Sprintf("the message nests deeper than %d levels", maxDepth)}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return nil, &MessageError{Code: jsonrpc.CodeInvalidRequest, Text: "a message must be a JSON object"}
	}
	rawID, rawMethod := members["id"], members["method"]
	invalid := func(text string) *MessageError {
		return &MessageError{ID: rawID, IsAnswer: rawMethod == nil && rawID != nil, Code: jsonrpc.CodeInvalidRequest, Text: text}
	}
	var value any
	_ = json.Unmarshal(idOrNull(rawID), &value) // it is valid JSON
	id, err := jsonrpc.MakeID(value)
	if err != nil || rawID != nil && rawMethod != nil && !id.IsValid() { // the SDK treats null as a missing ID
		messageErr := invalid("the id of a request must be a string or a number")
		messageErr.ID = nil
		return nil, messageErr
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return nil, invalid(`a message must have "jsonrpc": "2.0"`)
	}
	if rawMethod != nil {
		var method string
		if err := json.Unmarshal(rawMethod, &method); err != nil {
			return nil, invalid(DescribeJSONError("method", err).Error())
		}
		return &jsonrpc.Request{ID: id, Method: method, Params: members["params"]}, nil
	}
	if !id.IsValid() {
		return nil, invalid("a message must have a method or the id of the request that it answers")
	}
	answer := &jsonrpc.Response{ID: id, Result: members["result"]}
	if failure := members["error"]; failure != nil {
		wire := new(jsonrpc.Error)
		if json.Unmarshal(failure, wire) != nil {
			return nil, invalid("error: expected a JSON-RPC error object")
		}
		answer.Error = wire
	}
	return answer, nil
}

// checkParams checks the parameters of a method. It ignores unknown methods.
func checkParams(method string, text json.RawMessage) error {
	newParams := paramsByMethod[method]
	if newParams == nil || len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, newParams()); err != nil {
		return fmt.Errorf("%s: %w", method, DescribeJSONError("params", err))
	}
	return nil
}

// paramsByMethod maps each method to a function that returns a new value of the Go type of its
// parameters.
var paramsByMethod = map[string]func() any{
	"initialize":               func() any { return new(sdk.InitializeParams) },
	"tools/list":               func() any { return new(sdk.ListToolsParams) },
	"tools/call":               func() any { return new(sdk.CallToolParamsRaw) },
	"prompts/list":             func() any { return new(sdk.ListPromptsParams) },
	"prompts/get":              func() any { return new(sdk.GetPromptParams) },
	"resources/list":           func() any { return new(sdk.ListResourcesParams) },
	"resources/templates/list": func() any { return new(sdk.ListResourceTemplatesParams) },
	"resources/read":           func() any { return new(sdk.ReadResourceParams) },
	"resources/subscribe":      func() any { return new(sdk.SubscribeParams) },
	"resources/unsubscribe":    func() any { return new(sdk.UnsubscribeParams) },
	"subscriptions/listen":     func() any { return new(sdk.SubscriptionsListenParams) },
	"completion/complete":      func() any { return new(sdk.CompleteParams) },
	"logging/setLevel":         func() any { return new(sdk.SetLoggingLevelParams) },
	"ping":                     func() any { return new(sdk.PingParams) },
	"notifications/cancelled":  func() any { return new(sdk.CancelledParams) },
	"notifications/progress":   func() any { return new(sdk.ProgressNotificationParams) },
}

// DescribeJSONError describes an error of decoding JSON without naming Go types, such as
// "params.name: expected a string, found a number". The name is that of the decoded value, such as
// params.
func DescribeJSONError(name string, err error) error {
	var typeErr *json.UnmarshalTypeError
	if !errors.As(err, &typeErr) {
		return fmt.Errorf("%s: does not match the protocol", name)
	}
	if typeErr.Field != "" {
		name += "." + typeErr.Field
	}
	return fmt.Errorf("%s: expected %s, found %s", name, jsonKind(typeErr.Type), foundKind(typeErr.Value))
}

// jsonKind returns the kind of JSON value that a Go type is encoded as.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "an object"
}

// foundKind returns the kind of the JSON value that a decoding error reports as found. The standard
// library reports the kind, as in "number 1.5"; the JSON package of the SDK reports the rest of the
// input, as in `1.5,"b":2}`.
func foundKind(found string) string {
	for _, kind := range []struct{ name, prefix, firsts string }{
		{"an object", "object", "{"}, {"an array", "array", "["}, {"a string", "string", `"`},
		{"a boolean", "bool", "tf"}, {"a number", "number", "-0123456789"},
	} {
		if strings.HasPrefix(found, kind.prefix) || found != "" && strings.Contains(kind.firsts, found[:1]) {
			return kind.name
		}
	}
	return "null"
}

// EncodeError returns an error response as JSON. A nil ID is encoded as null.
func EncodeError(id json.RawMessage, code int64, text string) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), idOrNull(id)...)
	b = strconv.AppendInt(append(b, `,"error":{"code":`...), code, 10)
	return append(jsontext.AppendQuoted(append(b, `,"message":`...), text), "}}"...)
}

func idOrNull(text json.RawMessage) json.RawMessage {
	if text == nil {
		return json.RawMessage("null")
	}
	return text
}
