package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// piece is a complete answer or one event of a stream. It is decoded member by member, so that one
// member of an unexpected type does not make the whole answer unusable. Such a member is converted
// if possible, and otherwise treated as missing.
type piece struct {
	text    []byte
	members members
	choices []members
}

// parsePiece parses a JSON text. A value other than an object becomes a piece without members.
// Invalid UTF-8 becomes U+FFFD, as in encoding/json.
func parsePiece(text []byte) (piece, error) {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	p := piece{text: text}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(text, &p.members); err != nil && !errors.As(err, &wrongType) {
		return piece{}, err
	}
	for _, choice := range listItems(p.members["choices"]) {
		p.choices = append(p.choices, endpoint.ParseMembers(choice))
	}
	return p, nil
}

// errorReport returns the error in the answer itself or in its first choice, if there is one.
func (p piece) errorReport() (c errorReport, ok bool) {
	m := p.members
	switch {
	case hasValue(m["error"]):
		return readErrorReport(m["error"]), true
	case textOf(m["object"]) == "error": // vLLM
		return readErrorReport(p.text), true
	case m == nil, m["choices"] == nil && hasValue(m["detail"]), m["choices"] == nil && strings.HasPrefix(string(m["message"]), `"`):
		return parseErrorReport(p.text)
	}
	for _, choice := range p.choices {
		if choiceIndex(choice) == 0 && (hasValue(choice["error"]) || textOf(choice["finish_reason"]) == "error") {
			return readErrorReport(choice["error"]), true
		}
	}
	return errorReport{}, false
}

// readUsage returns the token counts of an answer; ok is false if all are missing. Groq reports
// them in the member x_groq, and DeepSeek reports cached tokens in prompt_cache_hit_tokens.
func (p piece) readUsage() (u llm.Usage, ok bool) {
	all := p.members.Object("usage")
	u = usageOf(all)
	if u.Input == 0 && u.Output == 0 {
		u = usageOf(p.members.Object("x_groq").Object("usage"))
	}
	if u.Cached == 0 {
		u.Cached = all.Count("prompt_cache_hit_tokens")
	}
	return u, u != (llm.Usage{})
}

func usageOf(m members) llm.Usage {
	return llm.Usage{
		Input: m.Count("prompt_tokens"), Output: m.Count("completion_tokens"),
		Cached:    m.Object("prompt_tokens_details").Count("cached_tokens"),
		Reasoning: m.Object("completion_tokens_details").Count("reasoning_tokens"),
	}
}

// choiceIndex returns the index of a choice, or 0 if the choice has no index.
func choiceIndex(choice members) int {
	if i := indexOf(choice["index"]); i != nil {
		return *i
	}
	return 0
}

// hasMessage reports whether a choice has a message, a delta, or a finish reason that explains why
// it has neither.
func hasMessage(choice members) bool {
	return choice.Object("message") != nil || choice.Object("delta") != nil || endsEarly(textOf(choice["finish_reason"]))
}

// endsEarly reports whether an answer with this finish reason may lack a message, for example
// because a filter stopped it.
func endsEarly(finish string) bool {
	reason := finishes[openai.FinishReason(strings.ToLower(finish))]
	return reason != llm.FinishStop && reason != llm.FinishCalls
}

// finishes maps the finish reasons of the protocol to those of package llm. Some endpoints pass on the
// reasons of other providers, so it also contains their names for a length limit. An answer without a
// reason is complete.
var finishes = map[openai.FinishReason]llm.Finish{
	"":                               llm.FinishStop,
	openai.FinishReasonStop:          llm.FinishStop,
	openai.FinishReasonToolCalls:     llm.FinishCalls,
	openai.FinishReasonFunctionCall:  llm.FinishCalls,
	openai.FinishReasonLength:        llm.FinishLength,
	"max_tokens":                     llm.FinishLength, // Anthropic, Gemini
	"model_length":                   llm.FinishLength, // Mistral
	openai.FinishReasonContentFilter: llm.FinishRefused,
}

// callPiece is a tool call in a message, or a piece of a call in a delta.
type callPiece struct {
	index     *int // nil if the call has none
	id, name  string
	arguments json.RawMessage // see argumentsText
	call      members         // all members of the call
	function  members         // all members of its function
}

// callsOf returns the calls in a message, or the pieces of calls in a delta.
func callsOf(message members) (calls []callPiece) {
	for _, item := range listItems(message["tool_calls"]) {
		if call := endpoint.ParseMembers(item); len(call) > 0 {
			calls = append(calls, parseCall(call))
		}
	}
	if f := message.Object("function_call"); len(calls) == 0 && (hasValue(f["name"]) || hasValue(f["arguments"])) { // the older form, which some endpoints still send
		calls = append(calls, callPiece{name: textOf(f["name"]), arguments: f["arguments"]})
	}
	return calls
}

func parseCall(call members) callPiece {
	f := call.Object("function")
	if f == nil && (call["name"] != nil || call["arguments"] != nil) { // a call without the object around its function
		f = members{"name": call["name"], "arguments": call["arguments"]}
		call = withoutMembers(call, []string{"name", "arguments"})
	}
	return callPiece{index: indexOf(call["index"]), id: textOf(call["id"]), name: textOf(f["name"]), arguments: f["arguments"], call: call, function: f}
}

// argumentsText returns arguments as JSON text. The protocol encodes the arguments as a string that
// contains JSON, but some endpoints send the object itself.
func argumentsText(raw json.RawMessage) string {
	switch {
	case isString(raw):
		return textOf(raw)
	case string(raw) == "null":
		return ""
	}
	return string(raw)
}

