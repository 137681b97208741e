package openai_test

import (
	"bytes"

	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/tool"
)

// serve returns a model whose endpoint answers with the given handler.
func serve(t testing.TB, handler http.HandlerFunc, options ...openai.Option) llm.Model {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return openai.New("test-model", append([]openai.Option{openai.BaseURL(server.URL + "/v1"), openai.NoRetry()}, options...)...)
}

// respond returns a handler that sends a body.
func respond(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

// stream reads a complete stream of a model.
func stream(ctx context.Context, m llm.Model, req llm.Request) (texts []string, response llm.Response, err error) {
	for chunk, err := range llm.Stream(ctx, m, req) {
		if err != nil {
			return texts, response, err
		}
		texts = append(texts, chunk.Text)
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return texts, response, nil
}

// roundTrip is a function that implements http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

const plain = `{"choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`

// fullRequest sets every field of a request.
var fullRequest = llm.Request{
	System: "Be brief.",
	Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "What is <2+3>?"},
		{Role: llm.RoleAssistant, Text: "Let me see.", Calls: []tool.Request{
			{ID: "a", Name: "add", Arguments: json.RawMessage(`{"x": 2, "y": 3}`), Meta: map[string]string{"user": "ada"}},
			{ID: "b", Name: "add", Arguments: json.RawMessage(`{"x": 2`)},
			{ID: "c", Name: "now"},
		}},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "a", Status: tool.StatusCompleted, Output: json.RawMessage(`5`)}},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "b", Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "add", Err: errors.New("too hot")}}},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "c", Status: tool.StatusPending}},
	},
	Prompt: "And?",
	Tools: []tool.Definition{
		{Name: "add", Description: "Adds.", Input: json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}}}`)},
		{Name: "now", Description: "Tells the time."},
	},
	Schema:      json.RawMessage(`{"type":"object","properties":{"sum":{"type":"integer"}}}`),
	MaxTokens:   100,
	Temperature: new(0.0),
}

const fullMessages = `"messages":[
	{"role":"system","content":"Be brief."},
	{"role":"user","content":"What is <2+3>?"},
	{"role":"assistant","content":"Let me see.","tool_calls":[
		{"id":"a","type":"function","function":{"name":"add","arguments":"{\"x\": 2, \"y\": 3}"}},
		{"id":"b","type":"function","function":{"name":"add","arguments":"{}"}},
		{"id":"c","type":"function","function":{"name":"now","arguments":"{}"}}]},
	{"role":"tool","content":"5","tool_call_id":"a"},
	{"role":"tool","content":"add failed: too hot","tool_call_id":"b"},
	{"role":"tool","content":"null","tool_call_id":"c"},
	{"role":"user","content":"And?"}],
