package openai_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestFailedChoice checks errors in a choice, in whole answers and in streams, as OpenRouter and
// Mistral send them with the status 200.
func TestFailedChoice(t *testing.T) {
	for choice, want := range map[string]string{
		`"error":{"code":502},"message":{"content":""},"finish_reason":"error"`:                            "model: server error (status 200): the endpoint reports only: 502",
		`"error":{"code":429,"message":"Slow down."},"message":{"content":"Hel"},"finish_reason":"error"`:  "model: rate limited (status 200): Slow down.",
		`"error":{"code":400,"message":"No."},"message":{"content":"Hel"},"finish_reason":null`:            "model: bad request (status 200): No.",
		`"message":{"content":"Hel"},"finish_reason":"error"`:                                              "model: server error (status 200): the endpoint gives no reason",
		`"error":null,"index":0,"message":{"content":""},"finish_reason":"error","native_finish_reason":1`: "model: server error (status 200): the endpoint gives no reason",
	} {
		_, err := serve(t, respond(`{"choices":[{`+choice+`}]}`)).Generate(t.Context(), llm.Request{})
		checkError(t, err, want)
		_, _, err = stream(t.Context(), serve(t, respond(`{"choices":[{`+choice+`}]}`)), llm.Request{})
		checkError(t, err, want)
		piece := `data: {"choices":[{` + strings.Replace(choice, `"message":{`, `"delta":{`, 1) + `}]}` + "\n\n"
		_, _, err = stream(t.Context(), serve(t, respond(event(`{"content":"Hel"}`, "")+piece+done)), llm.Request{})
		checkError(t, err, want)
	}
	const other = `{"choices":[{"index":0,"error":null,"message":{"content":"y"}},{"index":1,"error":{"code":502}}]}` // only one choice was requested
	if response, err := serve(t, respond(other)).Generate(t.Context(), llm.Request{}); err != nil || response.Text != "y" {
		t.Error(response, err)
	}
}

// TestNoMessage checks that answers without a message are malformed, so that the request is repeated,
// unless they give a reason.
func TestNoMessage(t *testing.T) {
	for choice, isMalformed := range map[string]bool{
		`null`: true, `"x"`: true, `{}`: true, `{"message":null}`: true, `{"message":"Hello."}`: true, `{"text":"Hello.","finish_reason":"stop"}`: true,
		`{"finish_reason":"tool_calls"}`: true, `{"message":{"content":""}}`: false, `{"message":{}}`: false, `{"finish_reason":"content_filter"}`: false, `{"finish_reason":"SAFETY"}`: false,
	} {
		body := `{"choices":[` + choice + `]}`
		_, err := serve(t, respond(body)).Generate(t.Context(), llm.Request{})
		_, _, documentErr := stream(t.Context(), serve(t, respond(body)), llm.Request{})
		_, _, streamErr := stream(t.Context(), serve(t, respond("data: "+body+"\n\n"+done)), llm.Request{})
		for _, err := range []error{err, documentErr, streamErr} {
			failed, _ := err.(*llm.Error)
			if isMalformed != (failed != nil) || failed != nil && (failed.Kind != llm.Malformed || !failed.Retryable()) {
				t.Errorf("%s: %v", body, err)
			}
		}
	}
}

