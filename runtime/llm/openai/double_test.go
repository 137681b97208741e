package openai_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	client "github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestModel runs the tests that all models have in common.
func TestModel(t *testing.T) {
	newModel := func(options ...openai.Option) func(testing.TB, *llmtest.Double) llm.Model {
		return func(t testing.TB, d *llmtest.Double) llm.Model {
			return openai.New("m", append([]openai.Option{openai.BaseURL(d.Serve(t, chatCompletions{}) + "/v1"), openai.NoRetry(), openai.Key(llmtest.Key)}, options...)...)
		}
	}
	types := llmtest.TypeScript{
		Package: "openai", Type: "ChatCompletionCreateParams",
		Import:  `import type { ChatCompletionCreateParams } from "openai/resources/chat/completions"`,
		Convert: removeExtensions,
	}
	lacks := map[string]string{"file by URL": "the protocol accepts files as data only"}
	llmtest.Test(t,
		llmtest.Provider{Name: "openai", Page: "../../../docs/reference/providers.md", Notes: notes, Model: newModel(), Targets: []schema.Target{schema.OpenAI}, Lacks: lacks, TypeScript: types},
		llmtest.Provider{Name: "openai strict", Model: newModel(openai.Strict(true)), Targets: []schema.Target{schema.OpenAIStrict, schema.OpenAI}, Lacks: lacks, TypeScript: types},
	)
}

// removeExtensions removes members that other providers add to the protocol.
func removeExtensions(body []byte) []byte {
	var request map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&request); err != nil {
		panic(err) // the double has decoded it
	}
	for _, m := range request["messages"].([]any) {
		delete(m.(map[string]any), "reasoning_content")
		delete(m.(map[string]any), opaqueMember)
		delete(m.(map[string]any), "future")
	}
	text, err := json.Marshal(request)
	if err != nil {
		panic(err) // it was JSON
	}
	return text
}

// opaqueMember contains data that this provider must get back, such as Gemini's thought signature.
const opaqueMember = "extra_content"

// chatCompletions is the protocol of an endpoint that refuses what OpenAI refuses. Like Gemini's and
// DeepSeek's endpoints, it also sends reasoning and a signature, and demands the signature back.
type chatCompletions struct{}

// wireMessage is a message of a request.
type wireMessage struct {
	Role       string            `json:"role"`
	Content    json.RawMessage   `json:"content"`
	ToolCalls  []client.ToolCall `json:"tool_calls"`
	ToolCallID string            `json:"tool_call_id"`
	Reasoning  string            `json:"reasoning_content"`
	Opaque     *string           `json:"extra_content"`
	Future     json.RawMessage   `json:"future"` // of an answer with unknown members
}

// wireRequest contains the members of a request that the double understands.
type wireRequest struct {
	Model               string                `json:"model"`
	Messages            []wireMessage         `json:"messages"`
	Tools               []wireTool            `json:"tools"`
	ToolChoice          json.RawMessage       `json:"tool_choice"`
	ParallelToolCalls   *bool                 `json:"parallel_tool_calls"`
	ResponseFormat      *wireFormat           `json:"response_format"`
	MaxTokens           int                   `json:"max_tokens"`
	MaxCompletionTokens int                   `json:"max_completion_tokens"`
	Temperature         *float64              `json:"temperature"`
	TopP                *float64              `json:"top_p"`
	Seed                *int                  `json:"seed"`
	Stop                []string              `json:"stop"`
	ReasoningEffort     string                `json:"reasoning_effort"`
	Stream              bool                  `json:"stream"`
	StreamOptions       *client.StreamOptions `json:"stream_options"`
	User                json.RawMessage       `json:"user"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Strict      bool            `json:"strict"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type wireFormat struct {
	Type   string `json:"type"`
	Schema *struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// Decode implements [llmtest.Protocol].
func (chatCompletions) Decode(r *http.Request, body []byte) (llmtest.Request, error) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		return llmtest.Request{}, fmt.Errorf("unknown request URL: %s %s", r.Method, r.URL)
	}
	var sdk client.ChatCompletionRequest
	if err := json.Unmarshal(body, &sdk); err != nil {
		return llmtest.Request{}, fmt.Errorf("the SDK cannot decode the request: %w", err)
	}
	var sent wireRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&sent); err != nil {
		return llmtest.Request{}, fmt.Errorf("unrecognized request argument supplied: %w", err)
	}
	return sent.decode()
}