"tools":[
	{"type":"function","function":{"name":"add","description":"Adds.","parameters":
		{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}}}}},
	{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false}}}]`

const fullSchema = `"response_format":{"type":"json_schema","json_schema":
	{"name":"answer","strict":false,"schema":{"type":"object","properties":{"sum":{"type":"integer"}}}}}`

const strictNow = `"tools":[{"type":"function","function":{"name":"now","description":"Tells the time.","strict":true,
	"parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false}}}]`

// TestWrongRequest checks requests that are rejected before they are sent.
func TestWrongRequest(t *testing.T) {
	part := func(role llm.Role, p content.Part) llm.Request {
		return llm.Request{Messages: []llm.Message{{Role: role, Parts: []content.Part{p}}}}
	}
	extra := func(name, value string) llm.Request {
		return llm.Request{Prompt: "Hi", Temperature: new(0.5), Extra: map[string]json.RawMessage{name: json.RawMessage(value)}}
	}
	for want, request := range map[string]llm.Request{
		`the request requires a call of the tool "add" but does not offer it`:                       {ToolChoice: "add"},
		`the request requires a tool call but offers no tools`:                                      {ToolChoice: llm.AnyTool},
		`a message with the role "tool" has parts: only a message of the user can have parts`:       part(llm.RoleTool, content.Part{Text: "x"}),
		`part 1 of a message: it has no text, URL or data`:                                          part(llm.RoleUser, content.Part{}),
		`part 1 of a message: it has a text and also a URL or data`:                                 part(llm.RoleUser, content.Part{Text: "x", URL: "http://x"}),
		`part 1 of a message: invalid media type "png", expected one such as image/png`:             part(llm.RoleUser, content.Part{Media: "png", URL: "http://x"}),
		`part 1 of a message: endpoints of this protocol accept audio/wav only as data, not by URL`: part(llm.RoleUser, content.Part{Media: "audio/wav", URL: "http://x"}),
		`the request already contains the extra member "temperature": leave it out`:                 extra("temperature", "1"),
		`the request already contains the extra member "messages": leave it out`:                    extra("messages", "[]"),
		`the request already contains the extra member "stream": leave it out`:                      extra("stream", "true"),
		`the extra member "top_k" is not valid JSON`:                                                extra("top_k", `1,"model":"other"`),
	} {
		_, err := serve(t, respond(plain)).Generate(t.Context(), request)
		checkError(t, err, "model: bad request: "+want)
	}
	for want, option := range map[string]openai.Option{
		`the request already contains the extra member "model": leave it out`:    openai.Extra("model", "other"),
		`the extra member "f" cannot be encoded: json: unsupported type: func()`: openai.Extra("f", func() {}),
	} {
		_, err := serve(t, respond(plain), option).Generate(t.Context(), llm.Request{Prompt: "Hi"})
		checkError(t, err, "model: bad request: "+want)
	}
}

// TestRequest checks the sent URLs and bodies.
func TestRequest(t *testing.T) {
	for name, test := range map[string]struct {
		options []openai.Option
		request llm.Request
		stream  bool
		url     string
		body    string
	}{
		"least": {nil, llm.Request{Prompt: "Hi"}, false, "https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":false}`},
		"elsewhere": {[]openai.Option{openai.BaseURL("http://127.0.0.1:1/v1/")}, llm.Request{Prompt: "Hi"}, false,
			"http://127.0.0.1:1/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":false}`},
		"full": {[]openai.Option{openai.BaseURL("http://localhost/v1")}, fullRequest, false, "http://localhost/v1/chat/completions",
			`{"model":"m",` + fullMessages + `,` + fullSchema + `,"max_tokens":100,"temperature":0,"stream":false}`},
		"stream": {[]openai.Option{openai.BaseURL("http://localhost/v1")}, fullRequest, true, "http://localhost/v1/chat/completions",
			`{"model":"m",` + fullMessages + `,` + fullSchema + `,"max_tokens":100,"temperature":0,"stream":true,"stream_options":{"include_usage":true}}`},
		"reasoning": {[]openai.Option{openai.BaseURL("http://localhost/v1"), openai.Reasoning()}, llm.Request{Prompt: "Hi"}, false,
			"http://localhost/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":false}`},
		"no schema": {[]openai.Option{openai.NoSchema()}, llm.Request{Prompt: "Hi", Schema: json.RawMessage(`{}`)}, false,
			"https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":false}`},
		"settings": {[]openai.Option{
			openai.BaseURL("http://localhost/v1"), openai.Extra("chat_template_kwargs", map[string]any{"enable_thinking": false}), openai.Extra("top_k", 5),
		},
			llm.Request{Prompt: "Hi", Effort: "low", TopP: new(0.0), Seed: new(0), Stop: []string{"a", "b"}, Extra: map[string]json.RawMessage{
				"top_k": json.RawMessage("7"), "prov<ider": json.RawMessage(`{"order": [12345678901234567890]}`),
			}}, true, "http://localhost/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":true,"stream_options":{"include_usage":true},
			"reasoning_effort":"low","top_p":0,"seed":0,"stop":["a","b"],"chat_template_kwargs":{"enable_thinking":false},"top_k":7,"prov<ider":{"order":[12345678901234567890]}}`},
		"choice": {nil, llm.Request{Tools: fullRequest.Tools[1:], ToolChoice: "now", OneCall: true}, false, "https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":null,"stream":false,"parallel_tool_calls":false,` + strictNow + `,
			"tool_choice":{"type":"function","function":{"name":"now"}}}`},
		"any tool": {nil, llm.Request{Tools: fullRequest.Tools[1:], ToolChoice: llm.AnyTool}, false, "https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":null,"stream":false,` + strictNow + `,"tool_choice":"required"}`},
		"no tool": {nil, llm.Request{Tools: fullRequest.Tools[1:], ToolChoice: llm.NoTool}, false, "https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":null,"stream":false,` + strictNow + `,"tool_choice":"none"}`},
		"no tool of none": {nil, llm.Request{ToolChoice: llm.NoTool, OneCall: true}, false, "https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":null,"stream":false}`},
		"parts": {nil, llm.Request{Messages: []llm.Message{
			{Role: llm.RoleUser, Text: "See:", Parts: []content.Part{
				{Media: "image/*", URL: "http://x/y.png"}, {Media: "image/png", Data: []byte("png")}, {Text: "and"},
				{Media: "audio/mpeg", Data: []byte("mp3")}, {Media: "application/pdf", Data: []byte("pdf"), Name: "a.pdf"},
				{Text: "<b>", Media: "text/html"}, content.Link("http://x/z", "z"), content.File("http://x/i.png", "image/png", []byte("png")),
			}},
		}}, false, "https://api.openai.com/v1/chat/completions",
			`{"model":"m","stream":false,"messages":[{"role":"user","content":[
				{"type":"text","text":"See:"},{"type":"image_url","image_url":{"url":"http://x/y.png"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},
				{"type":"text","text":"and"},{"type":"input_audio","input_audio":{"data":"bXAz","format":"mp3"}},
				{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,cGRm"}},
				{"type":"text","text":"<b>"},{"type":"text","text":"link (z, http://x/z)"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			var got *http.Request
			var body []byte
			transport := roundTrip(func(r *http.Request) (*http.Response, error) {
				got = r
				body, _ = io.ReadAll(r.Body)
				return &http.Response{StatusCode: http.StatusTeapot, Body: io.NopCloser(strings.NewReader("no"))}, nil
			})
			m := openai.New("m", append(test.options, openai.NoRetry(), openai.Key("secret"), openai.Header("X-Team", "blue"),
				openai.HTTPClient(&http.Client{Transport: transport}))...)
			var err error
			if test.stream {
				_, _, err = stream(t.Context(), m, test.request)
			} else {
				_, err = m.Generate(t.Context(), test.request)
			}
			if err == nil || err.Error() != "model: bad request (status 418): no" {
				t.Error(err)
			}
			if got.URL.String() != test.url || got.Header.Get("Authorization") != "Bearer secret" || got.Header.Get("X-Team") != "blue" {
				t.Errorf("%v %v", got.URL, got.Header)
			}
			var sent, want any
			if err := errors.Join(json.Unmarshal(body, &sent), json.Unmarshal([]byte(test.body), &want)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(sent, want) {
				t.Errorf("sent %s\nwant %s", body, test.body)
			}
		})
	}
}

func calls(requests ...tool.Request) []tool.Request { return requests }

func request(id, name, arguments string) tool.Request {
	return tool.Request{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

func cut(r tool.Request) tool.Request {
	r.Truncated = true
	return r
}

// answers are bodies with the expected responses.
var answers = map[string]struct {
	body string
	want llm.Response
}{
	"text": {`{"model":"m-2024","choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}}`,
		llm.Response{Text: "Hello.", Model: "m-2024", Finish: llm.FinishStop, Usage: llm.Usage{Input: 9, Output: 5, Cached: 4, Reasoning: 3}}},
	"parts": {`{"choices":[{"message":{"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo."}]}}]}`,
		llm.Response{Text: "Hello.", Finish: llm.FinishStop}},
	"calls": {`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"add","arguments":"{\"x\": 1}"}},
		{"id":"b","type":"function","function":{"name":"now","arguments":""}}]},"finish_reason":"tool_calls"}]}`,
		llm.Response{Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{"x": 1}`), request("b", "now", ""))}},
	"calls that stop": {`{"choices":[{"message":{"content":"I do.","tool_calls":[{"function":{"name":"now"}}]},"finish_reason":"stop"}]}`,
		llm.Response{Text: "I do.", Finish: llm.FinishCalls, Calls: calls(request("", "now", ""))}},
	"text that is cut": {`{"choices":[{"message":{"content":"Hel"},"finish_reason":"length"}]}`, llm.Response{Text: "Hel", Finish: llm.FinishLength}},
	"call that is cut": {`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"add","arguments":"{}"}},
		{"id":"b","function":{"name":"add","arguments":"{\"x\": 1"}}]},"finish_reason":"length"}]}`,
		llm.Response{Finish: llm.FinishLength, Calls: calls(request("a", "add", "{}"), cut(request("b", "add", `{"x": 1`)))}},
	"call that is cut at its beginning": {`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"add"}}]},"finish_reason":"length"}]}`,
		llm.Response{Finish: llm.FinishLength, Calls: calls(cut(request("a", "add", "")))}},
	"call that is whole": {`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"add","arguments":"{}"}}]},"finish_reason":"length"}]}`,
		llm.Response{Finish: llm.FinishLength, Calls: calls(request("a", "add", "{}"))}},
	"arguments in an object": {`{"choices":[{"message":{"content":"\"arguments\":{}","tool_calls":[{"id":"a","function":{"name":"add","arguments" : {"x": 10000000000000000001}}},
		{"id":"b","function":{"name":"now","arguments":null}}]},"finish_reason":"tool_calls"}]}`,
		llm.Response{Text: `"arguments":{}`, Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{"x": 10000000000000000001}`), request("b", "now", ""))}},
	"function": {`{"choices":[{"message":{"content":null,"function_call":{"name":"add","arguments":"{\"x\": 1}"}},"finish_reason":"function_call"}]}`,
		llm.Response{Finish: llm.FinishCalls, Calls: calls(request("", "add", `{"x": 1}`))}},
	"function of an object": {`{"choices":[{"message":{"function_call":{"name":"add","arguments":{"x":1}}}}]}`,
		llm.Response{Finish: llm.FinishCalls, Calls: calls(request("", "add", `{"x":1}`))}},
	"space before it": {" \r\n\t" + plain, llm.Response{Text: "Hello.", Finish: llm.FinishStop}},
	"error of null":   {`{"error":null,` + plain[1:], llm.Response{Text: "Hello.", Finish: llm.FinishStop}},
	"refusal": {`{"choices":[{"message":{"content":null,"refusal":"I do not want to."},"finish_reason":"stop"}]}`,
		llm.Response{Text: "I do not want to.", Finish: llm.FinishRefused}},
	"filter":  {`{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, llm.Response{Finish: llm.FinishRefused}},
	"reason":  {`{"choices":[{"message":{"content":"x"},"finish_reason":"insufficient_system_resource"}]}`, llm.Response{Text: "x", Finish: "insufficient_system_resource"}},
	"nothing": {`{"choices":[{"message":{}}]}`, llm.Response{Finish: llm.FinishStop}},
}

func TestGenerate(t *testing.T) {
	for name, test := range answers {
		t.Run(name, func(t *testing.T) {
			got, err := serve(t, respond(test.body)).Generate(t.Context(), llm.Request{Prompt: "?"})
			if err != nil || inJSON(got) != inJSON(test.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

// event returns an event of a stream with one choice.
func event(delta, finish string) string {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	return fmt.Sprintf(`data: {"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, reason)
}

const done = "data: [DONE]\n\n"

// streams are bodies of streams with the expected responses.
var streams = map[string]struct {
	body  string
	texts []string
	want  llm.Response
}{
	"text": {
		event(`{"role":"assistant","content":""}`, "") + event(`{"content":"Hel"}`, "") + ": still there\n\n" + event(`{"content":"lo."}`, "") + event(`{}`, "stop") +
			`data: {"model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5}}` + "\n\n" + done,
		[]string{"Hel", "lo.", ""},
		llm.Response{Text: "Hello.", Model: "m", Finish: llm.FinishStop, Usage: llm.Usage{Input: 9, Output: 5}},
	},
	"calls in pieces": {
		event(`{"content":"I do.","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"add","arguments":""}}]}`, "") +
			event(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\""}}]}`, "") +
			event(`{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"now","arguments":""}},{"index":0,"function":{"arguments":": 1}"}}]}`, "") +
			event(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"now","arguments":"{}"}}]}`, "") + event(`{}`, "tool_calls") + done,
		[]string{"I do.", ""},
		llm.Response{Text: "I do.", Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{"x": 1}`), request("b", "now", "{}"))},
	},
	"calls without index": {
		event(`{"tool_calls":[{"id":"a","function":{"name":"add","arguments":"{"}}]}`, "") + event(`{"tool_calls":[{"function":{"arguments":"}"}}]}`, "") +
			event(`{"tool_calls":[{"id":"b","function":{"name":"now","arguments":"{}"}}]}`, "stop") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{}`), request("b", "now", "{}"))},
	},
	"calls of a large index": {
		event(`{"tool_calls":[{"index":999999999,"id":"a","function":{"name":"add","arguments":"{}"}}]}`, "tool_calls") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{}`))},
	},
	"calls of one index": {
		event(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":"{\"x\""}}]}`, "") + event(`{"tool_calls":[{"index":0,"id":"a2","function":{"arguments":": 1}"}}]}`, "") +
			event(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"add","arguments":"{\"x\""}}]}`, "") + event(`{"tool_calls":[{"index":0,"function":{"arguments":": 2}"}}]}`, "tool_calls") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{"x": 1}`), request("b", "add", `{"x": 2}`))},
	},
	"name in pieces": {
		event(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ad"}}]}`, "") + event(`{"tool_calls":[{"index":0,"function":{"name":"d","arguments":"{}"}}]}`, "tool_calls") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{}`))},
	},
	"arguments in an object": {
		event(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":{"x":1}}}]}`, "tool_calls") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", `{"x":1}`))},
	},
	"function in pieces": {
		event(`{"function_call":{"name":"add","arguments":"{\"x\""}}`, "") + event(`{"function_call":{"arguments":": 1}"}}`, "function_call") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishCalls, Calls: calls(request("", "add", `{"x": 1}`))},
	},
	"call that is cut": {
		event(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":"{\"x\""}}]}`, "length") + done,
		[]string{""},
		llm.Response{Model: "m", Finish: llm.FinishLength, Calls: calls(cut(request("a", "add", `{"x"`)))},
	},
	"refusal": {
		event(`{"refusal":"I do "}`, "") + event(`{"refusal":"not."}`, "stop") + done,
		[]string{"I do not."},
		llm.Response{Text: "I do not.", Model: "m", Finish: llm.FinishRefused},
	},
	"other choices": {
		`data: {"choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"y"},"finish_reason":"stop"}]}` + "\n\n" + done,
		[]string{"y", ""},
		llm.Response{Text: "y", Finish: llm.FinishStop},
	},
	"no end mark": {event(`{"content":"Hello."}`, "stop"), []string{"Hello.", ""}, llm.Response{Text: "Hello.", Model: "m", Finish: llm.FinishStop}},
}

