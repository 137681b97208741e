package responses_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	sdk "github.com/openai/openai-go/v3/responses"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// api is the protocol of an endpoint that refuses what OpenAI refuses.
type api struct{ ids *atomic.Int64 }

func newAPI() api { return api{new(atomic.Int64)} }

// wireRequest contains the members of a request that the double understands.
type wireRequest struct {
	Model        string            `json:"model"`
	Instructions string            `json:"instructions"`
	Input        []json.RawMessage `json:"input"`
	Tools        []wireTool        `json:"tools"`
	ToolChoice   json.RawMessage   `json:"tool_choice"`
	Parallel     *bool             `json:"parallel_tool_calls"`
	Text         *struct {
		Format    *wireFormat `json:"format"`
		Verbosity string      `json:"verbosity"`
	} `json:"text"`
	Reasoning *struct {
		Effort  string `json:"effort"`
		Summary string `json:"summary"`
	} `json:"reasoning"`
	MaxTokens   int             `json:"max_output_tokens"`
	Temperature *float64        `json:"temperature"`
	TopP        *float64        `json:"top_p"`
	Store       *bool           `json:"store"`
	Include     []string        `json:"include"`
	Stream      bool            `json:"stream"`
	User        json.RawMessage `json:"user"`
	CacheKey    string          `json:"prompt_cache_key"`
}

type wireTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      *bool           `json:"strict"`
	Output      json.RawMessage `json:"output_schema"`
}

type wireFormat struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"`
}

// wireItem is an item of the input or the output.
type wireItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Status    string          `json:"status"`
	Phase     string          `json:"phase"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments *string         `json:"arguments"`
	Output    json.RawMessage `json:"output"`
	Summary   []wirePart      `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
	Tools     []wireTool      `json:"tools"`
	Caller    json.RawMessage `json:"caller"`
	Code      string          `json:"code"`
	Print     string          `json:"fingerprint"`
	Result    string          `json:"result"`
	Future    json.RawMessage `json:"future"` // of an answer with unknown members
}

// itemMembers are the members that the API accepts for each type of item, in addition to type.
var itemMembers = map[string]string{
	"message":              "id role content status phase future",
	"reasoning":            "id summary content encrypted_content status future",
	"function_call":        "id call_id name arguments status caller future",
	"function_call_output": "id call_id output status caller",
	"additional_tools":     "id role tools",
	"program":              "id call_id code fingerprint",
	"program_output":       "id call_id result status",
}

type wirePart struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Refusal     string `json:"refusal"`
	Annotations []any  `json:"annotations"`
	Image       string `json:"image_url"`
	Detail      string `json:"detail"`
	FileName    string `json:"filename"`
	FileData    string `json:"file_data"`
	FileURL     string `json:"file_url"`
}

// decodeStrictly decodes JSON without unknown members.
func decodeStrictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("unknown parameter: %w", err)
	}
	return nil
}

// Decode implements [llmtest.Protocol].
func (api) Decode(r *http.Request, body []byte) (llmtest.Request, error) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/responses" {
		return llmtest.Request{}, fmt.Errorf("unknown request URL: %s %s", r.Method, r.URL)
	}
	var params sdk.ResponseNewParams
	if err := json.Unmarshal(body, &params); err != nil {
		return llmtest.Request{}, fmt.Errorf("the SDK cannot decode the request: %w", err)
	}
	var sent wireRequest
	if err := decodeStrictly(body, &sent); err != nil {
		return llmtest.Request{}, err
	}
	req, err := sent.decode()
	return llmtest.Request{Request: req, Streamed: sent.Stream}, err
}

