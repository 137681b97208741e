package responses_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/aiongen/aiongen/adapters/responses"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// endpoint answers requests with fixed texts, after checking them like the double.
type endpoint struct {
	url    string
	mu     sync.Mutex
	bodies []string
	reply  func(w http.ResponseWriter, body string)
}

func startEndpoint(t *testing.T, reply func(w http.ResponseWriter, body string)) *endpoint {
	e := &endpoint{reply: reply}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		e.mu.Lock()
		e.bodies = append(e.bodies, string(body))
		e.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		e.reply(w, string(body))
	}))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// answerItems answers with the given items.
func answerItems(items ...string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, _ string) {
		_, _ = io.WriteString(w, `{"status":"completed","model":"m-1","output":[`+strings.Join(items, ",")+`]}`)
	}
}

func (e *endpoint) model(options ...responses.Option) llm.Model {
	return responses.New(newClient(e.url), "m", append(options, responses.NoRetry())...)
}

// last returns the last request, which the double must accept.
func (e *endpoint) last(t *testing.T) string {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	body := e.bodies[len(e.bodies)-1]
	if _, err := (api{}).Decode(httptest.NewRequest(http.MethodPost, "/v1/responses", nil), []byte(body)); err != nil {
		t.Errorf("OpenAI refuses the request: %v\n%s", err, body)
	}
	return body
}

func mustGenerate(t *testing.T, m llm.Model, req llm.Request) llm.Response {
	t.Helper()
	response, err := m.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// continueDialogue returns a request that sends a response back as another process reads it, with a
// result for each of its calls.
func continueDialogue(t *testing.T, response llm.Response) (req llm.Request) {
	t.Helper()
	messages := []llm.Message{{Role: llm.RoleUser, Text: "?"}, response.Message()}
	for _, c := range response.Calls {
		messages = append(messages, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: c.ID, Status: tool.StatusCompleted, Output: json.RawMessage(`1`)}})
	}
	text, err := json.Marshal(messages)
	if err == nil {
		err = json.Unmarshal(text, &req.Messages)
	}
	if err != nil {
		t.Fatal(err)
	}
	req.Prompt = "On."
	return req
}

const (
	reasoningItem = `{"id":"rs_1","type":"reasoning","encrypted_content":"a<b>&\u00e9 +/=","summary":[],"content":null}`
	programItem   = `{"type":"program", "id":"pr_1","call_id":"p1","code":"1 < 2","fingerprint":"f\/1"}`
	callItem      = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"add","arguments":"{ }","status":"completed","caller":{"type":"program","caller_id":"p1"}}`
	commentItem   = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","annotations":[],"text":"Wait."}]}`
	finalItem     = `{"id":"msg_2","type":"message","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","annotations":[],"text":"{\"n\":1}"}]}`
)

func TestItemsAreSentBackUnchanged(t *testing.T) {
	e := startEndpoint(t, answerItems(reasoningItem, commentItem, strings.Replace(reasoningItem, "rs_1", "rs_2", 1), programItem, callItem))
	response := mustGenerate(t, e.model(), llm.Request{Prompt: "?"})
	if response.Text != "Wait." || len(response.Calls) != 1 || response.Finish != llm.FinishCalls {
		t.Errorf("%+v", response)
	}
	mustGenerate(t, e.model(), continueDialogue(t, response))
	body := e.last(t)
	want := strings.Join([]string{reasoningItem, commentItem, strings.Replace(reasoningItem, "rs_1", "rs_2", 1), programItem, callItem,
		`{"type":"function_call_output","call_id":"call_1","output":"1","caller":{"type":"program","caller_id":"p1"}}`}, ",")
	if !strings.Contains(body, want) {
		t.Errorf("the request\n%s\nlacks\n%s", body, want)
	}
}

func TestItemsThatTheEndpointRejects(t *testing.T) {
	truncated := strings.Replace(strings.Replace(callItem, `{ }`, `{\"a`, 1), `"completed","caller":{"type":"program","caller_id":"p1"}`, `"incomplete"`, 1)
	lost := strings.Replace(reasoningItem, `"encrypted_content":"a<b>&\u00e9 +/=",`, "", 1)
	for name, test := range map[string]struct {
		items  []string
		absent string // of the next request
	}{
		"reasoning at the end":      {[]string{finalItem, reasoningItem}, "rs_1"},
		"only reasoning":            {[]string{reasoningItem}, "rs_1"},
		"reasoning without content": {[]string{lost, finalItem}, "_"},
		"incomplete arguments":      {[]string{reasoningItem, truncated}, `{\"a`},
		"call without an ID":        {[]string{reasoningItem, strings.Replace(truncated, "call_1", "", 1)}, `"call_id":""`},
		"call with a long ID":       {[]string{strings.Replace(truncated, "call_1", strings.Repeat("x", 99), 1)}, "xxx"},
		"invalid name":              {[]string{strings.Replace(truncated, `"add"`, `"a d d"`, 1)}, "a d d"},
	} {
		t.Run(name, func(t *testing.T) {
			e := startEndpoint(t, answerItems(test.items...))
			req := continueDialogue(t, mustGenerate(t, e.model(), llm.Request{Prompt: "?"}))
			mustGenerate(t, e.model(), req)
			input := strings.Split(e.last(t), `"input":`)[1]
			if input, _, _ = strings.Cut(input, `],"store"`); strings.Contains(strings.ReplaceAll(input, "function_call", ""), test.absent) && test.absent != "_" || test.absent == "_" && strings.Contains(input, "msg_2") {
				t.Errorf("the input contains %q: %s", test.absent, input)
			}
			req.Messages = append(req.Messages, req.Messages[1:]...) // the same items again
			mustGenerate(t, e.model(), req)
			e.last(t)
		})
	}
}