// contentText returns the text of a message's content: the string, or the joined texts of its parts.
// If the model answers with JSON, some proxies send that JSON itself instead of a string, so
// contentText returns other values as JSON text. It returns "" for booleans, null and empty values.
func contentText(raw json.RawMessage) string {
	part := endpoint.ParseMembers(raw)
	switch {
	case isString(raw):
		return textOf(raw)
	case strings.HasPrefix(string(raw), "["):
		return partsText(raw)
	case string(raw) == "true" || string(raw) != "0" && !hasValue(raw):
		return ""
	case isString(part["text"]):
		return textOf(part["text"])
	}
	return string(raw)
}

// members is a JSON object.
type members = endpoint.Members

// withoutMembers returns the members of an object whose names are not listed.
func withoutMembers(object members, names []string) members {
	rest := maps.Clone(object)
	maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { return slices.Contains(names, name) })
	return rest
}

// listItems returns the items of a list. It treats an object as a list with one item.
func listItems(raw json.RawMessage) []json.RawMessage {
	if strings.HasPrefix(string(raw), "{") {
		return []json.RawMessage{raw}
	}
	return endpoint.ParseItems(raw)
}

func isString(raw json.RawMessage) bool { return strings.HasPrefix(string(raw), `"`) }

// textOf returns the value of a string or the text of a number, and "" for any other value.
func textOf(raw json.RawMessage) (text string) {
	if isString(raw) {
		_ = json.Unmarshal(raw, &text) // it is a valid string
		return text
	}
	if len(raw) > 0 && strings.IndexByte("-0123456789", raw[0]) >= 0 {
		return string(raw)
	}
	return ""
}

// indexOf parses an index, which may be written in a string. It returns nil for anything else.
func indexOf(raw json.RawMessage) *int {
	n, err := strconv.ParseFloat(textOf(raw), 64)
	if err != nil || n != math.Trunc(n) || n < 0 || n > math.MaxInt32 {
		return nil
	}
	return new(int(n))
}

// contentPart is a part of a message's content.
type contentPart struct {
	kind, text, summary string
	thinking            json.RawMessage // a text, or parts
}

func partsOf(content json.RawMessage) (parts []contentPart) {
	for _, item := range endpoint.ParseItems(content) {
		if isString(item) {
			parts = append(parts, contentPart{kind: "text", text: textOf(item)})
			continue
		}
		m := endpoint.ParseMembers(item)
		kind := textOf(m["type"])
		if kind == "" && m["text"] != nil {
			kind = "text"
		}
		parts = append(parts, contentPart{kind: kind, text: textOf(m["text"]), summary: textOf(m["summary"]), thinking: m["thinking"]})
	}
	return parts
}

// partsText returns the text of content that is a list of parts.
func partsText(content json.RawMessage) string {
	var text strings.Builder
	for _, p := range partsOf(content) {
		text.WriteString(p.text)
	}
	return text.String()
}

// hasOtherParts reports whether content has parts other than text.
func hasOtherParts(content json.RawMessage) bool {
	return slices.ContainsFunc(partsOf(content), func(p contentPart) bool { return p.kind != "text" })
}

// reasoningMembers are the members of a message that may contain its reasoning.
var reasoningMembers = []string{"reasoning_content", "reasoning", "reasoning_text"}

// reasoningOf returns the reasoning in a message, or in a piece of one. Some endpoints send the
// same reasoning in several forms, so it returns only the first form that it finds.
func reasoningOf(m members) string {
	for _, name := range reasoningMembers {
		if isString(m[name]) && textOf(m[name]) != "" {
			return textOf(m[name])
		}
	}
	var inParts strings.Builder
	for _, p := range partsOf(m["content"]) {
		if isString(p.thinking) {
			inParts.WriteString(textOf(p.thinking))
		} else {
			inParts.WriteString(partsText(p.thinking))
		}
	}
	if inParts.Len() > 0 {
		return inParts.String()
	}
	for _, p := range partsOf(m["reasoning_details"]) {
		inParts.WriteString(p.text + p.summary)
	}
	return inParts.String()
}

// pendingHalf is an escaped first half of a surrogate pair, such as \ud83d, at the end of a piece of
// text. The second half is expected at the beginning of the next piece.
type pendingHalf string

// joinHalves prepends the pending half to raw, a JSON string with the next piece of the text. If
// the text ends with a first half, joinHalves removes it and makes it the pending half.
func (h *pendingHalf) joinHalves(raw json.RawMessage) json.RawMessage {
	const escape = len(`\ud83d`)
	if !isString(raw) || string(raw) == `""` {
		return raw
	}
	body := string(*h) + string(raw[1:len(raw)-1])
	*h = ""
	if start := len(body) - escape; start >= 0 && isHighSurrogate(body[start:]) {
		slashes := len(body[:start]) - len(strings.TrimRight(body[:start], `\`))
		if slashes%2 == 0 {
			*h, body = pendingHalf(body[start:]), body[:start]
		}
	}
	return json.RawMessage(`"` + body + `"`)
}

// takeRest returns what to append at the end of the text: U+FFFD if a half is still pending, or "".
func (h pendingHalf) takeRest() string {
	if h == "" {
		return ""
	}
	return "\uFFFD"
}

// isHighSurrogate reports whether an escape is between \ud800 and \udbff.
func isHighSurrogate(escape string) bool {
	digits, ok := strings.CutPrefix(strings.ToLower(escape), `\ud`)
	return ok && strings.IndexByte("89ab", digits[0]) >= 0
}
