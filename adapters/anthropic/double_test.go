package anthropic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	oldModel    = "claude-sonnet-4-5"
	middleModel = "claude-opus-4-6"
	newestModel = "claude-opus-4-8"
)

// newClient returns a client of the SDK for a double.
func newClient(url string) sdk.Client {
	return sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("test-key"), option.WithoutEnvironmentDefaults())
}

// messagesAPI is the protocol of an endpoint that refuses what Anthropic refuses.
type messagesAPI struct{}

// wireRequest contains the members of a request that the double understands.
type wireRequest struct {
	Model       string        `json:"model"`
	MaxTokens   int           `json:"max_tokens"`
	Stream      bool          `json:"stream"`
	System      []wireBlock   `json:"system"`
	Messages    []wireMessage `json:"messages"`
	Tools       []wireTool    `json:"tools"`
	Temperature *float64      `json:"temperature"`
	TopP        *float64      `json:"top_p"`
	Stop        []string      `json:"stop_sequences"`
	Geo         string        `json:"inference_geo"`
	ToolChoice  *struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		OneCall bool   `json:"disable_parallel_tool_use"`
	} `json:"tool_choice"`
	Thinking *struct {
		Type    string `json:"type"`
		Budget  int    `json:"budget_tokens"`
		Display string `json:"display"`
	} `json:"thinking"`
	Output *struct {
		Effort string `json:"effort"`
		Format *struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
}

type wireTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
	Strict      bool            `json:"strict"`
	Cache       json.RawMessage `json:"cache_control"`
}

type wireMessage struct {
	Role    string      `json:"role"`
	Content []wireBlock `json:"content"`
}

type wireBlock struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Source struct {
		Type  string `json:"type"`
		Media string `json:"media_type"`
		Data  string `json:"data"`
		URL   string `json:"url"`
	} `json:"source"`
	Title     string          `json:"title"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
	Cache     json.RawMessage `json:"cache_control"`
	Thinking  *string         `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	Caller    json.RawMessage `json:"caller"`
	Future    json.RawMessage `json:"future"`
	Citations json.RawMessage `json:"citations"`
}

// Decode implements [llmtest.Protocol].
func (messagesAPI) Decode(r *http.Request, body []byte) (llmtest.Request, error) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") == "" || r.Header.Get("Anthropic-Version") == "" {
		return llmtest.Request{}, fmt.Errorf("invalid request: %s %s", r.Method, r.URL)
	}
	var params sdk.MessageNewParams
	if err := json.Unmarshal(body, &params); err != nil {
		return llmtest.Request{}, fmt.Errorf("the SDK cannot decode the request: %w", err)
	}
	var sent wireRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&sent); err != nil {
		return llmtest.Request{}, fmt.Errorf("extra inputs are not permitted: %w", err)
	}
	if err := errors.Join(sent.checkSettings(), sent.checkThinking(), checkTools(sent.Tools), sent.checkMarks(), sent.checkMessages()); err != nil {
		return llmtest.Request{}, err
	}
	return sent.decode()
}

// decode converts a valid request.
func (s wireRequest) decode() (llmtest.Request, error) {
	req := llm.Request{MaxTokens: s.MaxTokens, Temperature: s.Temperature, TopP: s.TopP, Stop: s.Stop}
	if s.Geo != "" {
		req.Extra = map[string]json.RawMessage{"inference_geo": json.RawMessage(inJSON(s.Geo))}
	}
	if s.Output != nil {
		req.Effort = s.Output.Effort
		if s.Output.Format != nil {
			req.Schema = s.Output.Format.Schema
		}
	}
	if s.Thinking != nil && s.Thinking.Type == "disabled" {
		req.Effort = "none"
	}
	if c := s.ToolChoice; c != nil {
		req.OneCall = c.OneCall
		req.ToolChoice = map[string]llm.ToolChoice{"any": llm.AnyTool, "none": llm.NoTool, "tool": llm.ToolChoice(c.Name)}[c.Type]
	}
	var system []string
	for _, b := range s.System {
		system = append(system, b.Text)
	}
	req.System = strings.Join(system, "\n")
	for _, t := range s.Tools {
		req.Tools = append(req.Tools, tool.Definition{Name: t.Name, Description: t.Description, Input: t.Schema})
	}
	for _, m := range s.Messages {
		messages, err := m.decode()
		if err != nil {
			return llmtest.Request{}, err
		}
		req.Messages = append(req.Messages, messages...)
	}
	return llmtest.Request{Request: req, Streamed: s.Stream}, nil
}