func TestStream(t *testing.T) {
	for name, test := range streams {
		t.Run(name, func(t *testing.T) {
			m := serve(t, respond(test.body))
			texts, got, err := stream(t.Context(), m, llm.Request{Prompt: "?"})
			if err != nil || !reflect.DeepEqual(texts, test.texts) || inJSON(got) != inJSON(test.want) {
				t.Errorf("got  %q %+v, %v\nwant %q %+v", texts, got, err, test.texts, test.want)
			}
			for range llm.Stream(t.Context(), m, llm.Request{}) { // the loop can be left
				break
			}
		})
	}
}

// TestSecretURL checks that secrets in the base URL are sent but not shown.
func TestSecretURL(t *testing.T) {
	for _, base := range []string{"http://ada:hunter2@127.0.0.1:1/v1?api_key=hunter2", "http://hunter2@127.0.0.1:1/v1/?api_key=hunter2#x"} {
		var sent string
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			sent = r.URL.String()
			return nil, errors.New("no route")
		})
		m := openai.New("m", openai.BaseURL(base), openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport}))
		_, err := m.Generate(t.Context(), llm.Request{})
		checkError(t, err, `model: unreachable: Post "URL": no route`)
		if !strings.HasSuffix(sent, "127.0.0.1:1/v1/chat/completions?api_key=hunter2") || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "ada") {
			t.Errorf("sent to %s: %v", sent, err)
		}
	}
}

