package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/aiongen/aiongen/internal/words"
)

// deepest is how deeply the values of a message may be nested.
const deepest = 1000

// UnreadableError reports that a message, which may be the answer to a request, cannot be
// read.
type UnreadableError struct{ Why string }

func (e *UnreadableError) Error() string { return "the answer of the server cannot be read: " + e.Why }

func tooLong(limit int) error {
	return &UnreadableError{fmt.Sprintf("it is longer than %d bytes", limit)}
}

// errNoise is the error of a text that is not a message, such as a line of a log.
var errNoise = errors.New("it is not a message")

// decode returns the messages in a text, which are several if it is a batch. A text that
// looks like a message but cannot be read becomes a response without an ID.
func decode(text []byte) ([]jsonrpc.Message, error) {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	switch {
	case len(text) == 0:
		return nil, errNoise
	case text[0] != '{' && text[0] != '[':
		return unreadable(text, "it is not valid JSON")
	case isTooDeep(text):
		return unreadable(text, fmt.Sprintf("its values are nested more than %d levels deep", deepest))
	case !json.Valid(text):
		return unreadable(text, "it is not valid JSON")
	case text[0] == '{':
		return decodeMessage(text)
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(text, &batch); err != nil {
		return nil, errNoise
	}
	var all []jsonrpc.Message
	for _, item := range batch {
		if messages, err := decodeMessage(item); err == nil {
			all = append(all, messages...)
		}
	}
	if len(all) == 0 {
		return nil, errNoise
	}
	return all, nil
}

// decodeMessage returns the message in valid JSON.
func decodeMessage(text []byte) ([]jsonrpc.Message, error) {
	if m, err := jsonrpc.DecodeMessage(text); err == nil {
		return []jsonrpc.Message{m}, nil
	}
	var found map[string]json.RawMessage
	if json.Unmarshal(text, &found) != nil {
		return nil, errNoise
	}
	_, numbered := found["id"]
	answers := found["result"] != nil || found["error"] != nil
	if found["method"] != nil || found["jsonrpc"] == nil && !(numbered && answers) {
		return nil, errNoise // nobody waits for it
	}
	var failure struct{ Message string }
	if json.Unmarshal(found["error"], &failure) == nil && failure.Message != "" {
		return unreadable(text, "it does not say which request failed with: "+words.Cut(words.Visible(failure.Message, ""), 1000))
	}
	return unreadable(text, "it is not a JSON-RPC response")
}

// unreadable returns the response that stands for a text which cannot be read.
func unreadable(text []byte, why string) ([]jsonrpc.Message, error) {
	has := func(member string) bool { return bytes.Contains(text, []byte(member)) }
	if !has(`"jsonrpc"`) && !(has(`"id"`) && (has(`"result"`) || has(`"error"`))) {
		return nil, errNoise
	}
	return []jsonrpc.Message{&jsonrpc.Response{Error: &UnreadableError{why}}}, nil
}

// isTooDeep reports whether the values of a JSON text are nested too deeply.
func isTooDeep(text []byte) bool {
	depth, quoted, escaped := 0, false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '{', c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// excerpt returns the beginning of a text from a server, for a log.
func excerpt(text []byte) string {
	return words.Cut(words.Visible(string(text[:min(len(text), 300)]), ""), 200)
}
