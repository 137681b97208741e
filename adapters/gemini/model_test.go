package gemini_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestModel runs the tests that all models have in common.
func TestModel(t *testing.T) {
	newModel := func(name string) func(testing.TB, *llmtest.Double) llm.Model {
		return func(t testing.TB, d *llmtest.Double) llm.Model {
			client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
				APIKey: llmtest.Key, Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: d.Serve(t, protocol{})},
			})
			if err != nil {
				t.Fatal(err)
			}
			return gemini.New(client, name, gemini.NoRetry())
		}
	}
	p := llmtest.Provider{
		Name: "gemini", Page: "../../docs/reference/providers.md", Notes: notes, Model: newModel("gemini-3-pro"), Targets: []schema.Target{schema.Gemini},
		Lacks: map[string]string{"one call": "all calls after the first are removed from the answer"},
		Extra: map[string]json.RawMessage{"safetySettings": json.RawMessage(`[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]`)},
		TypeScript: llmtest.TypeScript{
			Package: "@google/genai", Type: "Loose<GenerateContentParameters>", Convert: toParameters,
			Import: "import type { GenerateContentParameters } from \"@google/genai\"\n" +
				"type Loose<T> = T extends string ? `${T}` : T extends (infer E)[] ? Loose<E>[] : T extends object ? { [K in keyof T]: Loose<T[K]> } : T // enums by their values",
		},
	}
	older := p
	older.Page = ""
	older.Name, older.Model = "gemini 2.5", newModel("gemini-2.5-flash")
	llmtest.Test(t, p, older)
}

// toParameters returns the arguments of the SDK for a body. The SDK has the members of
// generationConfig next to the others, and other forms of schemas.
func toParameters(body []byte) []byte {
	var request map[string]any
	decoder := json.NewDecoder(bytes.NewReader(removeFuture(body)))
	decoder.UseNumber()
	if err := decoder.Decode(&request); err != nil {
		panic(err) // the double has decoded it
	}
	config := map[string]any{}
	for name, value := range request {
		if name != "contents" && name != "generationConfig" {
			config[name] = value
		}
	}
	if generation, ok := request["generationConfig"].(map[string]any); ok {
		maps.Copy(config, generation)
	}
	convertSchemas(config)
	text, err := json.Marshal(map[string]any{"model": "m", "contents": request["contents"], "config": config})
	if err != nil {
		panic(err) // it was just decoded
	}
	return text
}

// convertSchemas writes the types of schemas in upper case and integers of 64 bits as strings, which
// are other forms of the same values for Gemini.
func convertSchemas(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			convertSchemas(item)
		}
	case map[string]any:
		for name, value := range v {
			switch value := value.(type) {
			case string:
				if name == "type" {
					v[name] = strings.ToUpper(value)
				}
			case json.Number:
				if strings.HasPrefix(name, "min") && name != "minimum" || strings.HasPrefix(name, "max") && name != "maximum" && name != "maxOutputTokens" {
					v[name] = string(value)
				}
			default:
				convertSchemas(value)
			}
		}
	}
}

// protocol is the protocol of Gemini. It refuses what Gemini refuses.
type protocol struct{}

// future is a member that this version of the protocol does not define.
const future = `,"future":{"x":[1,null]}`

// removeFuture removes the members that the double has added to its answers.
func removeFuture(body []byte) []byte {
	return bytes.ReplaceAll(body, []byte(future), nil)
}