func TestManyCallsStreamed(t *testing.T) {
	var b strings.Builder
	for i := range 1001 {
		b.WriteString(event(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"name":"x"}}]}`, i), ""))
	}
	_, _, err := stream(t.Context(), serve(t, respond(b.String())), llm.Request{})
	checkError(t, err, "model: malformed response: there are more than 1000 calls in the answer")
}

func TestLongNameStreamed(t *testing.T) {
	body := strings.Repeat(event(`{"tool_calls":[{"index":0,"function":{"name":"x"}},{"index":0,"function":{"name":"z"}}]}`, ""), 600)
	_, _, err := stream(t.Context(), serve(t, respond(body)), llm.Request{})
	checkError(t, err, "model: malformed response: the name of a call is longer than 1024 bytes")
}

// TestUnsent checks requests that cannot be sent.
func TestUnsent(t *testing.T) {
	for name, test := range map[string]struct {
		model   llm.Model
		request llm.Request
		want    string
	}{
		"no URL": {openai.New("m", openai.BaseURL("localhost:8000/v1")), llm.Request{},
			`model: bad request: invalid base URL "localhost:8000/v1", expected one such as http://127.0.0.1:8000/v1`},
		"broken URL": {openai.New("m", openai.BaseURL("http://a b/")), llm.Request{},
			`model: bad request: invalid base URL "URL", expected one such as http://127.0.0.1:8000/v1`},
		"secret URL": {openai.New("m", openai.BaseURL("user:hunter2@host/v1")), llm.Request{},
			"model: bad request: invalid base URL, expected one such as http://127.0.0.1:8000/v1"},
		"header": {openai.New("m", openai.Header("X-A", "b\nc")), llm.Request{},
			"model: bad request: the header X-A has a line break or another control character"},
		"name of a header": {openai.New("m", openai.Header("X A", "b")), llm.Request{}, `model: bad request: invalid header name "X A"`},
		"key":              {openai.New("m", openai.Key("secret\n")), llm.Request{}, "model: bad request: the key has a line break or another control character"},
		"schema": {openai.New("m"), llm.Request{Schema: json.RawMessage(`{`)},
			"model: bad request: the schema of the answer cannot be used: expected a key in double quotes at byte 1, found the end of the text"},
		"tool": {openai.New("m"), llm.Request{Tools: []tool.Definition{{Name: "a", Input: json.RawMessage(`7`)}}},
			"model: bad request: the input schema of a cannot be used: it is 7, not a JSON object"},
		"same name": {openai.New("m"), llm.Request{Tools: []tool.Definition{{Name: "a b"}, {Name: "a_b_10a3f9f2"}}},
			`model: bad request: "a b" and "a_b_10a3f9f2" would both be called a_b_10a3f9f2`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.model.Generate(t.Context(), test.request)
			checkError(t, err, test.want)
			_, _, err = stream(t.Context(), test.model, test.request)
			checkError(t, err, test.want)
		})
	}
}

