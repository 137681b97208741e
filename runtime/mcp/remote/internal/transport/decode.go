package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// maxDepth is the maximum nesting depth of a message. The SDK has the same limit.
const maxDepth = 1000

// UnreadableError reports that a message, which may be the answer to a request, cannot be
// read.
type UnreadableError struct{ Why string }

func (e *UnreadableError) Error() string { return "the answer of the server cannot be read: " + e.Why }

func tooLongError(limit int) error {
	return &UnreadableError{fmt.Sprintf("it is longer than %d bytes", limit)}
}

// errNoise is the error for a text that is not a message, such as a line of a log.
var errNoise = errors.New("it is not a message")

// decodeMessages returns the message in a text, or the messages of a batch. For a text that looks
// like a message but cannot be decoded, it returns a response without an ID and with an
// [UnreadableError]. For other texts, it returns errNoise.
//
// It replaces values that are nested too deeply with [CutMark]. A response that contains such values
// has an [UnreadableError] as its error.
func decodeMessages(text []byte) ([]jsonrpc.Message, error) {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	text, isCut := cutDeepValues(text)
	switch {
	case len(text) == 0:
		return nil, errNoise
	case text[0] != '{' && text[0] != '[':
		return unreadableMessage(text, "it is not valid JSON")
	case !json.Valid(text):
		return unreadableMessage(text, "it is not valid JSON")
	case text[0] == '{':
		return decodeMessage(text, isCut)
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(text, &batch); err != nil {
		return nil, errNoise
	}
	var all []jsonrpc.Message
	for _, item := range batch {
		if messages, err := decodeMessage(item, isCut); err == nil {
			all = append(all, messages...)
		}
	}
	if len(all) == 0 {
		return nil, errNoise
	}
	return all, nil
}

// decodeMessage returns the message in valid JSON. If isCut is set, values may have been
// replaced by CutMark.
func decodeMessage(text []byte, isCut bool) ([]jsonrpc.Message, error) {
	if m, err := jsonrpc.DecodeMessage(text); err == nil {
		if isCut && bytes.Contains(text, []byte(CutMark)) {
			return withoutDeepValues(m)
		}
		return []jsonrpc.Message{m}, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return nil, errNoise
	}
	_, hasID := members["id"]
	isAnswer := members["result"] != nil || members["error"] != nil
	if members["method"] != nil || members["jsonrpc"] == nil && !(hasID && isAnswer) {
		return nil, errNoise // it cannot be an answer
	}
	var failure struct{ Message string }
	if json.Unmarshal(members["error"], &failure) == nil && failure.Message != "" {
		return unreadableMessage(text, "it does not say which request failed with: "+words.Cut(words.Visible(failure.Message, ""), 1000))
	}
	return unreadableMessage(text, "it is not a JSON-RPC response")
}

// unreadableMessage returns a response without an ID, with an error that says why the text cannot
// be read. It returns errNoise if the text does not look like a message.
func unreadableMessage(text []byte, reason string) ([]jsonrpc.Message, error) {
	has := func(member string) bool { return bytes.Contains(text, []byte(member)) }
	if !has(`"jsonrpc"`) && !(has(`"id"`) && (has(`"result"`) || has(`"error"`))) {
		return nil, errNoise
	}
	return []jsonrpc.Message{&jsonrpc.Response{Error: &UnreadableError{reason}}}, nil
}

// CutMark replaces a value that is nested too deeply.
const CutMark = `"(nested too deeply)"`

// cutDeepValues replaces the values that are nested too deeply with CutMark, and reports whether
// there are any.
func cutDeepValues(text []byte) (out []byte, isCut bool) {
	var nesting jsontext.Nesting
	copied := 0
	for i, c := range text {
		before := nesting.Depth
		switch nesting.Add(c); {
		case before == maxDepth && nesting.Depth > maxDepth:
			out = append(append(out, text[copied:i]...), CutMark...)
			copied = len(text)
		case before > maxDepth && nesting.Depth == maxDepth:
			copied = i + 1
		}
	}
	if out == nil {
		return text, false
	}
	return append(out, text[copied:]...), true
}

// withoutDeepValues adds an error to a response in which values were replaced by CutMark. For other
// messages, it returns errNoise, so they are ignored.
func withoutDeepValues(m jsonrpc.Message) ([]jsonrpc.Message, error) {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return nil, errNoise
	}
	if r.Error == nil {
		r.Error = &UnreadableError{fmt.Sprintf("its values are nested more than %d levels deep", maxDepth)}
	}
	return []jsonrpc.Message{r}, nil
}

// logExcerpt returns the beginning of a text from a server, for a log message.
func logExcerpt(text []byte) string {
	return words.Cut(words.Visible(string(text[:min(len(text), 300)]), ""), 200)
}