// decode converts a message. The results of calls become messages of their own.
func (s wireMessage) decode() (all []llm.Message, err error) {
	m := llm.Message{Role: llm.Role(s.Role)}
	for _, b := range s.Content {
		switch b.Type {
		case "tool_result":
			var parts []wireBlock
			if err := json.Unmarshal(b.Content, &parts); err != nil {
				return nil, err
			}
			result := llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: b.ToolUseID}}
			for _, p := range parts {
				if p.Type == "text" {
					result.Text += p.Text
				} else {
					result.Parts = append(result.Parts, p.part())
				}
			}
			all = append(all, result)
		case "tool_use":
			m.Calls = append(m.Calls, tool.Request{ID: b.ID, Name: b.Name, Arguments: b.Input})
		case "thinking":
			m.Reasoning += *b.Thinking
			m.Provider = json.RawMessage(inJSON(b.opaque()))
		case "redacted_thinking":
			m.Provider = json.RawMessage(inJSON(b.Data))
		case "text":
			if s.Role == "assistant" || m.Text == "" && m.Parts == nil {
				m.Text += b.Text
			} else {
				m.Parts = append(m.Parts, content.Text(b.Text))
			}
		default:
			m.Parts = append(m.Parts, b.part())
		}
	}
	if m.Text != "" || m.Parts != nil || m.Calls != nil || m.Reasoning != "" {
		all = append(all, m)
	}
	return all, nil
}

// part converts an image or a document.
func (s wireBlock) part() content.Part {
	p := content.Part{Media: s.Source.Media, URL: s.Source.URL}
	if s.Source.Type == "url" {
		p.Media = map[string]string{"image": "image/*", "document": "application/pdf"}[s.Type]
	}
	if s.Source.Type == "base64" {
		if json.Unmarshal([]byte(inJSON(s.Source.Data)), &p.Data) != nil {
			panic("checked before")
		}
	}
	if s.Source.Type == "text" {
		p.Data = []byte(s.Source.Data)
	}
	return p
}

// checkSettings refuses invalid settings.
func (s wireRequest) checkSettings() error {
	switch {
	case s.Model == "":
		return errors.New("model: Field required")
	case s.MaxTokens < 1:
		return errors.New("max_tokens: Field required")
	case s.Temperature != nil && (*s.Temperature < 0 || *s.Temperature > 1):
		return errors.New("temperature: range: 0..1")
	case s.Temperature != nil && s.TopP != nil:
		return errors.New("`temperature` and `top_p` cannot both be specified for this model. Please use only one")
	case s.Model == newestModel && (s.Temperature != nil || s.TopP != nil):
		return errors.New("`temperature` is deprecated for this model")
	case slices.ContainsFunc(s.Stop, func(text string) bool { return strings.TrimSpace(text) == "" }):
		return errors.New("stop_sequences: each stop sequence must contain non-whitespace")
	case slices.ContainsFunc(s.System, func(b wireBlock) bool { return b.Type != "text" || strings.TrimSpace(b.Text) == "" }):
		return errors.New("system: text content blocks must be non-empty")
	case s.Output != nil && s.Output.Format != nil && s.Output.Format.Type != "json_schema":
		return errors.New("output_config.format: invalid type")
	case s.ToolChoice != nil && len(s.Tools) == 0:
		return errors.New("tool_choice may only be specified while providing tools")
	case s.ToolChoice != nil && s.ToolChoice.Type == "tool" && !slices.ContainsFunc(s.Tools, func(t wireTool) bool { return t.Name == s.ToolChoice.Name }):
		return fmt.Errorf("Tool '%s' not found in provided tools", s.ToolChoice.Name) //nolint:staticcheck // as the vendor says it
	case s.ToolChoice != nil && s.ToolChoice.Type == "none" && s.ToolChoice.OneCall:
		return errors.New("tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted")
	}
	return nil
}

