package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/parts"
	"github.com/aiongen/aiongen/runtime/tool"
)

// shape is what is known of the results of a tool.
type shape struct {
	promised bool // there is an output schema
	wrapped  bool // the result is a member of the structured content
}

// result returns what an answer says, and hands on what it says beside that.
func (s shape) result(r *sdk.CallToolResult, said *tool.Exchange) (json.RawMessage, error) {
	var texts []string
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			texts = append(texts, text.Text)
		} else if part, ok := parts.Part(c); ok {
			said.Attach(part)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Meta)) {
		if value, err := json.Marshal(r.Meta[name]); err == nil && !isReserved(name) && name != "fastmcp" {
			_ = said.Reply(name, value) // it is JSON
		}
	}
	switch {
	case r.IsError:
		return nil, failed(r, strings.Join(texts, "\n"))
	case r.StructuredContent != nil:
		return s.structured(r.StructuredContent, texts, said)
	case s.promised && len(texts) == 1 && json.Valid([]byte(texts[0])):
		return json.RawMessage(texts[0]), nil // as servers wrote it that knew no other way
	case len(texts) == 0:
		return nil, nil
	}
	return json.Marshal(strings.Join(texts, "\n"))
}

// structured returns what the structured content says. The SDK read it as Go values, so
// that large numbers are not what they were: where a text says the same, it counts. Other
// texts are handed on.
func (s shape) structured(value any, texts []string, said *tool.Exchange) (result json.RawMessage, err error) {
	if object, ok := value.(map[string]any); ok && s.wrapped && len(object) == 1 {
		if inner, there := object["result"]; there {
			value = inner
		}
	}
	if result, err = json.Marshal(value); err != nil {
		return nil, err
	}
	for _, text := range texts {
		var same any
		switch {
		case json.Unmarshal([]byte(text), &same) == nil && reflect.DeepEqual(same, value):
			result = json.RawMessage(text)
		case value != any(text):
			said.Attach(content.Text(text))
		}
	}
	return result, nil
}

// isReserved reports whether a name in _meta is one of the protocol itself.
func isReserved(name string) bool {
	return name == "progressToken" || strings.HasPrefix(name, "io.modelcontextprotocol/")
}

// refusal is an error of the protocol, in the words of the server.
type refusal struct {
	words string
	err   error
}

func (r *refusal) Error() string { return r.words }
func (r *refusal) Unwrap() error { return r.err }

// inWords says an error of a call.
func inWords(err error) error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		return &refusal{"the server refused the call: " + words.Cut(clean(refused.Message), longestWords), err}
	}
	return fmt.Errorf("no answer of the server can be read: %w", err)
}

// failed is what an answer says to be an error, in its texts or, if these say nothing,
// in its structured content.
func failed(r *sdk.CallToolResult, said string) error {
	if strings.TrimSpace(said) == "" && r.StructuredContent != nil {
		said = string(mustMarshal(r.StructuredContent))
	}
	if said = clean(said); strings.TrimSpace(said) == "" {
		return errors.New("it failed, and the server does not say why")
	}
	return errors.New(words.Cut(said, longestWords))
}

// clean returns a text that a server says without what steers a terminal.
func clean(text string) string { return words.Visible(text, "\n\t") }

// longestWords bounds what a server says of an error, in bytes.
const longestWords = 16 << 10

// mustMarshal writes what was read from JSON.
func mustMarshal(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