// TestParallel checks streams of several calls from endpoints that do not say clearly which piece
// belongs to which call.
func TestParallel(t *testing.T) {
	piece := func(members, name, arguments string) string {
		if name != "" {
			name = fmt.Sprintf(`"name":%q,`, name)
		}
		return event(fmt.Sprintf(`{"tool_calls":[{%s"type":"function","function":{%s"arguments":%q}}]}`, members, name, arguments), "")
	}
	for where, members := range map[string]string{"one index": `"index":0,"id":"",`, "no index": `"id":"",`, "neither": ``} {
		for name, test := range map[string]struct {
			body string
			want []tool.Request
		}{
			"whole": {
				piece(members, "add", `{"x":1}`) + piece(members, "add", `{"x":2}`),
				calls(request("", "add", `{"x":1}`), request("", "add", `{"x":2}`)),
			},
			"in pieces": {
				piece(members, "add", "") + piece(members, "", `{"x":"}`) + piece(members, "", `\"{"}`) + piece(members, "now", "{}"),
				calls(request("", "add", `{"x":"}\"{"}`), request("", "now", "{}")),
			},
			"name again": {
				piece(members, "add", "") + piece(members, "add", `{"x":`) + piece(members, "add", "1}") + piece(members, "add", ""),
				calls(request("", "add", `{"x":1}`)),
			},
			"no arguments": {
				piece(members, "now", "") + piece(members, "add", `{"x":1}`),
				calls(request("", "now", ""), request("", "add", `{"x":1}`)),
			},
			"name in pieces": {
				piece(members, "add", "") + piece(members, "_all", `{"x":1}`),
				calls(request("", "add_all", `{"x":1}`)),
			},
			"cut": {
				piece(members, "add", `{"x":1`) + piece(members, "", `}`) + piece(members, "", ` `),
				calls(request("", "add", `{"x":1} `)),
			},
			"blanks behind": {
				piece(members, "add", `{"x":1}`) + piece(members, "add", "\n"),
				calls(request("", "add", "{\"x\":1}\n")),
			},
		} {
			t.Run(where+"/"+name, func(t *testing.T) {
				offered := []tool.Definition{{Name: "add"}, {Name: "now"}, {Name: "add_all"}}
				_, got, err := stream(t.Context(), serve(t, respond(test.body+event(`{}`, "tool_calls")+done)), llm.Request{Tools: offered})
				if err != nil || inJSON(got.Calls) != inJSON(test.want) {
					t.Errorf("got  %+v, %v\nwant %+v", got.Calls, err, test.want)
				}
			})
		}
	}
}