// checkThinking refuses invalid configurations of thinking.
func (s wireRequest) checkThinking() error {
	if s.Output != nil && s.Output.Effort != "" && (s.Model == oldModel || !slices.Contains([]string{"low", "medium", "high", "xhigh", "max"}, s.Output.Effort)) {
		return errors.New("this model does not support the effort parameter")
	}
	if s.Thinking == nil {
		return nil
	}
	forced := s.ToolChoice != nil && (s.ToolChoice.Type == "any" || s.ToolChoice.Type == "tool")
	switch t := s.Thinking; {
	case t.Type == "enabled" && s.Model == newestModel:
		return errors.New(`"thinking.type.enabled" is not supported for this model`)
	case t.Type == "adaptive" && s.Model == oldModel:
		return errors.New("adaptive thinking is not supported on this model")
	case t.Type == "enabled" && (t.Budget < 1024 || t.Budget >= s.MaxTokens):
		return errors.New("`max_tokens` must be greater than `thinking.budget_tokens`")
	case t.Type == "enabled" && forced:
		return errors.New("thinking may not be enabled when tool_choice forces tool use")
	case t.Type != "disabled" && (s.Temperature != nil && *s.Temperature != 1 || s.TopP != nil):
		return errors.New("`temperature` may only be set to 1 when thinking is enabled")
	case t.Type != "enabled" && t.Type != "adaptive" && t.Type != "disabled" || t.Type == "disabled" && t.Display != "":
		return fmt.Errorf("thinking: invalid type %q", t.Type)
	}
	return nil
}

var (
	toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
	callID   = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
)

// checkTools refuses invalid tools.
func checkTools(tools []wireTool) error {
	names, strict := map[string]bool{}, 0
	for i, t := range tools {
		if t.Strict {
			strict++
		}
		var schema map[string]json.RawMessage
		switch {
		case t.Type != "" && t.Type != "custom":
			continue // a server tool
		case !toolName.MatchString(t.Name):
			return fmt.Errorf("tools.%d.custom.name: String should match pattern '%s'", i, toolName)
		case names[t.Name]:
			return errors.New("tools: Tool names must be unique")
		case json.Unmarshal(t.Schema, &schema) != nil || string(schema["type"]) != `"object"`:
			return fmt.Errorf("tools.%d.custom.input_schema.type: Field required", i)
		case schema["anyOf"] != nil || schema["oneOf"] != nil || schema["allOf"] != nil:
			return fmt.Errorf("tools.%d.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level", i)
		case t.Strict && string(schema["additionalProperties"]) != "false":
			return fmt.Errorf("tools.%d.custom: For 'object' type, 'additionalProperties' must be explicitly set to false", i)
		case strict > 20:
			return errors.New("too many strict tools")
		}
		names[t.Name] = true
	}
	return nil
}

// checkMarks refuses invalid marks for the cache.
func (s wireRequest) checkMarks() error {
	n := 0
	count := func(mark json.RawMessage) {
		if mark != nil {
			n++
		}
	}
	for _, t := range s.Tools {
		count(t.Cache)
	}
	for _, b := range s.System {
		count(b.Cache)
	}
	for _, m := range s.Messages {
		for _, b := range m.Content {
			count(b.Cache)
			if b.Cache != nil && (b.Type == "thinking" || b.Type == "redacted_thinking") {
				return errors.New("cache_control cannot be set for thinking blocks")
			}
		}
	}
	if n > 4 {
		return fmt.Errorf("A maximum of 4 blocks with cache_control may be provided. Found %d", n) //nolint:staticcheck // as the vendor says it
	}
	return nil
}

// checkMessages refuses invalid messages.
func (s wireRequest) checkMessages() error {
	if len(s.Messages) == 0 {
		return errors.New("messages: at least one message is required")
	}
	if s.Messages[0].Role != "user" {
		return errors.New(`messages: first message must use the "user" role`)
	}
	var open []string // IDs of calls that need results
	for i, m := range s.Messages {
		if i > 0 && m.Role == s.Messages[i-1].Role {
			return fmt.Errorf("messages.%d: roles must alternate between \"user\" and \"assistant\"", i)
		}
		if m.Role != "user" && m.Role != "assistant" || len(m.Content) == 0 {
			return fmt.Errorf("messages.%d: all messages must have non-empty content", i)
		}
		results := 0
		for j, b := range m.Content {
			if err := b.check(m.Role); err != nil {
				return fmt.Errorf("messages.%d.content.%d: %w", i, j, err)
			}
			if b.Type == "tool_result" {
				at := slices.Index(open, b.ToolUseID)
				if at < 0 || results < j {
					return fmt.Errorf("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s", i, j, b.ToolUseID)
				}
				open, results = slices.Delete(open, at, at+1), results+1
			}
		}
		if len(open) > 0 {
			return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %v", i, open)
		}
		for _, b := range m.Content {
			if b.Type == "tool_use" {
				if slices.Contains(open, b.ID) {
					return fmt.Errorf("messages.%d: `tool_use` ids must be unique", i)
				}
				open = append(open, b.ID)
			}
		}
	}
	return s.checkEnd(open)
}