// Decode implements [llmtest.Protocol].
func (protocol) Decode(r *http.Request, body []byte) (llmtest.Request, error) {
	path := pathPattern.FindStringSubmatch(r.URL.Path)
	if r.Method != http.MethodPost || path == nil || (path[2] == "streamGenerateContent") != (r.URL.RawQuery == "alt=sse") {
		return llmtest.Request{}, fmt.Errorf("unknown request URL: %s %s", r.Method, r.URL)
	}
	if r.Header.Get("X-Goog-Api-Key") != llmtest.Key {
		return llmtest.Request{}, errors.New("invalid key")
	}
	body = removeFuture(body)
	issued := map[string]bool{placeholder: true}
	for _, piece := range strings.Split(string(body), `"thoughtSignature":"`)[1:] {
		signature, _, _ := strings.Cut(piece, `"`)
		issued[signature] = strings.HasPrefix(signature, opaquePrefix)
	}
	issued[placeholder] = true
	if refusal := refuse(path[1], body, issued); refusal != "" {
		return llmtest.Request{}, errors.New(refusal)
	}
	request, err := parseRequest(body)
	if err != nil {
		return llmtest.Request{}, err
	}
	var raw struct {
		SafetySettings   json.RawMessage
		GenerationConfig struct {
			Temperature, TopP *float64
			ResponseSchema    json.RawMessage
		}
		Tools []struct {
			FunctionDeclarations []struct{ Parameters json.RawMessage }
		}
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return llmtest.Request{}, err
	}
	req := llm.Request{Temperature: raw.GenerationConfig.Temperature, TopP: raw.GenerationConfig.TopP, Schema: raw.GenerationConfig.ResponseSchema}
	if raw.SafetySettings != nil {
		req.Extra = map[string]json.RawMessage{"safetySettings": raw.SafetySettings}
	}
	for i, t := range request.Tools {
		for j, f := range t.FunctionDeclarations {
			d := tool.Definition{Name: f.Name, Description: f.Description, Input: raw.Tools[i].FunctionDeclarations[j].Parameters}
			if d.Input == nil { // Gemini rejects the schema of an object without properties
				d.Input = json.RawMessage(`{"type":"object","properties":{}}`)
			}
			req.Tools = append(req.Tools, d)
		}
	}
	decodeSettings(request, &req)
	for _, c := range append([]*genai.Content{request.SystemInstruction}, request.Contents...) {
		if c != nil {
			req.Messages = append(req.Messages, decodeContent(c)...)
		}
	}
	if err := restoreArguments(body, req.Messages); err != nil {
		return llmtest.Request{}, err
	}
	nameCalls(req.Messages)
	return llmtest.Request{Request: req, Streamed: path[2] == "streamGenerateContent"}, nil
}

func decodeSettings(r wireRequest, req *llm.Request) {
	if c := r.GenerationConfig; c != nil {
		req.MaxTokens, req.Stop = int(c.MaxOutputTokens), c.StopSequences
		if c.Seed != nil {
			req.Seed = new(int(*c.Seed))
		}
		if t := c.ThinkingConfig; t != nil {
			req.Effort = strings.ToLower(string(t.ThinkingLevel))
			if t.ThinkingBudget != nil && *t.ThinkingBudget == 1024 {
				req.Effort = "low"
			}
		}
	}
	if r.ToolConfig == nil {
		return
	}
	switch c := r.ToolConfig.FunctionCallingConfig; {
	case c.Mode == genai.FunctionCallingConfigModeNone:
		req.ToolChoice = llm.NoTool
	case len(c.AllowedFunctionNames) == 1:
		req.ToolChoice = llm.ToolChoice(c.AllowedFunctionNames[0])
	case c.Mode == genai.FunctionCallingConfigModeAny:
		req.ToolChoice = llm.AnyTool
	}
}