// decode converts the request, and refuses it if OpenAI does.
func (s wireRequest) decode() (llm.Request, error) {
	req := llm.Request{System: s.Instructions, MaxTokens: s.MaxTokens, Temperature: s.Temperature, TopP: s.TopP, OneCall: s.Parallel != nil && !*s.Parallel}
	if s.User != nil {
		req.Extra = map[string]json.RawMessage{"user": s.User}
	}
	if s.Reasoning != nil {
		req.Effort = s.Reasoning.Effort
	}
	if s.Text != nil && s.Text.Format != nil {
		req.Schema = s.Text.Format.Schema
	}
	items := make([]wireItem, len(s.Input))
	tools := s.Tools
	for i, raw := range s.Input {
		if err := decodeItem(raw, &items[i]); err != nil {
			return req, fmt.Errorf("input[%d]: %w", i, err)
		}
		tools = append(tools, items[i].Tools...)
	}
	for _, t := range tools {
		req.Tools = append(req.Tools, tool.Definition{Name: t.Name, Description: t.Description, Input: t.Parameters, Output: t.Output})
	}
	err := errors.Join(s.checkSettings(), checkTools(tools), checkItems(items))
	if err == nil {
		req.ToolChoice, err = decodeChoice(s.ToolChoice, tools)
	}
	if err == nil {
		req.Messages, err = decodeMessages(items)
	}
	return req, err
}

// checkSettings refuses invalid settings.
func (s wireRequest) checkSettings() error {
	switch {
	case s.Model == "":
		return errors.New("you must provide a model parameter")
	case len(s.Input) == 0:
		return errors.New("input must not be empty")
	case s.Store == nil || *s.Store:
		return errors.New("the dialogue would be stored")
	case !slices.Equal(s.Include, []string{"reasoning.encrypted_content"}):
		return errors.New("reasoning would not be returned")
	case s.Parallel != nil && len(s.Tools) == 0:
		return errors.New("'parallel_tool_calls' is only allowed when 'tools' are specified")
	case s.Temperature != nil && (*s.Temperature < 0 || *s.Temperature > 2):
		return errors.New("invalid 'temperature'")
	}
	if s.Text != nil && s.Text.Format != nil {
		if f := s.Text.Format; f.Type != "json_schema" || !wireName.MatchString(f.Name) {
			return errors.New("invalid 'text.format'")
		} else if f.Strict {
			return checkStrictSchema(f.Schema)
		}
	}
	return nil
}

var wireName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkTools refuses invalid tools.
func checkTools(tools []wireTool) error {
	names := map[string]bool{}
	for _, t := range tools {
		var schema struct{ Type string }
		switch {
		case t.Type != "function" || !wireName.MatchString(t.Name) || names[t.Name]:
			return fmt.Errorf("invalid tool %q", t.Name)
		case t.Strict == nil:
			return fmt.Errorf("missing required parameter 'strict' of %q", t.Name)
		case json.Unmarshal(t.Parameters, &schema) != nil || schema.Type != "object":
			return fmt.Errorf("invalid schema for function %q: schema must have type 'object'", t.Name)
		}
		if *t.Strict {
			if err := checkStrictSchema(t.Parameters); err != nil {
				return fmt.Errorf("invalid schema for function %q: %w", t.Name, err)
			}
		}
		names[t.Name] = true
	}
	return nil
}

// checkStrictSchema refuses objects that the strict mode does not support, and some keywords.
func checkStrictSchema(schema json.RawMessage) error {
	var s struct {
		Type       any                        `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Additional *bool                      `json:"additionalProperties"`
		Items      json.RawMessage            `json:"items"`
		AnyOf      []json.RawMessage          `json:"anyOf"`
		Defs       map[string]json.RawMessage `json:"$defs"`
		OneOf      json.RawMessage            `json:"oneOf"`
		AllOf      json.RawMessage            `json:"allOf"`
		Unique     json.RawMessage            `json:"uniqueItems"`
		Default    json.RawMessage            `json:"default"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return err
	}
	if s.OneOf != nil || s.AllOf != nil || s.Unique != nil || s.Default != nil {
		return fmt.Errorf("a keyword in %s is not permitted", schema)
	}
	if s.Properties != nil && (s.Additional == nil || *s.Additional || len(s.Required) != len(s.Properties)) {
		return fmt.Errorf("'additionalProperties' must be false and 'required' must contain every key in properties: %s", schema)
	}
	inner := s.AnyOf
	if s.Items != nil {
		inner = append(inner, s.Items)
	}
	for _, all := range []map[string]json.RawMessage{s.Properties, s.Defs} {
		for _, one := range all {
			inner = append(inner, one)
		}
	}
	for _, one := range inner {
		if err := checkStrictSchema(one); err != nil {
			return err
		}
	}
	return nil
}