// checkEnd refuses dialogues with an invalid end.
func (s wireRequest) checkEnd(open []string) error {
	last := s.Messages[len(s.Messages)-1]
	end := last.Content[len(last.Content)-1]
	switch {
	case len(open) > 0:
		return errors.New("`tool_use` ids were found without `tool_result` blocks immediately after")
	case last.Role == "assistant" && end.Type == "text" && strings.TrimRight(end.Text, " \n") != end.Text:
		return errors.New("messages: final assistant content cannot end with trailing whitespace")
	case last.Role == "assistant" && end.Type == "text" && s.Model == newestModel:
		return errors.New("this model does not support assistant message prefill")
	}
	return nil
}

// check refuses invalid blocks.
func (s wireBlock) check(role string) error {
	byRole := map[string][]string{
		"user":      {"text", "image", "document", "tool_result"},
		"assistant": {"text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "future"},
	}
	if !slices.Contains(byRole[role], s.Type) {
		return fmt.Errorf("unexpected block %q in a message of the %s", s.Type, role)
	}
	var input map[string]any
	switch s.Type {
	case "text":
		if strings.TrimSpace(s.Text) == "" {
			return errors.New("text content blocks must contain non-whitespace text")
		}
	case "tool_use":
		if !callID.MatchString(s.ID) || !toolName.MatchString(s.Name) || json.Unmarshal(s.Input, &input) != nil || input == nil {
			return fmt.Errorf("invalid tool_use %s %q %s", s.ID, s.Name, s.Input)
		}
	case "tool_result":
		var parts []wireBlock
		if json.Unmarshal(s.Content, &parts) != nil {
			return errors.New("invalid content")
		}
		for _, p := range parts {
			if p.Type != "text" && p.Type != "image" && p.Type != "document" || s.IsError && p.Type != "text" {
				return fmt.Errorf("unexpected %s in a tool_result", p.Type)
			}
			if err := p.check("user"); err != nil {
				return err
			}
		}
	case "image", "document":
		return s.checkSource()
	case "thinking":
		if s.Thinking == nil || s.Signature != signature(*s.Thinking, s.opaque()) {
			return errors.New("`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified")
		}
	case "redacted_thinking":
		if s.Data == "" {
			return errors.New("data: Field required")
		}
	}
	return nil
}

// checkSource refuses invalid images and documents.
func (s wireBlock) checkSource() error {
	image := slices.Contains([]string{"image/jpeg", "image/png", "image/gif", "image/webp"}, s.Source.Media)
	var data []byte
	switch source := s.Source; {
	case source.Type == "url" && strings.HasPrefix(source.URL, "https://"):
	case source.Type == "base64" && (s.Type == "image" && image || s.Type == "document" && source.Media == "application/pdf"):
		if json.Unmarshal([]byte(inJSON(source.Data)), &data) != nil || len(data) == 0 {
			return errors.New("source.base64.data: invalid base64 data")
		}
	case source.Type == "text" && s.Type == "document" && source.Media == "text/plain" && source.Data != "":
	default:
		return fmt.Errorf("source: invalid %+v", source)
	}
	return nil
}

// signature returns the signature of a thought, which contains the opaque data of an answer.
func signature(thought, opaque string) string { return fmt.Sprintf("sig:%d:%s", len(thought), opaque) }

// opaque returns the opaque data in a signature.
func (s wireBlock) opaque() string {
	parts := strings.SplitN(s.Signature, ":", 3)
	if len(parts) < 3 {
		return ""
	}
	return parts[2]
}

func inJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// stopReasons are the stop reasons of the protocol.
var stopReasons = map[llm.Finish]string{llm.FinishStop: "end_turn", llm.FinishCalls: "tool_use", llm.FinishLength: "max_tokens", llm.FinishRefused: "refusal"}

// contentOf returns the blocks of an answer.
func contentOf(a llmtest.Answer) (blocks []map[string]any) {
	add := func(b map[string]any) {
		if a.Unknown {
			b["future"] = map[string]any{"x": 1}
		}
		blocks = append(blocks, b)
	}
	if a.Opaque != "" || a.Response.Reasoning != "" {
		add(map[string]any{"type": "thinking", "thinking": a.Response.Reasoning, "signature": signature(a.Response.Reasoning, a.Opaque)})
	}
	if a.Response.Text != "" {
		add(map[string]any{"type": "text", "text": a.Response.Text})
	}
	for _, c := range a.Response.Calls {
		b := map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Arguments, "caller": map[string]any{"type": "direct"}}
		if !json.Valid(c.Arguments) {
			b["input"] = map[string]any{}
		}
		add(b)
	}
	return blocks
}