// TestRetry checks that models retry by default, with a fake clock.
func TestRetry(t *testing.T) {
	attempts := 0
	m := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if attempts++; attempts%3 != 0 {
			fail(429, "{}", "Retry-After", "2")(w, r)
			return
		}
		respond(plain)(w, r)
	})
	var waits []time.Duration
	retry := llm.Retry{Model: m, Sleep: func(_ context.Context, d time.Duration) { waits = append(waits, d) }}
	response, err := retry.Generate(t.Context(), llm.Request{Prompt: "?"})
	if err != nil || response.Text != "Hello." || !reflect.DeepEqual(waits, []time.Duration{2 * time.Second, 2 * time.Second}) {
		t.Errorf("%+v, %v after %v", response, err, waits)
	}
	if _, retries := openai.New("m").(llm.Retry); !retries {
		t.Error("by default the model does not retry")
	}
}

// TestClientTimeout checks a client that gives up. [TestModel] checks contexts.
func TestClientTimeout(t *testing.T) {
	silent := serve(t, func(_ http.ResponseWriter, r *http.Request) { waitForClient(r) }, openai.HTTPClient(&http.Client{Timeout: 20 * time.Millisecond}))
	_, err := silent.Generate(t.Context(), llm.Request{})
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.Timeout || !e.Retryable() {
		t.Error(err)
	}
}