func TestItemsOfAnotherEndpoint(t *testing.T) {
	a, b := startEndpoint(t, answerItems(reasoningItem, finalItem)), startEndpoint(t, answerItems(finalItem))
	req := continueDialogue(t, mustGenerate(t, a.model(), llm.Request{Prompt: "?"}))
	mustGenerate(t, b.model(), req)
	if body := b.last(t); strings.Contains(body, "encrypted_content\":") || strings.Contains(body, "msg_2") || !strings.Contains(body, `{\"n\":1}`) || len(b.bodies) != 1 {
		t.Errorf("after %d requests: %s", len(b.bodies), body)
	}
}

// refuseWhile refuses requests that contain a text.
func refuseWhile(contained, report string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, body string) {
		if strings.Contains(body, contained) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":`+report+`}`)
			return
		}
		answerItems(finalItem)(w, body)
	}
}

func TestUnsupportedParameters(t *testing.T) {
	half := 0.5
	for contained, test := range map[string]struct {
		report string
		req    llm.Request
	}{
		"encrypted_content": {`{"message":"Encrypted content is not supported with this model.","param":"include","type":"invalid_request_error"}`, llm.Request{}},
		`"temperature"`:     {`{"message":"Unsupported parameter: 'temperature' is not supported with this model.","param":"temperature"}`, llm.Request{Temperature: &half}},
		`"top_p"`:           {`{"message":"Unsupported parameter: 'top_p' is not supported with this model.","param":null}`, llm.Request{TopP: &half}},
		`"summary"`:         {`{"message":"Your organization must be verified to generate reasoning summaries.","param":"reasoning.summary"}`, llm.Request{}},
		`"output_schema"`:   {`{"message":"Unknown parameter: 'tools[0].output_schema'.","param":"tools[0].output_schema"}`, llm.Request{Tools: []tool.Definition{{Name: "a", Output: json.RawMessage(`{"type":"integer"}`)}}}},
	} {
		e := startEndpoint(t, refuseWhile(contained, test.report))
		m := e.model(responses.Summary("auto"))
		test.req.Prompt = "?"
		mustGenerate(t, m, test.req)
		mustGenerate(t, m, test.req)
		if len(e.bodies) != 3 { // it is left out of later requests
			t.Errorf("%s: %d requests", contained, len(e.bodies))
		}
	}
	e := startEndpoint(t, refuseWhile(`"temperature"`, `{"message":"Invalid 'temperature': decimal above maximum value.","param":"temperature"}`))
	if _, err := e.model().Generate(t.Context(), llm.Request{Prompt: "?", Temperature: &half}); kind(err) != llm.BadRequest {
		t.Error(err)
	}
}

func TestItemsThatCannotBeDecrypted(t *testing.T) {
	e := startEndpoint(t, answerItems(reasoningItem, finalItem))
	req := continueDialogue(t, mustGenerate(t, e.model(), llm.Request{Prompt: "?"}))
	e.reply = refuseWhile("rs_1", `{"message":"The encrypted content gAAA could not be verified.","code":"invalid_encrypted_content"}`)
	mustGenerate(t, e.model(), req)
	if body := e.last(t); strings.Contains(body, "rs_1") || !strings.Contains(body, `{\"n\":1}`) {
		t.Error(body)
	}
}

// kind returns the kind of an *llm.Error; "" for other errors.
func kind(err error) string {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e.Kind
	}
	return ""
}