// TestOneID checks a stream of several calls with the same ID.
func TestOneID(t *testing.T) {
	piece := func(name, arguments string) string {
		return event(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call","function":{"name":%q,"arguments":%q}}]}`, name, arguments), "")
	}
	body := piece("add", `{"x":`) + piece("add", `1}`) + piece("add", "") + piece("add", `{"x":2}`) + piece("now", "{}")
	_, got, err := stream(t.Context(), serve(t, respond(body+done)), llm.Request{Tools: []tool.Definition{{Name: "add"}, {Name: "now"}}})
	want := calls(request("call", "add", `{"x":1}`), request("call", "add", `{"x":2}`), request("call", "now", "{}"))
	if err != nil || inJSON(got.Calls) != inJSON(want) {
		t.Errorf("got  %+v, %v\nwant %+v", got.Calls, err, want)
	}
}

// TestUnfinished checks streams without a finish reason.
func TestUnfinished(t *testing.T) {
	for name, test := range map[string]struct{ body, want, err string }{
		"marked end":  {event(`{"content":"Hel"}`, "") + event(`{"content":"lo."}`, "") + done, "Hello.", ""},
		"no mark":     {event(`{"content":"Hel"}`, ""), "", "model: cut off (status 200): the stream ended before the answer was complete"},
		"no choice":   {`data: {"choices":[]}` + "\n\n" + done, "", "model: malformed response: there is no choice in the answer"},
		"only an end": {done, "", `model: malformed response (status 200): there is no event in the stream, it begins with "data: [DONE]"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, got, err := stream(t.Context(), serve(t, respond(test.body)), llm.Request{})
			if test.err != "" {
				checkError(t, err, test.err)
				return
			}
			if err != nil || got.Text != test.want || got.Finish != llm.FinishStop {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// TestDocumentForStream checks endpoints that answer a request for a stream with one document. Every
// document that is accepted as a whole answer must be accepted here.
func TestDocumentForStream(t *testing.T) {
	for name, test := range answers {
		t.Run(name, func(t *testing.T) {
			texts, got, err := stream(t.Context(), serve(t, respond(test.body)), llm.Request{Prompt: "?"})
			if err != nil || inJSON(got) != inJSON(test.want) || !reflect.DeepEqual(texts, []string{test.want.Text}) {
				t.Errorf("got  %q %+v, %v\nwant %+v", texts, got, err, test.want)
			}
		})
	}
}

// TestHost checks that OpenAI is recognized by its host.
func TestHost(t *testing.T) {
	for base, want := range map[string]bool{
		"https://api.openai.com/v1":                 true,
		"https://api.openai.com/v1/":                true,
		"https://API.OpenAI.com:443/v1":             true,
		"https://eu.api.openai.com/v1":              true,
		"https://us.api.openai.com/v1/":             true,
		"https://api.openai.com/v1?a=b":             true,
		"https://x.openai.azure.com/openai/v1":      false,
		"https://notapi.openai.com/v1":              false,
		"https://evilapi.openai.com.example.org/v1": false,
		"https://example.org/api.openai.com/v1":     false,
		"http://127.0.0.1:8000/v1":                  false,
	} {
		var body string
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			text, _ := io.ReadAll(r.Body)
			body = string(text)
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(plain))}, nil
		})
		m := openai.New("m", openai.BaseURL(base), openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport}))
		if _, err := m.Generate(t.Context(), llm.Request{Prompt: "?", MaxTokens: 9, Tools: []tool.Definition{{Name: "now"}}}); err != nil {
			t.Fatal(err)
		}
		if strict, limit := strings.Contains(body, `"strict":true`), strings.Contains(body, `"max_completion_tokens"`); strict != want || limit != want {
			t.Errorf("%s is OpenAI: strict %v, limit %v", base, strict, limit)
		}
	}
}

// TestEvents checks the forms that a stream may have.
func TestEvents(t *testing.T) {
	first, last := event(`{"content":"Hel"}`, ""), event(`{"content":"lo."}`, "stop")
	lines := strings.NewReplacer(`,"choices"`, ",\ndata:\ndata:\"choices\"", `"delta":`, "\"delta\"\ndata: :")
	for name, body := range map[string]string{
		"byte order mark": "\uFEFF" + first + last + done,
		"several lines":   "event: x\nid: 7\nretry: 1\n" + lines.Replace(first) + ": still there\n\n" + lines.Replace(last) + done,
		"CRLF":            strings.ReplaceAll(lines.Replace(first+last+done), "\n", "\r\n"),
		"no blank lines":  strings.ReplaceAll(first+last+done, "\n\n", "\n"),
		"no space":        strings.ReplaceAll(first+last+done, "data: ", "data:"),
		"empty data":      "data:\n\n" + first + "data: \n\n" + last + done,
		"no last line":    strings.TrimSpace(first + last),
		"no marks":        strings.ReplaceAll(first+last, "data: ", ""),
		"none at the end": strings.ReplaceAll(first+event(`{"content":"lo."}`, "")+done, "data: ", ""),
		"behind the end":  first + last + done + "data: nonsense\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			texts, got, err := stream(t.Context(), serve(t, respond(body)), llm.Request{})
			if err != nil || got.Text != "Hello." || !reflect.DeepEqual(texts, []string{"Hel", "lo.", ""}) {
				t.Errorf("%q %+v, %v", texts, got, err)
			}
		})
	}
	if got, err := serve(t, respond("\uFEFF\n"+plain)).Generate(t.Context(), llm.Request{}); err != nil || got.Text != "Hello." {
		t.Error(got, err)
	}
}

// TestUsage checks token counts under other names.
func TestUsage(t *testing.T) {
	for usage, want := range map[string]llm.Usage{
		`"usage":{"prompt_tokens":9,"completion_tokens":5,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":5}`:                     {Input: 9, Output: 5, Cached: 4},
		`"usage":{"prompt_tokens":9,"completion_tokens":5,"prompt_cache_hit_tokens":4,"prompt_tokens_details":{"cached_tokens":3}}`:      {Input: 9, Output: 5, Cached: 3},
		`"x_groq":{"id":"x","usage":{"prompt_tokens":9,"completion_tokens":5}}`:                                                          {Input: 9, Output: 5},
		`"usage":null,"x_groq":{"id":"x","usage":{"prompt_tokens":9,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":3}}}`: {Input: 9, Output: 5, Cached: 3},
		`"usage":{"prompt_tokens":9,"completion_tokens":6},"x_groq":{"id":"x","usage":{"prompt_tokens":1,"completion_tokens":1}}`:        {Input: 9, Output: 6},
		`"x_groq":{"id":"x"}`: {},
		`"x_groq":"broken"`:   {},
	} {
		body := `{"choices":[{"index":0,"message":{"content":"x"},"delta":{"content":"x"},"finish_reason":"stop"}],` + usage + `}`
		whole, err := serve(t, respond(body)).Generate(t.Context(), llm.Request{})
		_, streamed, streamErr := stream(t.Context(), serve(t, respond("data: "+body+"\n\n"+"data: {\"choices\":[]}\n\n"+done)), llm.Request{})
		if err != nil || streamErr != nil || whole.Usage != want || streamed.Usage != want {
			t.Errorf("%s is %+v, %v and streamed %+v, %v", usage, whole.Usage, err, streamed.Usage, streamErr)
		}
	}
}

// TestComplaints checks the forms in which endpoints report errors.
func TestComplaints(t *testing.T) {
	for body, want := range map[string]string{
		`{"object":"error","message":"No such model.","type":"NotFoundError","param":null,"code":404}`:     "No such model.", // vLLM before 0.10
		`{"error":{"message":"No such model.","type":"NotFoundError","param":null,"code":404}}`:            "No such model.", // vLLM
		"[{\n  \"error\": {\"code\": 404, \"message\": \"No such\\nmodel.\", \"status\": \"NOT_FOUND\"}}]": "No such model.", // Gemini
		`{"error":"model 'm' not found"}`:                                            "model 'm' not found", // Ollama
		`{"detail":"Not Found"}`:                                                     "Not Found",           // FastAPI
		`{"detail":[{"loc":["body"],"msg":"x"}]}`:                                    `[{"loc":["body"],"msg":"x"}]`,
		`{"object":"error","message":{"detail":"x"},"type":"invalid_request_error"}`: `{"detail":"x"}`,   // Mistral
		`{"message":"no Route matched"}`:                                             "no Route matched", // Kong
		`[]`:                                                                         "[]",
		`[7]`:                                                                        "[7]",
		`{"error":{}}`:                                                               `{"error":{}}`,
		`upstream`:                                                                   "upstream",
	} {
		_, err := serve(t, fail(404, body)).Generate(t.Context(), llm.Request{})
		checkError(t, err, "model: bad request (status 404): "+want)
		_, _, err = stream(t.Context(), serve(t, fail(404, body)), llm.Request{})
		checkError(t, err, "model: bad request (status 404): "+want)
	}
	const flat = `{"object":"error","message":"Too long.","type":"BadRequestError","param":null,"code":400}`
	_, err := serve(t, respond(flat)).Generate(t.Context(), llm.Request{})
	checkError(t, err, "model: bad request (status 200): Too long.")
	_, _, err = stream(t.Context(), serve(t, respond(event(`{}`, "")+"data: "+flat+"\n\n")), llm.Request{})
	checkError(t, err, "model: bad request (status 200): Too long.")

	for body, want := range map[string]string{
		`{"message":"Too busy.","type":"overloaded"}`:      "model: server error (status 200): Too busy.",
		`{"detail":"Too long.","code":400}`:                "model: server error (status 200): Too long.",
		`{"message":{"content":"Hello."},"done":true}`:     "", // Ollama's own
		`{"choices":[],"message":"Nothing.","detail":"x"}`: "",
	} {
		_, err := serve(t, respond(body)).Generate(t.Context(), llm.Request{})
		checkError(t, err, cmp.Or(want, fmt.Sprintf("model: malformed response (status 200): there is no choice in the answer, it begins with %q", body)))
		want = cmp.Or(want, "model: malformed response: there is no choice in the answer")
		_, _, err = stream(t.Context(), serve(t, respond("event: error\ndata: "+body+"\n\n"+done)), llm.Request{})
		checkError(t, err, want)
	}
}

// TestRetryAfterMs checks a delay in milliseconds.
func TestRetryAfterMs(t *testing.T) {
	_, err := serve(t, fail(429, "{}", "Retry-After-Ms", "1250", "Retry-After", "2")).Generate(t.Context(), llm.Request{})
	if e, ok := err.(*llm.Error); !ok || e.RetryAfter != 1250*time.Millisecond {
		t.Error(err)
	}
}