// waitForClient returns after the client has disconnected.
func waitForClient(r *http.Request) {
	io.Copy(io.Discard, r.Body) // the server detects a disconnect only after reading the body
	<-r.Context().Done()
}

// FuzzAnswer checks that every answer becomes a response or a typed error, without a panic, and that
// the chunks of a stream add up to the response.
func FuzzAnswer(f *testing.F) {
	for _, a := range answers {
		f.Add([]byte(a.body))
	}
	for _, s := range streams {
		f.Add([]byte(s.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		transport := roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body))}, nil
		})
		m := openai.New("m", openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport}))
		req := llm.Request{Tools: []tool.Definition{labelTool}, Schema: answerSchema}
		var e *llm.Error
		if _, err := m.Generate(t.Context(), req); err != nil && !errors.As(err, &e) {
			t.Errorf("%v is no *llm.Error", err)
		}
		texts, response, err := stream(t.Context(), m, req)
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%v is no *llm.Error", err)
		}
		if text := strings.Join(texts, ""); err == nil && text != response.Text {
			t.Errorf("pieces %q make %q", texts, response.Text)
		}
	})
}

func Example() {
	// An endpoint, such as vLLM or the server of llama.cpp.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"model":"llama","choices":[{"message":{"role":"assistant","content":"Hello, Ada."},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":12,"completion_tokens":4}}`)
	}))
	defer server.Close()

	model := openai.New("llama", openai.BaseURL(server.URL+"/v1"))
	response, err := model.Generate(context.Background(), llm.Request{System: "Be brief.", Prompt: "Greet Ada."})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Text, response.Finish, response.Usage.Total())
	// Output:
	// Hello, Ada. stop 16
}

// inJSON returns answers and calls as complete JSON, because their text omits IDs.
func inJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values come from JSON
	}
	return string(text)
}