// TestAddedTools adds tools during a dialogue. Each request must begin with the bytes of the one
// before it, up to the end of its input.
func TestAddedTools(t *testing.T) {
	e := startEndpoint(t, answerItems(reasoningItem, finalItem))
	turn := 0
	e.reply = func(w http.ResponseWriter, body string) {
		turn++
		id := string(rune('a' + turn))
		answerItems(strings.ReplaceAll(reasoningItem, "rs_1", "rs_"+id), strings.ReplaceAll(finalItem, "msg_2", "msg_"+id))(w, body)
	}
	req := llm.Request{System: "Be kind.", Tools: []tool.Definition{{Name: "m"}}, Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}}}
	for _, added := range []string{"", "z", "", "a", ""} {
		if added != "" {
			req.Tools = append(req.Tools, tool.Definition{Name: added})
			slices.SortFunc(req.Tools, func(a, b tool.Definition) int { return strings.Compare(a.Name, b.Name) })
		}
		response := mustGenerate(t, e.model(), req)
		req.Messages = append(req.Messages, response.Message(), llm.Message{Role: llm.RoleUser, Text: "On."})
	}
	for i, body := range e.bodies[1:] {
		before, _, _ := strings.Cut(e.bodies[i], `],"store"`)
		if !strings.HasPrefix(body, before) {
			t.Errorf("request %d does not continue request %d:\n%s\n%s", i+2, i+1, e.bodies[i], body)
		}
	}
	body := e.last(t)
	if strings.Count(body, `"additional_tools"`) != 2 || strings.Count(body, `"name":"a"`) != 1 || strings.Count(body, `"name":"m"`) != 1 {
		t.Error(body)
	}
	e.reply = refuseWhile("additional_tools", `{"message":"Invalid value: 'additional_tools'.","param":"input[3].type"}`)
	mustGenerate(t, e.model(), req)
	if body := e.last(t); !strings.Contains(body, `"name":"z"`) {
		t.Error(body)
	}
	req.Tools = req.Tools[:1] // tools that are removed are not offered
	mustGenerate(t, e.model(), req)
	if body := e.last(t); strings.Contains(body, `"name":"z"`) {
		t.Error(body)
	}
}

func TestAttachments(t *testing.T) {
	e := startEndpoint(t, answerItems(strings.Replace(callItem, `,"caller":{"type":"program","caller_id":"p1"}`, "", 1)))
	req := continueDialogue(t, mustGenerate(t, e.model(), llm.Request{Prompt: "?"}))
	req.Messages[2].Result.Content = []content.Part{content.Image("image/png", []byte("png")), content.File("file:///a.pdf", "application/pdf", []byte("pdf")), content.Audio("audio/wav", []byte("wav"))}
	mustGenerate(t, e.model(), req)
	body := e.last(t)
	for _, want := range []string{`"output":[{"type":"input_text","text":"1\n`, `{"type":"input_image","image_url":"data:image/png;base64,cG5n","detail":"auto"}`, `{"type":"input_file","filename":"file.pdf","file_data":"data:application/pdf;base64,cGRm"}]`} {
		if !strings.Contains(body, want) {
			t.Errorf("the request lacks %s: %s", want, body)
		}
	}
}

func TestExtraObjects(t *testing.T) {
	e := startEndpoint(t, answerItems(reasoningItem, commentItem, finalItem))
	m := e.model(responses.Extra("text", map[string]any{"verbosity": "low"}), responses.Extra("prompt_cache_key", "desk"), responses.Summary("concise"))
	req := llm.Request{Prompt: "?", Effort: "high", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`)}
	if response := mustGenerate(t, m, req); response.Text != `{"n":1}` {
		t.Errorf("the text with comments is %q", response.Text)
	}
	body := e.last(t)
	for _, want := range []string{`"verbosity":"low"`, `"strict":true`, `"effort":"high"`, `"summary":"concise"`, `"prompt_cache_key":"desk"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the request lacks %s: %s", want, body)
		}
	}
	for _, extra := range []string{`{"format":{"type":"text"}}`, `7`} {
		req.Extra = map[string]json.RawMessage{"text": json.RawMessage(extra)}
		if _, err := m.Generate(t.Context(), req); kind(err) != llm.BadRequest {
			t.Errorf("%s: %v", extra, err)
		}
	}
}

// TestSecrets checks that a key that the endpoint repeats is not shown.
func TestSecrets(t *testing.T) {
	e := startEndpoint(t, func(w http.ResponseWriter, _ string) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":{"message":"Incorrect API key provided: `+llmtest.Key+`."}}`)
	})
	if _, err := e.model().Generate(t.Context(), llm.Request{Prompt: "?"}); kind(err) != llm.Unauthorized || strings.Contains(err.Error(), llmtest.Key) {
		t.Error(err)
	}
	client := openai.NewClient(option.WithBaseURL("http://127.0.0.1:1/v1"), option.WithAPIKey("k"), option.WithQuery("key", "secret-query"))
	if _, err := responses.New(client, "m", responses.NoRetry()).Generate(t.Context(), llm.Request{Prompt: "?"}); kind(err) != llm.Unreachable || strings.Contains(err.Error(), "secret-query") {
		t.Error(err)
	}
}