// decodeItem decodes an item of the input without unknown members.
func decodeItem(raw json.RawMessage, into *wireItem) error {
	if err := decodeStrictly(raw, into); err != nil {
		return err
	}
	members, known := itemMembers[into.Type]
	if !known {
		return fmt.Errorf("invalid value: %q", into.Type)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	for name := range all {
		if name != "type" && !slices.Contains(strings.Fields(members), name) {
			return fmt.Errorf("unknown parameter: %q", name)
		}
	}
	return nil
}

// checkItems refuses items without the items that they belong to.
func checkItems(items []wireItem) error {
	ids, calls, open := map[string]bool{}, map[string]string{}, map[string]bool{}
	for i, it := range items {
		if it.ID != "" && ids[it.ID] {
			return fmt.Errorf("duplicate item found with id %s", it.ID)
		}
		ids[it.ID] = true
		switch it.Type {
		case "reasoning":
			if it.Encrypted == "" {
				return fmt.Errorf("item with id %q not found: items are not persisted when 'store' is set to false", it.ID)
			}
			if i+1 == len(items) || !strings.Contains("reasoning function_call program", items[i+1].Type) && items[i+1].Role != "assistant" {
				return fmt.Errorf("item %q of type 'reasoning' was provided without its required following item", it.ID)
			}
		case "function_call":
			if it.CallID == "" || calls[it.CallID] != "" && open[it.CallID] || !wireName.MatchString(it.Name) || it.Arguments == nil || !json.Valid([]byte(*it.Arguments)) {
				return fmt.Errorf("invalid call %+v", it)
			}
			if it.ID != "" && !strings.HasPrefix(it.ID, "fc") {
				return fmt.Errorf("invalid 'input[%d].id': expected an ID that begins with 'fc'", i)
			}
			calls[it.CallID], open[it.CallID] = string(it.Caller)+" ", true
		case "function_call_output":
			if !open[it.CallID] {
				return fmt.Errorf("no tool call found for function call output with call_id %s", it.CallID)
			}
			if calls[it.CallID] != string(it.Caller)+" " {
				return fmt.Errorf("the output of %s has another caller than its call", it.CallID)
			}
			delete(open, it.CallID)
		}
	}
	for id := range open {
		return fmt.Errorf("no tool output found for function call %s", id)
	}
	return nil
}

// decodeChoice returns which tool the model must call.
func decodeChoice(choice json.RawMessage, tools []wireTool) (llm.ToolChoice, error) {
	if choice == nil {
		return "", nil
	}
	if len(tools) == 0 {
		return "", errors.New("'tool_choice' is only allowed when 'tools' are specified")
	}
	switch string(choice) {
	case `"auto"`:
		return "", nil
	case `"none"`:
		return llm.NoTool, nil
	case `"required"`:
		return llm.AnyTool, nil
	}
	var named struct{ Type, Name string }
	if err := decodeStrictly(choice, &named); err != nil || named.Type != "function" || !slices.ContainsFunc(tools, func(t wireTool) bool { return t.Name == named.Name }) {
		return "", fmt.Errorf("invalid 'tool_choice': %s", choice)
	}
	return llm.ToolChoice(named.Name), nil
}

// decodeMessages joins the items of an answer to one message.
func decodeMessages(items []wireItem) (all []llm.Message, err error) {
	answer := -1 // index of the message that the items of an assistant belong to
	assistant := func(startsNew bool) *llm.Message {
		if answer < 0 || startsNew {
			all = append(all, llm.Message{Role: llm.RoleAssistant})
			answer = len(all) - 1
		}
		return &all[answer]
	}
	for _, it := range items {
		switch {
		case it.Type == "reasoning":
			m := assistant(true)
			m.Provider, _ = json.Marshal(it.Encrypted) // a text can always be encoded
		case it.Type == "function_call":
			m := assistant(false)
			m.Calls = append(m.Calls, tool.Request{ID: it.CallID, Name: it.Name, Arguments: json.RawMessage(*it.Arguments)})
		case it.Type == "function_call_output":
			answer = -1
			m, err := decodeContent(llm.RoleTool, it.Output)
			if err != nil {
				return nil, err
			}
			m.Result = &tool.Call{ID: it.CallID}
			all = append(all, m)
		case it.Type == "message":
			m, err := decodeContent(llm.Role(it.Role), it.Content)
			if err != nil {
				return nil, err
			}
			if it.Role != "assistant" {
				answer = -1
				all = append(all, m)
				continue
			}
			a := assistant(answer >= 0 && (all[answer].Text != "" || all[answer].Calls != nil))
			a.Text = m.Text
		}
	}
	return all, nil
}

// decodeContent converts the content of a message.
func decodeContent(role llm.Role, raw json.RawMessage) (llm.Message, error) {
	m := llm.Message{Role: role}
	if !slices.Contains([]llm.Role{llm.RoleSystem, llm.RoleUser, llm.RoleAssistant, llm.RoleTool}, role) {
		return m, fmt.Errorf("invalid role %q", role)
	}
	if json.Unmarshal(raw, &m.Text) == nil {
		return m, nil
	}
	var parts []wirePart
	if err := decodeStrictly(raw, &parts); err != nil {
		return m, err
	}
	for i, p := range parts {
		part, err := p.decode(role)
		if err != nil {
			return m, err
		}
		if part.Kind() == content.KindText && i == 0 {
			m.Text = part.Text
		} else {
			m.Parts = append(m.Parts, part)
		}
	}
	return m, nil
}

func (s wirePart) decode(role llm.Role) (content.Part, error) {
	isOutput := strings.HasPrefix(s.Type, "output_") || s.Type == "refusal"
	switch {
	case isOutput != (role == llm.RoleAssistant):
		return content.Part{}, fmt.Errorf("invalid part type %q of a message with the role %s", s.Type, role)
	case s.Type == "input_text", s.Type == "output_text":
		return content.Text(s.Text), nil
	case s.Type == "refusal":
		return content.Text(s.Refusal), nil
	case s.Type == "input_image" && s.Detail == "":
		return content.Part{}, errors.New("missing required parameter 'detail'")
	case s.Type == "input_image" && strings.HasPrefix(s.Image, "data:"):
		return llmtest.DecodeDataURL(s.Image)
	case s.Type == "input_image":
		return content.Part{Media: "image/*", URL: s.Image}, nil
	case s.Type == "input_file" && s.FileURL != "":
		return content.Part{Media: "application/*", URL: s.FileURL}, nil
	case s.Type == "input_file" && s.FileName != "":
		return llmtest.DecodeDataURL(s.FileData)
	}
	return content.Part{}, fmt.Errorf("invalid part %+v", s)
}

// inJSON returns the JSON of a value, without escapes of characters for HTML, as OpenAI writes it.
func inJSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // only values that can be encoded are passed
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// output returns the items of an answer.
func (p api) output(a llmtest.Answer) []map[string]any {
	items := []map[string]any{}
	add := func(prefix string, item map[string]any) {
		item["id"] = fmt.Sprintf("%s_%d", prefix, p.ids.Add(1))
		if a.Unknown {
			item["future"] = map[string]any{"x": 1}
		}
		items = append(items, item)
	}
	if a.Opaque != "" || a.Response.Reasoning != "" {
		item := map[string]any{"type": "reasoning", "summary": []any{}}
		if a.Opaque != "" {
			item["encrypted_content"] = a.Opaque
		}
		if a.Response.Reasoning != "" {
			item["summary"] = []any{map[string]any{"type": "summary_text", "text": a.Response.Reasoning}}
		}
		add("rs", item)
	}
	if a.Response.Text != "" || a.Response.Finish == llm.FinishRefused {
		part := map[string]any{"type": "output_text", "text": a.Response.Text, "annotations": []any{}}
		if a.Response.Finish == llm.FinishRefused {
			part = map[string]any{"type": "refusal", "refusal": a.Response.Text + "I cannot help."}
		}
		add("msg", map[string]any{"type": "message", "role": "assistant", "status": "completed", "content": []any{part}})
	}
	for _, c := range a.Response.Calls {
		add("fc", map[string]any{"type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": string(c.Arguments), "status": "completed"})
	}
	return items
}

// response returns an answer with items.
func (p api) response(a llmtest.Answer, items []map[string]any, status string) map[string]any {
	u := a.Response.Usage
	all := map[string]any{
		"id": "resp_1", "object": "response", "created_at": 1700000000, "model": a.Response.Model, "status": status, "error": nil,
		"incomplete_details": nil, "output": items, "parallel_tool_calls": true, "store": false,
	}
	if status != "in_progress" {
		all["usage"] = map[string]any{
			"input_tokens": u.Input, "input_tokens_details": map[string]any{"cached_tokens": u.Cached},
			"output_tokens": u.Output, "output_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning}, "total_tokens": u.Input + u.Output,
		}
	}
	if status == "incomplete" {
		all["incomplete_details"] = map[string]any{"reason": "max_output_tokens"}
	}
	if a.Unknown {
		all["future"] = []any{1, nil}
	}
	return all
}

func wireStatus(a llmtest.Answer) string {
	if a.Response.Finish == llm.FinishLength {
		return "incomplete"
	}
	return "completed"
}

// Document implements [llmtest.Protocol].
func (p api) Document(a llmtest.Answer) []byte {
	return []byte(inJSON(p.response(a, p.output(a), wireStatus(a))))
}

// Events implements [llmtest.Protocol].
func (p api) Events(a llmtest.Answer) (events []string) {
	add := func(kind string, members map[string]any) {
		members["type"], members["sequence_number"] = kind, len(events)
		events = append(events, "event: "+kind+"\ndata: "+inJSON(members)+"\n\n")
	}
	add("response.created", map[string]any{"response": p.response(a, []map[string]any{}, "in_progress")})
	if a.Unknown {
		events = append(events, ": a comment\n\n", "event: future\ndata: {\"type\":\"response.future\",\"delta\":[1]}\n\n")
	}
	items := p.output(a)
	for i, item := range items {
		add("response.output_item.added", map[string]any{"output_index": i, "item": map[string]any{"type": item["type"], "id": item["id"], "status": "in_progress"}})
		deltas := func(kind, text string, more map[string]any) {
			for _, piece := range llmtest.Pieces(text, 5) {
				members := map[string]any{"item_id": item["id"], "output_index": i, "delta": piece}
				for name, value := range more {
					members[name] = value
				}
				add(kind, members)
			}
		}
		switch {
		case item["type"] == "reasoning":
			deltas("response.reasoning_summary_text.delta", a.Response.Reasoning, map[string]any{"summary_index": 0})
		case item["type"] == "function_call":
			deltas("response.function_call_arguments.delta", item["arguments"].(string), nil)
		case a.Response.Finish == llm.FinishRefused:
			deltas("response.refusal.delta", a.Response.Text, map[string]any{"content_index": 0})
		default:
			deltas("response.output_text.delta", a.Response.Text, map[string]any{"content_index": 0, "logprobs": []any{}})
		}
		if a.Err == nil {
			add("response.output_item.done", map[string]any{"output_index": i, "item": item})
		}
	}
	if a.Err != nil {
		add("error", map[string]any{"code": llmtest.OpenAIErrors[a.Err.Kind].Code, "message": a.Err.Err.Error(), "param": nil})
		return events
	}
	add("response."+wireStatus(a), map[string]any{"response": p.response(a, items, wireStatus(a))})
	return events
}

// Failure implements [llmtest.Protocol].
func (api) Failure(e *llm.Error) (status int, header http.Header, body []byte) {
	return llmtest.OpenAIFailure(e)
}