// decode converts the request, and refuses it if OpenAI does.
func (s wireRequest) decode() (llmtest.Request, error) {
	req := llm.Request{
		MaxTokens: max(s.MaxTokens, s.MaxCompletionTokens), Temperature: s.Temperature, TopP: s.TopP, Seed: s.Seed, Stop: s.Stop, Effort: s.ReasoningEffort,
		OneCall: s.ParallelToolCalls != nil && !*s.ParallelToolCalls,
	}
	if s.User != nil {
		req.Extra = map[string]json.RawMessage{"user": s.User}
	}
	if s.ResponseFormat != nil {
		req.Schema = s.ResponseFormat.Schema.Schema
	}
	for _, m := range s.Messages {
		message, err := m.decode()
		if err != nil {
			return llmtest.Request{}, err
		}
		req.Messages = append(req.Messages, message)
	}
	for _, t := range s.Tools {
		req.Tools = append(req.Tools, tool.Definition{Name: t.Function.Name, Description: t.Function.Description, Input: t.Function.Parameters})
	}
	err := errors.Join(s.checkSettings(), checkTools(s.Tools), checkMessages(s.Messages))
	if err == nil {
		req.ToolChoice, err = s.toolChoice()
	}
	return llmtest.Request{Request: req, Streamed: s.Stream}, err
}

// toolChoice returns which tool the model must call.
func (s wireRequest) toolChoice() (llm.ToolChoice, error) {
	if s.ToolChoice == nil {
		return "", nil
	}
	if len(s.Tools) == 0 {
		return "", errors.New("'tool_choice' is only allowed when 'tools' are specified")
	}
	var named client.ToolChoice
	switch string(s.ToolChoice) {
	case `"auto"`:
		return "", nil
	case `"none"`:
		return llm.NoTool, nil
	case `"required"`:
		return llm.AnyTool, nil
	}
	if err := json.Unmarshal(s.ToolChoice, &named); err != nil || named.Type != client.ToolTypeFunction {
		return "", fmt.Errorf("invalid value for 'tool_choice': %s", s.ToolChoice)
	}
	if !slices.ContainsFunc(s.Tools, func(t wireTool) bool { return t.Function.Name == named.Function.Name }) {
		return "", fmt.Errorf("tool choice %q not found in 'tools' parameter", named.Function.Name)
	}
	return llm.ToolChoice(named.Function.Name), nil
}

// checkSettings refuses invalid settings.
func (s wireRequest) checkSettings() error {
	switch {
	case s.Model == "":
		return errors.New("you must provide a model parameter")
	case len(s.Messages) == 0:
		return errors.New("[] is too short - 'messages'")
	case s.ParallelToolCalls != nil && len(s.Tools) == 0:
		return errors.New("'parallel_tool_calls' is only allowed when 'tools' are specified")
	case s.StreamOptions != nil && !s.Stream:
		return errors.New("the 'stream_options' parameter is only allowed when 'stream' is enabled")
	case len(s.Stop) > 4:
		return errors.New("'stop' must have at most 4 elements")
	case s.Temperature != nil && (*s.Temperature < 0 || *s.Temperature > 2):
		return errors.New("'temperature' must be between 0 and 2")
	case s.ResponseFormat != nil && (s.ResponseFormat.Type != "json_schema" || s.ResponseFormat.Schema == nil || !wireName.MatchString(s.ResponseFormat.Schema.Name)):
		return errors.New("invalid 'response_format'")
	}
	return nil
}

var wireName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkTools refuses invalid tools.
func checkTools(tools []wireTool) error {
	names := map[string]bool{}
	for _, t := range tools {
		f := t.Function
		var schema struct{ Type string }
		switch {
		case t.Type != "function" || !wireName.MatchString(f.Name) || names[f.Name]:
			return fmt.Errorf("invalid tool %q", f.Name)
		case len(f.Description) > 1024:
			return fmt.Errorf("the description of %q is too long", f.Name)
		case f.Parameters != nil && (json.Unmarshal(f.Parameters, &schema) != nil || schema.Type != "object"):
			return fmt.Errorf("invalid schema for function %q: schema must have type 'object'", f.Name)
		}
		names[f.Name] = true
	}
	return nil
}