// decodeContent returns a content as messages: each response of a function is one.
func decodeContent(c *genai.Content) []llm.Message {
	m := llm.Message{Role: map[string]llm.Role{"": llm.RoleSystem, "user": llm.RoleUser, "model": llm.RoleAssistant}[c.Role]}
	var results []llm.Message
	for _, p := range c.Parts {
		if p.ThoughtSignature != nil && string(p.ThoughtSignature) != placeholder {
			m.Provider, _ = json.Marshal(string(p.ThoughtSignature[opaquePrefixLength:])) // a text can always be encoded
		}
		switch {
		case p.FunctionResponse != nil:
			results = append(results, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: p.FunctionResponse.ID}, Text: responseText(p.FunctionResponse.Response)})
		case p.FunctionCall != nil:
			m.Calls = append(m.Calls, tool.Request{ID: p.FunctionCall.ID, Name: p.FunctionCall.Name})
		case p.InlineData != nil:
			m.Parts = append(m.Parts, content.Part{Media: p.InlineData.MIMEType, Data: p.InlineData.Data})
		case p.FileData != nil:
			m.Parts = append(m.Parts, content.Part{Media: p.FileData.MIMEType, URL: p.FileData.FileURI})
		case p.Thought:
			m.Reasoning += p.Text
		case c.Role == "user" && m.Text+inJSON(m.Parts) != "null":
			m.Parts = append(m.Parts, content.Text(p.Text))
		default:
			m.Text += p.Text
		}
	}
	if m.Text != "" || m.Parts != nil || m.Calls != nil {
		results = append(results, m)
	}
	return results
}

// responseText returns what the model reads of a response: the text itself if the output is JSON in
// a string.
func responseText(response map[string]any) string {
	if text, ok := response["error"].(string); ok {
		return text
	}
	if text, ok := response["output"].(string); ok && strings.HasPrefix(text, "{") {
		return text
	}
	return inJSON(response["output"])
}

