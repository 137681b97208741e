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
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
	"github.com/aiongen/aiongen/runtime/tool"
)

// answer is the answer to a call.
type answer struct {
	texts      []string
	parts      []content.Part
	skipped    int             // number of skipped blocks of content
	structured json.RawMessage // structured content, or nil
	isError    bool
	meta       map[string]json.RawMessage
	questions  sdk.InputRequestMap // questions of the server; nil if there are none
	state      string              // must be sent back with the answers to the questions
}

// readAnswer reads the answer to a call. It skips and logs invalid blocks of content and blocks of an
// unknown kind. If the answer is not an object, it returns a [tool.UnknownOutcomeError].
func (s *Server) readAnswer(text json.RawMessage) (*answer, error) {
	var wire struct {
		Content, StructuredContent, IsError, ResultType, InputRequests, RequestState json.RawMessage
		Meta                                                                         json.RawMessage `json:"_meta"`
	}
	if isNull(text) || json.Unmarshal(text, &wire) != nil {
		return nil, &tool.UnknownOutcomeError{Err: &transport.UnreadableError{Why: "its result is not an object"}}
	}
	a := &answer{state: decodeString(wire.RequestState)}
	if !isNull(wire.StructuredContent) {
		a.structured = wire.StructuredContent
	}
	a.isError = !isNull(wire.IsError) && string(wire.IsError) != "false" // any other value counts as true
	_ = json.Unmarshal(wire.Meta, &a.meta)                               // ignored if it is not an object
	var blocks []json.RawMessage
	if !isNull(wire.Content) && json.Unmarshal(wire.Content, &blocks) != nil {
		blocks = []json.RawMessage{wire.Content}
	}
	for _, block := range blocks {
		a.readBlock(s, block)
	}
	questions, err := readQuestions(wire.InputRequests)
	if err != nil {
		return nil, err
	}
	if a.questions = questions; questions == nil && decodeString(wire.ResultType) == "input_required" {
		a.questions = sdk.InputRequestMap{} // the server wants the call to be repeated without answers
	}
	return a, nil
}

// readBlock reads a block of content.
func (a *answer) readBlock(s *Server, block json.RawMessage) {
	var kind struct{ Type json.RawMessage }
	_ = json.Unmarshal(block, &kind)
	if decodeString(kind.Type) == "text" {
		var text struct{ Text *string }
		if json.Unmarshal(block, &text) == nil && text.Text != nil {
			a.texts = append(a.texts, *text.Text)
			return
		}
	}
	var result sdk.CallToolResult
	if json.Unmarshal(slices.Concat([]byte(`{"content":[`), block, []byte(`]}`)), &result) == nil && len(result.Content) == 1 {
		if part, ok := decodeContent(result.Content[0]); ok {
			a.parts = append(a.parts, part)
			return
		}
	}
	a.skipped++
	s.log.Warn("mcp: skipped content of a result that cannot be used", "type", words.Cut(words.Visible(decodeString(kind.Type), ""), maxNameBytes))
}

// readQuestions reads and sanitizes the questions in a result.
func readQuestions(text json.RawMessage) (sdk.InputRequestMap, error) {
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
	questions := sdk.InputRequestMap{}
	for name, question := range all {
		var decoded sdk.InputRequestMap
		if question != nil && len(question.Params) > 0 {
			question.Params = sanitize.Params(question.Method, question.Params)
		}
		if question == nil || isNull(question.Params) && question.Method != "roots/list" {
			return nil, errors.New("the server asks a question without content")
		}
		if isNull(question.Params) {
			question.Params = json.RawMessage("{}")
		}
		if json.Unmarshal(sanitize.Encode(map[string]any{name: question}), &decoded) != nil {
			return nil, errors.New("the server asks a question that cannot be read")
		}
		maps.Copy(questions, decoded)
	}
	return questions, nil
}

// resultShape describes the results of a tool.
type resultShape struct {
	hasSchema bool // the tool has an output schema
	wrapped   bool // the result is the member "result" of the structured content
}

// decodeResult returns the result in an answer. It attaches other content and _meta to the
// exchange.
func (s resultShape) decodeResult(a *answer, x *tool.Exchange) (json.RawMessage, error) {
	x.Attach(a.parts...)
	for _, name := range slices.Sorted(maps.Keys(a.meta)) {
		if !isReserved(name) && name != "fastmcp" {
			_ = x.Reply(name, a.meta[name]) // it is JSON
		}
	}
	switch {
	case a.isError:
		return nil, a.toolError()
	case a.structured != nil:
		return s.structuredResult(a, x)
	case s.hasSchema && len(a.texts) == 1 && json.Valid([]byte(a.texts[0])):
		return json.RawMessage(a.texts[0]), nil // servers of old protocol versions send the result as text
	case len(a.texts) > 0:
		return json.Marshal(strings.Join(a.texts, "\n"))
	case a.skipped > 0 && len(a.parts) == 0:
		return nil, &tool.UnknownOutcomeError{Err: &transport.UnreadableError{Why: "its content is of an unknown kind"}}
	}
	return nil, nil
}

// structuredResult returns the structured content. It attaches texts that differ from the structured
// content to the exchange.
func (s resultShape) structuredResult(a *answer, x *tool.Exchange) (json.RawMessage, error) {
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
		repeated, err := sanitize.Decode(json.RawMessage(text))
		if value != any(text) && (err != nil || !reflect.DeepEqual(repeated, value)) {
			x.Attach(content.Text(text))
		}
	}
	return result, nil
}

// isReserved reports whether the protocol reserves a name in _meta.
func isReserved(name string) bool {
	return name == "progressToken" || strings.HasPrefix(name, "io.modelcontextprotocol/")
}

// refusedError is a protocol error of the server with a sanitized text.
type refusedError struct {
	text string
	err  error
}

func (r *refusedError) Error() string { return r.text }
func (r *refusedError) Unwrap() error { return r.err }

// toCallError converts the error of a request to one for people and models.
func toCallError(err error) error {
	var protocolErr *jsonrpc.Error
	if !errors.As(err, &protocolErr) {
		return err
	}
	prefix := "the server refused the call: "
	if !transport.Refuses(protocolErr.Code) {
		prefix = "the server answered the call with an error: " // it may have run
	}
	return &refusedError{prefix + words.Cut(cmp.Or(sanitize.Text(protocolErr.Message), "it does not say why"), maxErrorBytes), err}
}

// toolError returns the error of an answer: its texts or, if they are empty, its structured
// content.
func (a *answer) toolError() error {
	text := strings.Join(a.texts, "\n")
	if strings.TrimSpace(text) == "" && a.structured != nil {
		text = string(a.structured)
	}
	if text = sanitize.Text(text); strings.TrimSpace(text) == "" {
		return errors.New("the tool failed, and the server does not say why")
	}
	return errors.New(words.Cut(text, maxErrorBytes))
}

// maxErrorBytes limits the text of an error, in bytes.
const maxErrorBytes = 16 << 10