// checkMessages refuses messages with calls that are invalid or have no result.
func checkMessages(messages []wireMessage) error {
	open := map[string]bool{} // calls without results
	for i, m := range messages {
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return fmt.Errorf("messages.%d: messages with role 'tool' must be a response to a preceding message with 'tool_calls'", i)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("messages.%d: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': %v", i, slices.Collect(maps.Keys(open)))
		}
		if m.Role != "assistant" && len(m.ToolCalls) > 0 || m.Content == nil && len(m.ToolCalls) == 0 {
			return fmt.Errorf("messages.%d: invalid type for 'content' or 'tool_calls'", i)
		}
		for _, call := range m.ToolCalls {
			if call.ID == "" || open[call.ID] || call.Type != "function" || !wireName.MatchString(call.Function.Name) {
				return fmt.Errorf("messages.%d: invalid call %+v", i, call)
			}
			var arguments map[string]any
			if json.Unmarshal([]byte(call.Function.Arguments), &arguments) != nil {
				return fmt.Errorf("messages.%d: the arguments %q are not a JSON object", i, call.Function.Arguments)
			}
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return errors.New("the calls at the end have no results")
	}
	return nil
}

// decode converts a message.
func (s wireMessage) decode() (llm.Message, error) {
	m := llm.Message{Role: llm.Role(s.Role), Reasoning: s.Reasoning}
	if s.Opaque != nil {
		m.Provider, _ = json.Marshal(*s.Opaque) // a text can always be encoded
	}
	for _, c := range s.ToolCalls {
		m.Calls = append(m.Calls, tool.Request{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)})
	}
	switch {
	case s.Role == "tool":
		m.Result = &tool.Call{ID: s.ToolCallID}
	case s.Role != "system" && s.Role != "user" && s.Role != "assistant":
		return m, fmt.Errorf("invalid role %q", s.Role)
	}
	if s.Content == nil || json.Unmarshal(s.Content, &m.Text) == nil {
		return m, nil
	}
	var parts []wirePart
	if err := json.Unmarshal(s.Content, &parts); err != nil || s.Role != "user" {
		return m, fmt.Errorf("invalid content %s", s.Content)
	}
	for _, p := range parts {
		part, err := p.decode()
		if err != nil {
			return m, err
		}
		m.Parts = append(m.Parts, part)
	}
	return m, nil
}

// wirePart is a part of a message.
type wirePart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image struct {
		URL string `json:"url"`
	} `json:"image_url"`
	Audio struct {
		Data   []byte `json:"data"`
		Format string `json:"format"`
	} `json:"input_audio"`
	File struct {
		Name string `json:"filename"`
		Data string `json:"file_data"`
	} `json:"file"`
}

func (s wirePart) decode() (content.Part, error) {
	switch s.Type {
	case "text":
		return content.Text(s.Text), nil
	case "image_url":
		if !strings.HasPrefix(s.Image.URL, "data:") {
			return content.Part{Media: "image/*", URL: s.Image.URL}, nil
		}
		return llmtest.DecodeDataURL(s.Image.URL)
	case "input_audio":
		if s.Audio.Format != "wav" && s.Audio.Format != "mp3" {
			return content.Part{}, fmt.Errorf("invalid audio format %q", s.Audio.Format)
		}
		return content.Audio("audio/"+s.Audio.Format, s.Audio.Data), nil
	case "file":
		return llmtest.DecodeDataURL(s.File.Data)
	}
	return content.Part{}, fmt.Errorf("invalid part type %q", s.Type)
}

// wireFinish are the finish reasons of the protocol.
var wireFinish = map[llm.Finish]string{llm.FinishStop: "stop", llm.FinishCalls: "tool_calls", llm.FinishLength: "length", llm.FinishRefused: "content_filter"}

// wireUsage returns the token counts in the form of the protocol.
func wireUsage(u llm.Usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached, "audio_tokens": 0},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning, "accepted_prediction_tokens": 0},
	}
}

