package remote

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/parts"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
	"github.com/aiongen/aiongen/runtime/tool"
)

// answer is the answer to a call.
type answer struct {
	texts      []string
	parts      []content.Part
	skipped    int             // blocks of content that cannot be used
	structured json.RawMessage // nil if there is none
	failed     bool
	meta       map[string]json.RawMessage
	asks       sdk.InputRequestMap // nil if the server asks nothing
	state      string              // that goes back with the answers
}

// readAnswer reads the answer to a call. Blocks of content that cannot be used are skipped and
// logged. If the whole answer cannot be read, the outcome of the call is unknown.
func (s *Server) readAnswer(text json.RawMessage) (*answer, error) {
	var wire struct {
		Content, StructuredContent, IsError, ResultType, InputRequests, RequestState json.RawMessage
		Meta                                                                         json.RawMessage `json:"_meta"`
	}
	if isNull(text) || json.Unmarshal(text, &wire) != nil {
		return nil, &tool.UnknownOutcomeError{Err: &transport.UnreadableError{Why: "its result is not an object"}}
	}
	a := &answer{state: stringOf(wire.RequestState)}
	if !isNull(wire.StructuredContent) {
		a.structured = wire.StructuredContent
	}
	a.failed = !isNull(wire.IsError) && string(wire.IsError) != "false" // whatever says so in another type
	_ = json.Unmarshal(wire.Meta, &a.meta)                              // another type has nothing to pass on
	var blocks []json.RawMessage
	if !isNull(wire.Content) && json.Unmarshal(wire.Content, &blocks) != nil {
		blocks = []json.RawMessage{wire.Content}
	}
	for _, block := range blocks {
		a.readBlock(s, block)
	}
	asks, err := readAsks(wire.InputRequests)
	if err != nil {
		return nil, err
	}
	if a.asks = asks; asks == nil && stringOf(wire.ResultType) == "input_required" {
		a.asks = sdk.InputRequestMap{} // it asks for another moment
	}
	return a, nil
}

// readBlock reads a block of content.
func (a *answer) readBlock(s *Server, block json.RawMessage) {
	var kind struct{ Type json.RawMessage }
	_ = json.Unmarshal(block, &kind)
	if stringOf(kind.Type) == "text" {
		var text struct{ Text *string }
		if json.Unmarshal(block, &text) == nil && text.Text != nil {
			a.texts = append(a.texts, *text.Text)
			return
		}
	}
	var one sdk.CallToolResult
	if json.Unmarshal(slices.Concat([]byte(`{"content":[`), block, []byte(`]}`)), &one) == nil && len(one.Content) == 1 {
		if part, ok := parts.Part(one.Content[0]); ok {
			a.parts = append(a.parts, part)
			return
		}
	}
	a.skipped++
	s.log().Warn("mcp: skipped content of a result that cannot be used", "type", words.Cut(words.Visible(stringOf(kind.Type), ""), longestName))
}

// readAsks reads what a server asks by a result.
func readAsks(text json.RawMessage) (sdk.InputRequestMap, error) {
	if isNull(text) {
		return nil, nil
	}
	var all map[string]*struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params,omitempty"`
	}
	if json.Unmarshal(text, &all) != nil {
		return nil, errors.New("the server asks questions in a form that cannot be read")
	}
	asks := sdk.InputRequestMap{}
	for name, one := range all {
		var read sdk.InputRequestMap
		if one != nil && len(one.Params) > 0 {
			one.Params = sanitize.Params(one.Method, one.Params)
		}
		if one == nil || isNull(one.Params) && one.Method != "roots/list" {
			return nil, errors.New("the server asks a question without a content")
		}
		if isNull(one.Params) {
			one.Params = json.RawMessage("{}")
		}
		if json.Unmarshal(sanitize.Encode(map[string]any{name: one}), &read) != nil {
			return nil, errors.New("the server asks a question that cannot be read")
		}
		maps.Copy(asks, read)
	}
	return asks, nil
}

// shape is what is known of the results of a tool.
type shape struct {
	promised bool // there is an output schema
	wrapped  bool // the result is a member of the structured content
}

// result returns the result that an answer has, and passes on what it has in addition.
func (s shape) result(a *answer, x *tool.Exchange) (json.RawMessage, error) {
	x.Attach(a.parts...)
	for _, name := range slices.Sorted(maps.Keys(a.meta)) {
		if !isReserved(name) && name != "fastmcp" {
			_ = x.Reply(name, a.meta[name]) // it is JSON
		}
	}
	switch {
	case a.failed:
		return nil, a.failure()
	case a.structured != nil:
		return s.structured(a, x)
	case s.promised && len(a.texts) == 1 && json.Valid([]byte(a.texts[0])):
		return json.RawMessage(a.texts[0]), nil // as servers of old versions send it
	case len(a.texts) > 0:
		return json.Marshal(strings.Join(a.texts, "\n"))
	case a.skipped > 0 && len(a.parts) == 0:
		return nil, &tool.UnknownOutcomeError{Err: &transport.UnreadableError{Why: "its content is of an unknown kind"}}
	}
	return nil, nil
}

// structured returns the structured content. Texts that do not repeat it are attached.
func (s shape) structured(a *answer, x *tool.Exchange) (json.RawMessage, error) {
	result := a.structured
	var object map[string]json.RawMessage
	if s.wrapped && json.Unmarshal(result, &object) == nil && len(object) == 1 && object["result"] != nil {
		result = object["result"]
	}
	value, err := sanitize.Decode(result)
	if err != nil {
		return nil, err
	}
	for _, text := range a.texts {
		same, err := sanitize.Decode(json.RawMessage(text))
		if value != any(text) && (err != nil || !reflect.DeepEqual(same, value)) {
			x.Attach(content.Text(text))
		}
	}
	return result, nil
}

// isReserved reports whether a name in _meta belongs to the protocol itself.
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

// inWords returns the error of a request as people and models read it.
func inWords(err error) error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		return &refusal{"the server refused the call: " + words.Cut(cmp.Or(clean(refused.Message), "it does not say why"), longestWords), err}
	}
	return err
}

// failure is what an answer says to be an error, in its texts or, if these say nothing, in its
// structured content.
func (a *answer) failure() error {
	said := strings.Join(a.texts, "\n")
	if strings.TrimSpace(said) == "" && a.structured != nil {
		said = string(a.structured)
	}
	if said = clean(said); strings.TrimSpace(said) == "" {
		return errors.New("the tool failed, and the server does not say why")
	}
	return errors.New(words.Cut(said, longestWords))
}

// longestWords limits what is passed on of an error, in bytes.
const longestWords = 16 << 10
