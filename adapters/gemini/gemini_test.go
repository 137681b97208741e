package gemini_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// ask returns the answer of a model, at once or as a stream, with the texts of its chunks.
func ask(t *testing.T, m llm.Model, req llm.Request, stream bool) (llm.Response, llm.Chunk, error) {
	t.Helper()
	if !stream {
		response, err := m.Generate(t.Context(), req)
		return response, llm.Chunk{Text: response.Text, Reasoning: response.Reasoning}, err
	}
	var all llm.Chunk
	for chunk, err := range llm.Stream(t.Context(), m, req) {
		if err != nil {
			return llm.Response{}, all, err
		}
		all.Text += chunk.Text
		all.Reasoning += chunk.Reasoning
		if chunk.Response != nil {
			return *chunk.Response, all, nil
		}
	}
	return llm.Response{}, all, errors.New("there is no response")
}

func ptr[T any](v T) *T { return &v }

var cityTool = tool.Definition{
	Name: "get weather", Description: "The weather of a city.",
	Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"enum":[1,3]},"near":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["city"],"additionalProperties":false}`),
}

// lowName is the name of cityTool at Gemini.
const lowName = "get_weather_f7ed9c23"

// TestRequest checks the bodies of requests.
func TestRequest(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b"]}`)
	for name, test := range map[string]struct {
		model string
		req   llm.Request
		want  string
	}{
		"texts": {"gemini-3-pro", llm.Request{System: "Be kind.", Messages: []llm.Message{
			{Role: llm.RoleSystem, Text: "Be short."}, {Role: llm.RoleUser, Text: "Hi"}, {Role: llm.RoleAssistant, Text: "Hello."},
			{Role: llm.RoleUser}, {Role: llm.RoleAssistant}, {Role: llm.RoleSystem, Text: "It is late."},
		}, Prompt: "Bye"}, `{"systemInstruction":{"parts":[{"text":"Be kind."},{"text":"Be short."}]},"contents":[{"parts":[{"text":"Hi"}],"role":"user"},{"parts":[{"text":"Hello."}],"role":"model"},{"parts":[{"text":"It is late."},{"text":"Bye"}],"role":"user"}]}`},
		"parameters": {"gemini-3-pro", llm.Request{
			Prompt: "?", MaxTokens: 9, Temperature: ptr(0.1), TopP: ptr(0.0), Seed: ptr(7), Stop: []string{"x"}, Effort: "low", Schema: schema,
			Extra: map[string]json.RawMessage{"safetySettings": json.RawMessage(`[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]`), "generationConfig": json.RawMessage(`{"topK":3}`)},
		}, `{"generationConfig":{"maxOutputTokens":9,"seed":7,"stopSequences":["x"],"temperature":0.1,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"LOW"},"topP":0,"responseMimeType":"application/json","responseSchema":{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b"],"propertyOrdering":["b","a"]},"topK":3},"contents":[{"parts":[{"text":"?"}],"role":"user"}],"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]}`},
		"budget":      {"gemini-2.5-flash", llm.Request{Prompt: "?", Effort: "medium"}, `{"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}},"contents":[{"parts":[{"text":"?"}],"role":"user"}]}`},
		"no thinking": {"gemini-2.5-flash", llm.Request{Prompt: "?", Effort: "none"}, `{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}},"contents":[{"parts":[{"text":"?"}],"role":"user"}]}`},
		"older model": {"gemini-2.0-flash", llm.Request{Prompt: "?", Effort: "none"}, `{"contents":[{"parts":[{"text":"?"}],"role":"user"}]}`},
		"tool": {"gemini-3-pro", llm.Request{Prompt: "?", Tools: []tool.Definition{cityTool, {Name: "now", Description: "Now."}}, ToolChoice: "get weather"},
			`{"tools":[{"functionDeclarations":[{"name":"` + lowName + `","description":"The weather of a city.","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"string","enum":["1","3"]},"near":{"description":"A map, as a list of its keys and values. Must not have the same key twice.","type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key","value"],"propertyOrdering":["key","value"]}}},"required":["city"],"propertyOrdering":["city","days","near"]}},{"name":"now","description":"Now."}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["` + lowName + `"]}},"contents":[{"parts":[{"text":"?"}],"role":"user"}]}`},
		"any tool": {"gemini-3-pro", llm.Request{Prompt: "?", Tools: []tool.Definition{{Name: "now", Description: "Now."}}, ToolChoice: llm.AnyTool},
			`{"tools":[{"functionDeclarations":[{"name":"now","description":"Now."}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"contents":[{"parts":[{"text":"?"}],"role":"user"}]}`},
		"no tool": {"gemini-3-pro", llm.Request{Prompt: "?", Tools: []tool.Definition{{Name: "now", Description: "Now."}}, ToolChoice: llm.NoTool, OneCall: true},
			`{"tools":[{"functionDeclarations":[{"name":"now","description":"Now."}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},"contents":[{"parts":[{"text":"?"}],"role":"user"}]}`},
		"parts": {"gemini-3-pro", llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "See", Parts: []content.Part{
			content.Image("image/png", []byte{1, 2}), content.Image("image/*", []byte("GIF89a")), {URL: "gs://b/x.pdf", Media: "application/pdf"},
			content.Audio("audio/wav", []byte{3}), content.File("file:///a.txt", "text/plain; charset=utf-8", []byte("a")), content.Text("and"), content.Link("https://x/y", "y"),
		}}}}, `{"contents":[{"parts":[{"text":"See"},{"inlineData":{"data":"AQI=","mimeType":"image/png"}},{"inlineData":{"data":"R0lGODlh","mimeType":"image/gif"}},{"fileData":{"fileUri":"gs://b/x.pdf","mimeType":"application/pdf"}},{"inlineData":{"data":"Aw==","mimeType":"audio/wav"}},{"inlineData":{"data":"YQ==","mimeType":"text/plain"}},{"text":"and"},{"text":"link (y, https://x/y)"}],"role":"user"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			d := startDouble(t, answer{parts: []string{`{"text":"{\"b\":1}"}`}})
			for _, stream := range []bool{false, true} {
				if _, _, err := ask(t, d.model(t, test.model), test.req, stream); err != nil {
					t.Fatal(err)
				}
			}
			if got := string(d.bodies[0]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if string(d.bodies[0]) != string(d.bodies[1]) {
				t.Errorf("streamed: %s", d.bodies[1])
			}
			if want := "/v1beta/models/" + test.model + ":streamGenerateContent?alt=sse"; d.paths[1] != want {
				t.Errorf("got %s, want %s", d.paths[1], want)
			}
		})
	}
}

// TestRefusedRequests checks requests that Gemini cannot fulfill.
func TestRefusedRequests(t *testing.T) {
	d := startDouble(t, answer{parts: []string{`{"text":"x"}`}})
	image := []content.Part{content.Image("image/png", []byte{1})}
	for want, test := range map[string]struct {
		model string
		req   llm.Request
	}{
		`this model always thinks: use the effort "low" instead of "none"`:                                    {"gemini-3-pro", llm.Request{Prompt: "?", Effort: "none"}},
		`invalid effort "huge", expected none, minimal, low, medium or high`:                                  {"gemini-2.5-flash", llm.Request{Prompt: "?", Effort: "huge"}},
		`this model cannot think: leave out the effort "low"`:                                                 {"gemini-2.0-flash", llm.Request{Prompt: "?", Effort: "low"}},
		`the request has 6 stop texts, Gemini allows at most 5`:                                               {"gemini-3-pro", llm.Request{Prompt: "?", Stop: make([]string, 6)}},
		`the seed 9000000000 does not fit into 32 bits, the limit of Gemini`:                                  {"gemini-3-pro", llm.Request{Prompt: "?", Seed: ptr(9_000_000_000)}},
		`the token limit 9000000000 is too large for Gemini`:                                                  {"gemini-3-pro", llm.Request{Prompt: "?", MaxTokens: 9_000_000_000}},
		`the request requires a tool call but offers no tools`:                                                {"gemini-3-pro", llm.Request{Prompt: "?", ToolChoice: llm.AnyTool}},
		`the request requires a call of the tool "x" but does not offer it`:                                   {"gemini-3-pro", llm.Request{Prompt: "?", ToolChoice: "x"}},
		`this model cannot combine an answer schema with tools: leave out one of them, or use Gemini 3`:       {"gemini-2.5-pro", llm.Request{Prompt: "?", Tools: []tool.Definition{{Name: "now"}}, Schema: json.RawMessage(`{"type":"object"}`)}},
		`the schema of the answer cannot be used: it is 7, not a JSON object`:                                 {"gemini-3-pro", llm.Request{Prompt: "?", Schema: json.RawMessage(`7`)}},
		`the request has no message: Gemini requires one`:                                                     {"gemini-3-pro", llm.Request{System: "?"}},
		`the dialogue begins with a message of the model: Gemini requires one of the user before it`:          {"gemini-3-pro", llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, Text: "a"}}}},
		`message 1: a message with the role "assistant" has parts: only a message of the user can have parts`: {"gemini-3-pro", llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, Parts: image}}}},
		`message 1: the result "1" answers no call of the message before it`:                                  {"gemini-3-pro", llm.Request{Messages: []llm.Message{{Role: llm.RoleTool, Result: &tool.Call{ID: "1"}}}}},
		`message 1: part 1 of a message: Gemini requires the exact media type of https://x, not image/*`:      {"gemini-3-pro", llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Parts: []content.Part{{URL: "https://x", Media: "image/*"}}}}}},
		`message 1: part 1 of a message: it has no data: Gemini rejects empty media`:                          {"gemini-3-pro", llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Parts: []content.Part{{Data: []byte{}, Media: "image/png"}}}}}},
		`the request already contains the extra member "generationConfig.topP": leave it out`:                 {"gemini-3-pro", llm.Request{Prompt: "?", TopP: ptr(0.5), Extra: map[string]json.RawMessage{"generationConfig": json.RawMessage(`{"topP":1}`)}}},
		`the request already contains the extra member "contents": leave it out`:                              {"gemini-3-pro", llm.Request{Prompt: "?", Extra: map[string]json.RawMessage{"contents": json.RawMessage(`[]`)}}},
	} {
		for _, stream := range []bool{false, true} {
			_, _, err := ask(t, d.model(t, test.model), test.req, stream)
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != llm.BadRequest || e.Err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
	if len(d.bodies) > 0 {
		t.Errorf("%s was sent", d.bodies)
	}
}

// TestAnswers checks that a whole answer and a streamed one yield the same response.
func TestAnswers(t *testing.T) {
	tools := []tool.Definition{cityTool, {Name: "now", Description: "Now."}}
	for name, test := range map[string]struct {
		answer answer
		req    llm.Request
		want   llm.Response
	}{
		"text": {
			answer{parts: []string{`{"text":"Größe: 4 🙂"}`}, usage: `{"promptTokenCount":9,"toolUsePromptTokenCount":1,"candidatesTokenCount":3,"thoughtsTokenCount":4,"cachedContentTokenCount":5,"totalTokenCount":17,"new":{}}`}, llm.Request{},
			llm.Response{Text: "Größe: 4 🙂", Finish: llm.FinishStop, Usage: llm.Usage{Input: 10, Output: 7, Cached: 5, Reasoning: 4}},
		},
		"thoughts": {
			answer{parts: []string{`{"text":"Hm, hm.","thought":true}`, `{"text":"Yes, I do."}`, `{"text":"","thoughtSignature":"c2ln/+=="}`}}, llm.Request{},
			llm.Response{Text: "Yes, I do.", Reasoning: "Hm, hm.", Finish: llm.FinishStop, Provider: provider(`{"text":"Hm, hm.","thought":true}`, `{"text":"Yes, I do."}`, `{"text":"","thoughtSignature":"c2ln/+=="}`)},
		},
		"calls": {
			answer{parts: []string{`{"text":"Let me see."}`, `{"functionCall":{"id":"x1","name":"` + lowName + `","args":{"city":"Oslo","days":"3","near":[{"key":"a","value":9007199254740993}]}},"thoughtSignature":"c2ln"}`, `{"functionCall":{"name":"now"}}`}}, llm.Request{},
			llm.Response{Text: "Let me see.", Finish: llm.FinishCalls, Calls: []tool.Request{
				{ID: "x1", Name: "get weather", Arguments: json.RawMessage(`{"city":"Oslo","days":3,"near":{"a":9007199254740993}}`)}, {ID: "c00000002", Name: "now", Arguments: json.RawMessage(`{}`)},
			}, Provider: provider(`{"text":"Let me see."}`, `{"functionCall":{"id":"x1","name":"`+lowName+`","args":{"city":"Oslo","days":"3","near":[{"key":"a","value":9007199254740993}]}},"thoughtSignature":"c2ln"}`, `{"functionCall":{"name":"now"}}`)},
		},
		"one call": {
			answer{parts: []string{`{"functionCall":{"name":"now","args":{}}}`, `{"functionCall":{"name":"now","args":{}}}`}}, llm.Request{OneCall: true},
			llm.Response{Finish: llm.FinishCalls, Calls: []tool.Request{{ID: "c00000001", Name: "now", Arguments: json.RawMessage(`{}`)}}},
		},
		"schema": {
			answer{parts: []string{`{"text":"{\"m\":[{\"key\":\"k\","}`, `{"text":"\"value\":1}]}"}`}}, llm.Request{Schema: json.RawMessage(`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`)},
			llm.Response{Text: `{"m":{"k":1}}`, Finish: llm.FinishStop},
		},
		"other part": {
			answer{parts: []string{`{"executableCode":{"code":"1","language":"PYTHON"}}`, `{"text":"1"}`}}, llm.Request{},
			llm.Response{Text: "1", Finish: llm.FinishStop, Provider: provider(`{"executableCode":{"code":"1","language":"PYTHON"}}`, `{"text":"1"}`)},
		},
		"length":      {answer{parts: []string{`{"text":"Hel"}`}, finish: "MAX_TOKENS"}, llm.Request{}, llm.Response{Text: "Hel", Finish: llm.FinishLength}},
		"only length": {answer{finish: "MAX_TOKENS"}, llm.Request{}, llm.Response{Finish: llm.FinishLength}},
		"safety":      {answer{parts: []string{`{"text":"Hel"}`}, finish: "SAFETY"}, llm.Request{}, llm.Response{Text: "Hel", Finish: llm.FinishRefused}},
		"recitation":  {answer{finish: "RECITATION"}, llm.Request{}, llm.Response{Finish: llm.FinishRefused}},
		"new reason":  {answer{finish: "BORED"}, llm.Request{}, llm.Response{Finish: "BORED"}},
		"empty":       {answer{}, llm.Request{}, llm.Response{Finish: llm.FinishStop}},
	} {
		t.Run(name, func(t *testing.T) {
			d := startDouble(t, test.answer)
			test.req.Prompt = "?"
			if test.req.Schema == nil {
				test.req.Tools = tools
			}
			test.want.Model = "gemini-test-001"
			test.want.Provider = json.RawMessage(strings.Replace(string(test.want.Provider), "HOST", strings.TrimPrefix(d.URL, "http://"), 1))
			for _, stream := range []bool{false, true} {
				got, chunks, err := ask(t, d.model(t, "gemini-3-pro"), test.req, stream)
				if err != nil || inJSON(got) != inJSON(test.want) {
					t.Errorf("stream %v: got  %s, %v\nwant %s", stream, inJSON(got), err, inJSON(test.want))
				}
				if chunks.Text != got.Text || chunks.Reasoning != got.Reasoning {
					t.Errorf("the chunks are %+v", chunks)
				}
			}
		})
	}
}

// provider returns the data of a message with these parts of a model at HOST.
func provider(parts ...string) json.RawMessage {
	return json.RawMessage(`{"endpoint":"HOST","model":"gemini-3-pro","parts":` + inJSON(parts) + `}`)
}

func inJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestBodies checks whole bodies, whatever was requested: blocked prompts, unusable answers, and
// endpoints that answer a request for a stream with a document.
func TestBodies(t *testing.T) {
	text := document([]string{`{"text":"Hello."}`}, "STOP", "")
	for body, want := range map[string]string{
		text:             `"Hello." stop`,
		"[" + text + "]": `"Hello." stop`,
		`{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"No."}}`:                  `"No." refused`,
		`{"promptFeedback":{"blockReason":"SAFETY"}}`:                                             `"" refused`,
		`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"call: f(}"}]}`: "model: malformed response (status 200): the model ended with MALFORMED_FUNCTION_CALL: call: f(}",
		`{"candidates":[{"finishReason":"UNEXPECTED_TOOL_CALL"}]}`:                                "model: malformed response (status 200): the model ended with UNEXPECTED_TOOL_CALL: the endpoint gives no reason",
		`{"candidates":[]}`: "model: malformed response (status 200): there is no candidate in the answer",
		`{"candidates":"x","modelVersion":7,"usageMetadata":[]}`:                                                                                    "model: malformed response (status 200): there is no candidate in the answer",
		`{"candidates":[{"content":{"parts":[7,{},{"text":7},{"text":"a","thought":"x"}]}},7,null,{"index":1,"content":{"parts":[{"text":"b"}]}}]}`: `"a" stop`,
		`{"candidates":[{"content":`: `model: malformed response (status 200): the answer is not a JSON object, it begins with "{\"candidates\":[{\"content\":"`,
		`nonsense`:                   "model: malformed response (status 200): the answer is not a JSON object, it begins with \"nonsense\"",
		`{"error":{"code":503,"status":"UNAVAILABLE","message":"The model is overloaded."}}`: "model: server error (status 503): The model is overloaded.",
	} {
		for _, stream := range []bool{false, true} {
			got, _, err := ask(t, startDouble(t, answer{body: body, header: map[string]string{"Content-Type": "application/json"}}).model(t, "gemini-3-pro"), llm.Request{Prompt: "?"}, stream)
			result := fmt.Sprintf("%q %s", got.Text, got.Finish)
			if err != nil {
				result = err.Error()
			}
			if result != want {
				t.Errorf("stream %v, %s:\ngot  %s\nwant %s", stream, body, result, want)
			}
		}
	}
}

// TestStreams checks forms of streams, and streams that end prematurely.
func TestStreams(t *testing.T) {
	first, last := document([]string{`{"text":"Hel"}`}, "", ""), document([]string{`{"text":"lo."}`}, "STOP", "")
	for body, want := range map[string]string{
		"data: " + first + "\n\ndata: " + last + "\n\n":                                            `"Hello." stop`,
		": hi\r\nevent: x\r\ndata:" + first + "\r\n\r\ndata:" + last:                               `"Hello." stop`,
		"data: " + strings.Replace(first, `"index"`, "\ndata: \"index\"", 1) + "\n\ndata: " + last: `"Hello." stop`,
		"data: " + first + "\n\n":                   `"Hel" model: cut off (status 200): the stream ended before the answer was complete`,
		"data: " + first + "\n\ndata: " + last[:20]: `"Hel" model: cut off (status 200): the stream ended before the answer was complete`,
		"data: " + first + "\n\ndata: nonsense\n\n": `"Hel" model: malformed response (status 200): the answer is not a JSON object, it begins with "nonsense"`,
		"data: " + first + "\n\ndata: {\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}\n\n": `"Hel" model: rate limited (status 429): the endpoint gives no reason`,
		"nonsense": `"" model: cut off (status 200): the stream ended before the answer was complete`,
	} {
		got, chunks, err := ask(t, startDouble(t, answer{body: body}).model(t, "gemini-3-pro"), llm.Request{Prompt: "?"}, true)
		result := fmt.Sprintf("%q %s", chunks.Text, got.Finish)
		if err != nil {
			result += err.Error()
		}
		if result != want {
			t.Errorf("%q:\ngot  %s\nwant %s", body, result, want)
		}
	}
}

// TestErrors checks the errors of the endpoint.
func TestErrors(t *testing.T) {
	report := func(code int, status, message, details string) answer {
		return answer{status: code, body: fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q,"details":[%s]}}`, code, message, status, details)}
	}
	retryInfo := `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}`
	quota := func(id string) string {
		return `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"` + id + `"}]}`
	}
	for _, test := range []struct {
		answer answer
		kind   string
		status int
		after  time.Duration
		text   string
	}{
		{report(429, "RESOURCE_EXHAUSTED", "Slow down.", quota("GenerateRequestsPerMinutePerProjectPerModel")+","+retryInfo), llm.RateLimited, 429, 34500 * time.Millisecond, "Slow down."},
		{report(429, "RESOURCE_EXHAUSTED", "Slow down.", quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier")+","+retryInfo), llm.QuotaExceeded, 429, 34500 * time.Millisecond, "Slow down."},
		{report(429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted.", ""), llm.QuotaExceeded, 429, 0, "Your prepayment credits are depleted."},
		{report(503, "UNAVAILABLE", "Overloaded.", ""), llm.ServerError, 503, 0, "Overloaded."},
		{report(500, "INTERNAL", "Oh.", ""), llm.ServerError, 500, 0, "Oh."},
		{report(504, "DEADLINE_EXCEEDED", "Late.", ""), llm.Timeout, 504, 0, "Late."},
		{report(400, "INVALID_ARGUMENT", "API key not valid.", `{"reason":"API_KEY_INVALID"}`), llm.Unauthorized, 400, 0, "API key not valid."},
		{report(403, "PERMISSION_DENIED", "No.", ""), llm.Unauthorized, 403, 0, "No."},
		{report(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8).", ""), llm.ContextFull, 400, 0, "The input token count (9) exceeds the maximum number of tokens allowed (8)."},
		{report(400, "INVALID_ARGUMENT", "Bad\n  field.", ""), llm.BadRequest, 400, 0, "Bad field."},
		{report(404, "NOT_FOUND", "No such model.", ""), llm.BadRequest, 404, 0, "No such model."},
		{answer{status: 503, body: "<html>down</html>", header: map[string]string{"Retry-After": "7"}}, llm.ServerError, 503, 7 * time.Second, "<html>down</html>"},
		{answer{status: 429, body: `[{"error":{"message":"In a list."}}]`}, llm.RateLimited, 429, 0, "In a list."},
	} {
		for _, stream := range []bool{false, true} {
			d := startDouble(t, test.answer)
			_, _, err := ask(t, d.model(t, "gemini-3-pro"), llm.Request{Prompt: "?"}, stream)
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != test.kind || e.Status != test.status || e.RetryAfter != test.after || e.Err.Error() != test.text {
				t.Errorf("stream %v: got %+v, want %+v", stream, err, test)
			}
			if len(d.bodies) != 1 {
				t.Errorf("%d requests", len(d.bodies))
			}
		}
	}
}

// TestOneRetry checks that the client of the user does not retry in addition to llm.Retry.
func TestOneRetry(t *testing.T) {
	d := startDouble(t, answer{status: 503, body: `{}`})
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: testKey, Backend: genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: d.URL, RetryOptions: &genai.HTTPRetryOptions{Attempts: ptr(int32(5)), InitialDelay: ptr(0.001)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	retry := gemini.New(client, "gemini-3-pro").(llm.Retry)
	retry.Sleep = func(context.Context, time.Duration) {}
	if _, err := retry.Generate(t.Context(), llm.Request{Prompt: "?"}); err == nil || len(d.bodies) != 3 {
		t.Errorf("%d requests, %v", len(d.bodies), err)
	}
	if llm.Name(retry) != "gemini-3-pro" {
		t.Error(llm.Name(retry))
	}
}

// TestCancel checks that a request ends soon after its context.
func TestCancel(t *testing.T) {
	for _, stream := range []bool{false, true} {
		for want, newContext := range map[string]func() (context.Context, context.CancelFunc){
			llm.Cancelled: func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
			llm.Timeout: func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(context.Background(), 200*time.Millisecond)
			},
		} {
			arrived := make(chan struct{})
			m := startDouble(t, answer{hang: arrived}).model(t, "gemini-3-pro")
			ctx, cancel := newContext()
			if want == llm.Cancelled {
				go func() {
					<-arrived
					cancel()
				}()
			}
			var err error
			if stream {
				for _, err = range llm.Stream(ctx, m, llm.Request{Prompt: "?"}) {
				}
			} else {
				_, err = m.Generate(ctx, llm.Request{Prompt: "?"})
			}
			cancel()
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != want {
				t.Errorf("stream %v: got %v, want %s", stream, err, want)
			}
		}
	}
}

// TestNoConnection checks the error for an endpoint that cannot be reached, and that no error or log
// shows the key.
func TestNoConnection(t *testing.T) {
	d := startDouble(t, answer{status: 400, body: `{"error":{"message":"bad key ` + testKey + `"}}`})
	m := d.model(t, "gemini-3-pro")
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("model", "model", m)
	shown := log.String() + fmt.Sprintf("%+v %#v", m, m)
	_, err := m.Generate(t.Context(), llm.Request{Prompt: "?"})
	if shown += err.Error(); !strings.Contains(shown, "bad key [hidden]") || strings.Contains(shown, testKey) {
		t.Error(shown)
	}
	d.Close()
	for _, stream := range []bool{false, true} {
		_, _, err = ask(t, m, llm.Request{Prompt: "?"}, stream)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.Unreachable {
			t.Error(err)
		}
	}
	for _, stream := range []bool{false, true} {
		_, _, err = ask(t, startDouble(t, answer{}).model(t, ""), llm.Request{Prompt: "?"}, stream)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.BadRequest {
			t.Error(err)
		}
	}
	if _, err := gemini.New(nil, "x").Generate(t.Context(), llm.Request{Prompt: "?"}); err == nil || !strings.Contains(err.Error(), "there is no client") {
		t.Error(err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestVertex checks that credentials, headers and additional members of the user's client are used, at
// the URL of Vertex AI.
func TestVertex(t *testing.T) {
	t.Setenv("GOOGLE_API_KEY", "") // otherwise the client would warn
	var got *http.Request
	d := startDouble(t, answer{parts: []string{`{"text":"Hello."}`}})
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		Backend: genai.BackendVertexAI, Project: "p", Location: "europe-west1",
		HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			got = r
			sent := r.Clone(r.Context())
			sent.URL.Scheme, sent.URL.Host = "http", strings.TrimPrefix(d.URL, "http://")
			sent.URL.Path = "/v1beta/models/gemini-3-pro:generateContent"
			sent.Header.Set("X-Goog-Api-Key", testKey)
			return http.DefaultTransport.RoundTrip(sent)
		})},
		HTTPOptions: genai.HTTPOptions{
			Headers:   http.Header{"X-Team": {"desk"}},
			ExtraBody: map[string]any{"generationConfig": map[string]any{"topK": 3}},
			ExtrasRequestProvider: func(body map[string]any) map[string]any {
				body["cachedContent"] = "c"
				return body
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	response, err := gemini.New(client, "gemini-3-pro", gemini.NoRetry()).Generate(t.Context(), llm.Request{Prompt: "?", Seed: ptr(1), TopP: ptr(0.1)})
	if err != nil || response.Text != "Hello." {
		t.Fatal(response, err)
	}
	if want := "https://europe-west1-aiplatform.googleapis.com/v1beta1/projects/p/locations/europe-west1/publishers/google/models/gemini-3-pro:generateContent"; got.URL.String() != want {
		t.Errorf("got %s, want %s", got.URL, want)
	}
	if got.Header.Get("X-Team") != "desk" {
		t.Error(got.Header)
	}
	if want := `{"generationConfig":{"seed":1,"topP":0.1,"topK":3},"contents":[{"parts":[{"text":"?"}],"role":"user"}],"cachedContent":"c"}`; string(d.bodies[0]) != want {
		t.Errorf("got %s, want %s", d.bodies[0], want)
	}
}

// TestTooLong checks the limit of an answer.
func TestTooLong(t *testing.T) {
	event := []byte("data: " + document([]string{`{"thought":true}`}, "", "") + "\n\n" + ": " + strings.Repeat("x", 12_000) + "\n")
	for _, stream := range []bool{false, true} {
		client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
			APIKey: testKey, Backend: genai.BackendGeminiAPI, HTTPClient: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(&endless{text: event})}, nil
			})},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = ask(t, gemini.New(client, "gemini-3-pro", gemini.NoRetry()), llm.Request{Prompt: "?"}, stream)
		if err == nil || err.Error() != "model: malformed response (status 200): the answer has more than 67108864 bytes" {
			t.Error(err)
		}
	}
}

// endless repeats a text.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestRedirect checks that the key is not sent to another host.
func TestRedirect(t *testing.T) {
	other := startDouble(t, answer{parts: []string{`{"text":"x"}`}})
	d := startDouble(t, answer{status: http.StatusTemporaryRedirect, header: map[string]string{"Location": other.URL + "/v1beta/models/gemini-3-pro:generateContent"}, body: "moved"})
	_, _, err := ask(t, d.model(t, "gemini-3-pro"), llm.Request{Prompt: "?"}, false)
	if err == nil || err.Error() != "model: bad request (status 307): moved" || len(other.bodies) > 0 {
		t.Errorf("%v, %q", err, other.headers)
	}
}

// TestEnvironment checks that variables of the environment, which the client reads again, do not
// change the model.
func TestEnvironment(t *testing.T) {
	t.Setenv("GOOGLE_CLOUD_PROJECT", "p")
	t.Setenv("GOOGLE_CLOUD_LOCATION", "l")
	d := startDouble(t, answer{parts: []string{`{"text":"Hello."}`}})
	if response, _, err := ask(t, d.model(t, "gemini-3-pro"), llm.Request{Prompt: "?"}, false); err != nil || response.Text != "Hello." {
		t.Error(response, err)
	}
}

// TestBaseModel checks names from which the rules cannot be derived.
func TestBaseModel(t *testing.T) {
	d := startDouble(t, answer{parts: []string{`{"text":"Hello."}`}})
	for _, test := range []struct {
		name    string
		options []gemini.Option
		want    string
	}{
		{"gemini-flash-latest", nil, "HIGH"},
		{"gemini-3.1-pro-preview", nil, "HIGH"},
		{"tuned", nil, "HIGH"},
		{"gemini-2-tuned", []gemini.Option{gemini.BaseModel("models/gemini-2.5-flash")}, "24576"},
	} {
		if _, _, err := ask(t, d.model(t, test.name, test.options...), llm.Request{Prompt: "?", Effort: "high"}, false); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if body := string(d.bodies[len(d.bodies)-1]); !strings.Contains(body, test.want) {
			t.Error(test.name, body)
		}
	}
	if _, _, err := ask(t, d.model(t, "gemma-3-27b-it"), llm.Request{Prompt: "?", Effort: "high"}, false); err == nil {
		t.Error("gemma thinks")
	}
}

// TestExtra checks the option Extra.
func TestExtra(t *testing.T) {
	d := startDouble(t, answer{parts: []string{`{"text":"Hello."}`}})
	m := d.model(t, "gemini-3-pro", gemini.Extra("cachedContent", "a"), gemini.Extra("generationConfig", map[string]int{"topK": 1}))
	if _, _, err := ask(t, m, llm.Request{Prompt: "?", Extra: map[string]json.RawMessage{"cachedContent": json.RawMessage(`"b"`)}}, false); err != nil {
		t.Fatal(err)
	}
	if want := `{"contents":[{"parts":[{"text":"?"}],"role":"user"}],"cachedContent":"b","generationConfig":{"topK":1}}`; string(d.bodies[0]) != want {
		t.Errorf("got %s", d.bodies[0])
	}
	_, err := d.model(t, "gemini-3-pro", gemini.Extra("x", make(chan int))).Generate(t.Context(), llm.Request{Prompt: "?"})
	if err == nil || !strings.Contains(err.Error(), `the extra member "x" cannot be encoded`) {
		t.Error(err)
	}
}

// TestResponseJSON checks that a response survives JSON.
func TestResponseJSON(t *testing.T) {
	d := startDouble(t, answer{parts: []string{`{"text":"<a&b>","thoughtSignature":"c2ln"}`}})
	got, _, err := ask(t, d.model(t, "gemini-3-pro"), llm.Request{Prompt: "?"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var back llm.Response
	if err := json.Unmarshal([]byte(inJSON(got)), &back); err != nil || inJSON(back) != inJSON(got) {
		t.Errorf("got %+v, want %+v", back, got)
	}
}