// wireMembers returns the members of a message.
func wireMembers(a llmtest.Answer) map[string]any {
	message := map[string]any{"role": "assistant", "content": a.Response.Text}
	if a.Response.Text == "" && len(a.Response.Calls) > 0 {
		message["content"] = nil
	}
	if a.Response.Reasoning != "" {
		message["reasoning_content"] = a.Response.Reasoning
	}
	if a.Opaque != "" {
		message[opaqueMember] = a.Opaque
	}
	if a.Unknown {
		message["annotations"], message["future"] = []any{}, map[string]any{"x": 1}
	}
	return message
}

// wireCalls returns the calls of a message.
func wireCalls(a llmtest.Answer, indexed bool) (calls []map[string]any) {
	for i, c := range a.Response.Calls {
		call := map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": string(c.Arguments)}}
		if indexed {
			call["index"] = i
		}
		calls = append(calls, call)
	}
	return calls
}

// wireChoice returns an answer, or an event of one, with one choice.
func wireChoice(a llmtest.Answer, object, member string, message map[string]any, finish any) map[string]any {
	all := map[string]any{
		"id": "chatcmpl-1", "object": object, "created": 1700000000, "model": a.Response.Model,
		"choices": []any{map[string]any{"index": 0, member: message, "logprobs": nil, "finish_reason": finish}},
	}
	if a.Unknown {
		all["system_fingerprint"], all["future"] = "fp", []any{1, nil}
	}
	return all
}

// Document implements [llmtest.Protocol].
func (chatCompletions) Document(a llmtest.Answer) []byte {
	message := wireMembers(a)
	if calls := wireCalls(a, false); calls != nil {
		message["tool_calls"] = calls
	}
	all := wireChoice(a, "chat.completion", "message", message, wireFinish[a.Response.Finish])
	all["usage"] = wireUsage(a.Response.Usage)
	return []byte(inJSON(all))
}

// Events implements [llmtest.Protocol].
func (chatCompletions) Events(a llmtest.Answer) (events []string) {
	add := func(value any) { events = append(events, "data: "+inJSON(value)+"\n\n") }
	delta := func(members map[string]any) { add(wireChoice(a, "chat.completion.chunk", "delta", members, nil)) }
	delta(map[string]any{"role": "assistant", "content": ""})
	if a.Unknown {
		events = append(events, ": a comment\n\n", "event: ping\ndata: {\"choices\":[]}\n\n")
	}
	whole := wireMembers(a)
	delete(whole, "role")
	for _, name := range []string{"reasoning_content", "content"} {
		text, _ := whole[name].(string)
		for _, piece := range llmtest.Pieces(text, 5) {
			delta(map[string]any{name: piece})
		}
		delete(whole, name)
	}
	if len(whole) > 0 {
		delta(whole)
	}
	for _, call := range wireCalls(a, true) {
		function := call["function"].(map[string]any)
		arguments := function["arguments"].(string)
		function["arguments"] = ""
		delta(map[string]any{"tool_calls": []any{call}})
		for _, piece := range llmtest.Pieces(arguments, 6) {
			delta(map[string]any{"tool_calls": []any{map[string]any{"index": call["index"], "function": map[string]any{"arguments": piece}}}})
		}
	}
	if a.Err != nil {
		_, _, body := chatCompletions{}.Failure(a.Err)
		return append(events, "data: "+string(body)+"\n\n")
	}
	add(wireChoice(a, "chat.completion.chunk", "delta", map[string]any{}, wireFinish[a.Response.Finish]))
	last := wireChoice(a, "chat.completion.chunk", "delta", nil, nil)
	last["choices"], last["usage"] = []any{}, wireUsage(a.Response.Usage)
	add(last)
	return append(events, "data: [DONE]\n\n")
}

// Failure implements [llmtest.Protocol].
func (chatCompletions) Failure(e *llm.Error) (status int, header http.Header, body []byte) {
	return llmtest.OpenAIFailure(e)
}

// notes are the notes on the model in the table of providers.
var notes = map[string]string{
	"media in results":        "described in words",
	"max tokens":              "under the name that the endpoint knows",
	"temperature":             "dropped if the endpoint does not support it",
	"top_p":                   "dropped if the endpoint does not support it",
	"schema":                  "dropped with `openai.NoSchema`",
	"output schema of a tool": "dropped",
	"tools added later":       "the cache of all tools and messages is lost",
	"prompt caching":          "by the endpoint, without marks",
	"provider data":           "sent back to the same host only",
}