// usageOf returns the token counts of an answer.
func usageOf(u llm.Usage) map[string]any {
	return map[string]any{
		"input_tokens": u.Input - u.Cached, "output_tokens": u.Output, "cache_read_input_tokens": u.Cached, "cache_creation_input_tokens": 0,
		"output_tokens_details": map[string]any{"thinking_tokens": u.Reasoning},
	}
}

// messageOf returns an answer as one message.
func messageOf(a llmtest.Answer) map[string]any {
	m := map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": a.Response.Model, "content": contentOf(a),
		"stop_reason": stopReasons[a.Response.Finish], "stop_sequence": nil, "stop_details": nil, "usage": usageOf(a.Response.Usage),
	}
	if contentOf(a) == nil {
		m["content"] = []any{}
	}
	if a.Unknown {
		m["future"] = []any{1, nil}
	}
	return m
}

// Document implements [llmtest.Protocol].
func (messagesAPI) Document(a llmtest.Answer) []byte { return []byte(inJSON(messageOf(a))) }

// Events implements [llmtest.Protocol].
func (messagesAPI) Events(a llmtest.Answer) (events []string) {
	add := func(kind string, members map[string]any) {
		members["type"] = kind
		events = append(events, "event: "+kind+"\ndata: "+inJSON(members)+"\n\n")
	}
	start := messageOf(a)
	start["content"], start["stop_reason"] = []any{}, nil
	start["usage"] = map[string]any{"input_tokens": a.Response.Usage.Input - a.Response.Usage.Cached, "output_tokens": 1, "cache_read_input_tokens": a.Response.Usage.Cached}
	add("message_start", map[string]any{"message": start})
	add("ping", map[string]any{})
	if a.Unknown {
		add("future_event", map[string]any{"x": 1})
	}
	for i, b := range contentOf(a) {
		deltas := splitBlock(b, a)
		add("content_block_start", map[string]any{"index": i, "content_block": b})
		for _, d := range deltas {
			add("content_block_delta", map[string]any{"index": i, "delta": d})
		}
		add("content_block_stop", map[string]any{"index": i})
	}
	if a.Err != nil {
		_, _, body := messagesAPI{}.Failure(a.Err)
		return append(events, "event: error\ndata: "+string(body)+"\n\n")
	}
	add("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stopReasons[a.Response.Finish], "stop_sequence": nil}, "usage": usageOf(a.Response.Usage)})
	add("message_stop", map[string]any{})
	return events
}

// splitBlock empties a block and returns the pieces that follow it.
func splitBlock(b map[string]any, a llmtest.Answer) (deltas []map[string]any) {
	split := func(text string, kind, member string, size int) {
		for part := range slices.Chunk([]rune(text), size) {
			deltas = append(deltas, map[string]any{"type": kind, member: string(part)})
		}
	}
	switch b["type"] {
	case "text":
		split(b["text"].(string), "text_delta", "text", 5)
		b["text"] = ""
	case "thinking":
		split(b["thinking"].(string), "thinking_delta", "thinking", 7)
		deltas = append(deltas, map[string]any{"type": "signature_delta", "signature": b["signature"]})
		b["thinking"], b["signature"] = "", ""
	case "tool_use":
		for _, c := range a.Response.Calls {
			if c.ID == b["id"] {
				split(string(c.Arguments), "input_json_delta", "partial_json", 6)
			}
		}
		b["input"] = map[string]any{}
	}
	return deltas
}

// wireErrors are the errors of the protocol by their kinds.
var wireErrors = map[string]struct {
	status int
	kind   string
}{
	llm.RateLimited:   {429, "rate_limit_error"},
	llm.QuotaExceeded: {402, "billing_error"},
	llm.Unauthorized:  {401, "authentication_error"},
	llm.BadRequest:    {400, "invalid_request_error"},
	llm.ContextFull:   {413, "request_too_large"},
	llm.ServerError:   {529, "overloaded_error"},
	llm.Timeout:       {504, "timeout_error"},
}

// Failure implements [llmtest.Protocol].
func (messagesAPI) Failure(e *llm.Error) (status int, header http.Header, body []byte) {
	wire := wireErrors[e.Kind]
	status, header = llmtest.FailureHead(e, wire.status)
	message := wire.kind
	if e.Err != nil {
		message = e.Err.Error()
	}
	return status, header, []byte(inJSON(map[string]any{"type": "error", "error": map[string]any{"type": wire.kind, "message": message}, "request_id": "req_1"}))
}

// TestModel runs the tests that all models have in common.
func TestModel(t *testing.T) {
	newModel := func(name string, options ...anthropic.Option) func(testing.TB, *llmtest.Double) llm.Model {
		return func(t testing.TB, d *llmtest.Double) llm.Model {
			client := sdk.NewClient(option.WithBaseURL(d.Serve(t, messagesAPI{})), option.WithAPIKey(llmtest.Key), option.WithoutEnvironmentDefaults())
			return anthropic.New(client, name, append([]anthropic.Option{anthropic.NoRetry(), anthropic.MaxTokens(8192)}, options...)...)
		}
	}
	types := llmtest.TypeScript{
		Package: "@anthropic-ai/sdk", Type: "MessageCreateParams",
		Import:  `import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages"`,
		Convert: removeUntyped,
	}
	geo := map[string]json.RawMessage{"inference_geo": json.RawMessage(`"eu"`)}
	lacks := map[string]string{"audio": "the API has no audio", "seed": "the API does not support seeds"}
	llmtest.Test(t,
		llmtest.Provider{
			Name: "anthropic", Page: "../../docs/reference/providers.md", Notes: notes, Model: newModel(middleModel), Targets: []schema.Target{schema.Anthropic, schema.AnthropicStrict}, Lacks: lacks,
			TypeScript: types, Extra: geo,
		},
		llmtest.Provider{
			Name: "anthropic strict", Model: newModel(oldModel, anthropic.Strict()), Targets: []schema.Target{schema.AnthropicStrict, schema.Anthropic}, Lacks: lacks,
			TypeScript: types, Extra: geo, Effort: "none",
		},
	)
}

// removeUntyped removes members that the npm SDK has no types for: settings that new models reject, and
// members that the double has invented.
func removeUntyped(body []byte) []byte {
	var request map[string]json.RawMessage
	if err := json.Unmarshal(body, &request); err != nil {
		panic(err) // the double has decoded it
	}
	delete(request, "temperature")
	delete(request, "top_p")
	return bytes.ReplaceAll([]byte(inJSON(request)), []byte(`"future":{"x":1},`), nil)
}

// notes are the notes on the model in the table of providers.
var notes = map[string]string{
	"image":                   "JPEG, PNG, GIF and WebP only",
	"file":                    "PDF documents and texts only",
	"file by URL":             "PDF documents only",
	"media in results":        "images, PDF documents and texts; others are described in words",
	"schema":                  "dropped before Claude 4.5, and if the strict mode refuses it",
	"output schema of a tool": "dropped",
	"tools added later":       "at the end, which keeps the cache of the tools before them",
	"effort":                  "a budget of tokens before Claude 4.6",
	"max tokens":              "64,000 or 32,000 without one, because the API requires it",
	"temperature":             "dropped for Claude 4.7 and later, and while a model thinks",
	"top_p":                   "dropped for Claude 4.7 and later, and while a model thinks",
	"prompt caching":          "marked with `cache_control`",
	"provider data":           "sent back to the same model only",
}