// restoreArguments sets the arguments of calls, whose numbers the types of the client change.
func restoreArguments(body []byte, messages []llm.Message) error {
	var raw struct {
		Contents []struct {
			Parts []struct {
				FunctionCall *struct{ Args json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return err
	}
	var all []json.RawMessage
	for _, c := range raw.Contents {
		for _, p := range c.Parts {
			if p.FunctionCall != nil {
				all = append(all, p.FunctionCall.Args)
			}
		}
	}
	for _, m := range messages {
		for i := range m.Calls {
			m.Calls[i].Arguments, all = all[0], all[1:]
		}
	}
	return nil
}

// nameCalls gives all calls and their results IDs: results have the order of their calls.
func nameCalls(messages []llm.Message) {
	var open []string
	n := 0
	for _, m := range messages {
		if m.Result != nil {
			m.Result.ID, open = open[0], open[1:]
			continue
		}
		for i := range m.Calls {
			n++
			m.Calls[i].ID = fmt.Sprint("wire", n)
			open = append(open, m.Calls[i].ID)
		}
	}
}

// opaquePrefix is the beginning of all signatures of the double. It has the length of whole groups
// of base64.
const (
	opaquePrefix       = "c2ln"
	opaquePrefixLength = 3
)

// wireParts returns the parts of an answer. A call that is not complete has none at Gemini.
func wireParts(a llmtest.Answer) (parts []string) {
	signature := ""
	if a.Opaque != "" {
		signature = `,"thoughtSignature":"` + opaquePrefix + base64.StdEncoding.EncodeToString([]byte(a.Opaque)) + `"`
	}
	if a.Response.Reasoning != "" {
		parts = append(parts, `{"text":`+inJSON(a.Response.Reasoning)+`,"thought":true}`)
	}
	if a.Response.Text != "" {
		parts = append(parts, `{"text":`+inJSON(a.Response.Text)+`}`)
	}
	for _, c := range a.Response.Calls {
		if c.Truncated {
			continue
		}
		more := ""
		if a.Unknown {
			more = future
		}
		parts = append(parts, `{"functionCall":{"id":`+inJSON(c.ID)+`,"name":`+inJSON(c.Name)+`,"args":`+inJSON(c.Arguments)+more+`}`+signature+`}`)
		signature = "" // only the first one has a signature
	}
	if signature != "" {
		parts = append(parts, `{"text":""`+signature+`}`)
	}
	return parts
}

var wireFinish = map[llm.Finish]string{llm.FinishStop: "STOP", llm.FinishCalls: "STOP", llm.FinishLength: "MAX_TOKENS", llm.FinishRefused: "SAFETY"}

// wireDocument returns a response with some parts of an answer.
func wireDocument(a llmtest.Answer, parts []string, last bool) string {
	finish, usage := "", ""
	if last {
		u := a.Response.Usage
		finish = wireFinish[a.Response.Finish]
		usage = fmt.Sprintf(`{"promptTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":%d,"cachedContentTokenCount":%d,"totalTokenCount":%d}`,
			u.Input, u.Output-u.Reasoning, u.Reasoning, u.Cached, u.Input+u.Output)
	}
	text := strings.Replace(document(parts, finish, usage), "gemini-test-001", a.Response.Model, 1)
	if a.Unknown {
		text = strings.Replace(text, `,"index":0`, `,"index":0`+future, 1)
	}
	return text
}

// Document implements [llmtest.Protocol].
func (protocol) Document(a llmtest.Answer) []byte {
	return []byte(wireDocument(a, wireParts(a), true))
}

// Events implements [llmtest.Protocol].
func (protocol) Events(a llmtest.Answer) (events []string) {
	if a.Unknown {
		events = append(events, ": a comment\n\n", "event: ping\ndata: {\"future\":1}\n\n")
	}
	for _, p := range splitParts(wireParts(a)) {
		events = append(events, "data: "+wireDocument(a, []string{p}, false)+"\r\n\r\n")
	}
	if a.Err != nil {
		_, _, body := protocol{}.Failure(a.Err)
		return append(events, "data: "+string(body)+"\r\n\r\n")
	}
	return append(events, "data: "+wireDocument(a, nil, true)+"\r\n\r\n")
}

// wireErrors are the errors of the protocol by their kinds.
var wireErrors = map[string]struct {
	status        int
	name, details string
}{
	llm.RateLimited:   {429, "RESOURCE_EXHAUSTED", `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"}]}`},
	llm.QuotaExceeded: {429, "RESOURCE_EXHAUSTED", `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}`},
	llm.Unauthorized:  {400, "INVALID_ARGUMENT", `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}`},
	llm.BadRequest:    {400, "INVALID_ARGUMENT", `{"@type":"type.googleapis.com/google.rpc.BadRequest"}`},
	llm.ContextFull:   {400, "INVALID_ARGUMENT", `{"@type":"type.googleapis.com/google.rpc.BadRequest"}`},
	llm.ServerError:   {503, "UNAVAILABLE", `{"@type":"type.googleapis.com/google.rpc.DebugInfo"}`},
	llm.Timeout:       {504, "DEADLINE_EXCEEDED", `{"@type":"type.googleapis.com/google.rpc.DebugInfo"}`},
}

// Failure implements [llmtest.Protocol].
func (protocol) Failure(e *llm.Error) (status int, header http.Header, body []byte) {
	wire := wireErrors[e.Kind]
	details := []json.RawMessage{json.RawMessage(wire.details)}
	if e.RetryAfter > 0 {
		details = append(details, json.RawMessage(fmt.Sprintf(`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%ds"}`, int(e.RetryAfter.Seconds()))))
	}
	message := e.Err.Error()
	if e.Kind == llm.ContextFull {
		message += ": The input token count (9) exceeds the maximum number of tokens allowed (8)."
	}
	return wire.status, nil, []byte(inJSON(map[string]any{"error": map[string]any{"code": wire.status, "message": message, "status": wire.name, "details": slices.Clip(details)}}))
}

// notes are the notes on the model in the table of providers.
var notes = map[string]string{
	"image by URL":            "the exact media type is required",
	"file by URL":             "the exact media type is required",
	"media in results":        "data since Gemini 3; others are described in words",
	"schema":                  "refused together with tools before Gemini 3",
	"output schema of a tool": "dropped",
	"tools added later":       "the cache of all tools and messages is lost",
	"effort":                  "a budget of tokens for Gemini 2.5; refused before",
	"max tokens":              "up to 32 bits",
	"seed":                    "up to 32 bits",
	"stop":                    "up to five texts",
	"prompt caching":          "by the API, without marks",
	"provider data":           "sent back to the same model at the same host only",
}
