package anthropic_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestSettings checks the settings that depend on the model.
func TestSettings(t *testing.T) {
	e := startEndpoint(t, answerContent("end_turn", `{"type":"text","text":"Yes."}`))
	for _, test := range []struct {
		model string
		req   llm.Request
		want  []string // parts of the body
	}{
		{"claude-opus-4-8", llm.Request{Temperature: new(0.5)}, []string{`"max_tokens":64000,"stream":true,"messages"`}},
		{"claude-haiku-4-5-20251001", llm.Request{Temperature: new(0.5)}, []string{`"max_tokens":32000`, `"temperature":0.5`}},
		{"us.anthropic.claude-sonnet-4-20250514-v1:0", llm.Request{MaxTokens: 100}, []string{`"max_tokens":100,"messages"`}},
		{"my-deployment", llm.Request{TopP: new(0.5)}, []string{`"max_tokens":32000`, `"top_p":0.5`}},
		{"claude-opus-4-8", llm.Request{Effort: "none"}, []string{`"thinking":{"type":"disabled"}`}},
		{"claude-opus-5-5", llm.Request{Effort: "max", TopP: new(0.5)}, []string{`"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"max"},"messages"`}},
		{"claude-sonnet-4-5", llm.Request{Effort: "medium", Temperature: new(0.5)}, []string{`"thinking":{"type":"enabled","budget_tokens":8192},"messages"`}},
		{"claude-sonnet-4-5", llm.Request{Effort: "high", MaxTokens: 4000}, []string{`"budget_tokens":2000}`}},
		{"claude-sonnet-4-5", llm.Request{Effort: "none", Temperature: new(0.5)}, []string{`"thinking":{"type":"disabled"},"temperature":0.5`}},
	} {
		test.req.Prompt = "?"
		generate(t, e.model(test.model), test.req)
		body, _ := e.last(t)
		for _, part := range test.want {
			if !strings.Contains(body, part) {
				t.Errorf("%s sends %s, want %s", test.model, body, part)
			}
		}
	}
}

// TestRefused checks requests that cannot be sent.
func TestRefused(t *testing.T) {
	e := startEndpoint(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	now := []tool.Definition{{Name: "now", Description: "Now."}}
	for want, test := range map[string]struct {
		model string
		req   llm.Request
	}{
		"always thinks":                    {"claude-opus-5-5", llm.Request{Effort: "none"}},
		"invalid effort":                   {"claude-sonnet-4-5", llm.Request{Effort: "extreme"}},
		"too small for thinking":           {"claude-sonnet-4-5", llm.Request{Effort: "low", MaxTokens: 2000}},
		"leave out Effort or ToolChoice":   {"claude-sonnet-4-5", llm.Request{Effort: "low", ToolChoice: llm.AnyTool, Tools: now}},
		"Temperature and TopP together":    {"claude-sonnet-4-5", llm.Request{Temperature: new(0.5), TopP: new(0.5)}},
		"does not support seeds":           {"claude-sonnet-4-5", llm.Request{Seed: new(1)}},
		"not image/tiff":                   {"claude-sonnet-4-5", llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Parts: []content.Part{content.Image("image/tiff", []byte("x"))}}}}},
		"not audio/wav":                    {"claude-sonnet-4-5", llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Parts: []content.Part{{Media: "audio/wav", URL: "https://example.com/a.wav"}}}}}},
		"only a message of the user":       {"claude-sonnet-4-5", llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}, {Role: llm.RoleSystem, Parts: []content.Part{content.Text("x")}}}}},
		"no message with content":          {"claude-sonnet-4-5", llm.Request{System: "Be kind.", Messages: []llm.Message{{Role: llm.RoleUser, Text: " "}}}},
		"already contains the extra membe": {"claude-sonnet-4-5", llm.Request{Extra: map[string]json.RawMessage{"messages": json.RawMessage(`[]`)}}},
		"is not valid JSON":                {"claude-sonnet-4-5", llm.Request{Extra: map[string]json.RawMessage{"metadata": json.RawMessage(`{`)}}},
	} {
		if test.req.Messages == nil {
			test.req.Prompt = "?"
		}
		if _, err := e.model(test.model).Generate(t.Context(), test.req); kindOf(err) != llm.BadRequest || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", test.req, err, want)
		}
	}
}

// TestErrors checks errors of the API.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		status        int
		kind, message string
		want          string
	}{
		{529, "overloaded_error", "Overloaded", llm.ServerError},
		{429, "rate_limit_error", "This request would exceed your rate limit", llm.RateLimited},
		{400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum", llm.ContextFull},
		{400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000", llm.ContextFull},
		{413, "request_too_large", "Request exceeds the maximum size", llm.ContextFull},
		{400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.", llm.QuotaExceeded},
		{400, "invalid_request_error", "You have reached your specified API usage limits.", llm.QuotaExceeded},
		{403, "permission_error", "Your key may not use this", llm.Unauthorized},
		{404, "not_found_error", "model: claude-7", llm.BadRequest},
		{504, "timeout_error", "Request timed out", llm.Timeout},
		{502, "", "", llm.ServerError},
	} {
		e := startEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3")
			sendError(w, test.status, test.kind, test.message)
		})
		_, err := e.model(newestModel).Generate(t.Context(), llm.Request{Prompt: "?"})
		got, ok := errors.AsType[*llm.Error](err)
		if !ok || got.Kind != test.want || got.Status != test.status || got.RetryAfter != 3*time.Second || len(e.bodies) != 1 {
			t.Errorf("%d %s: %v after %d requests, want %s", test.status, test.kind, err, len(e.bodies), test.want)
		}
	}
}

// TestRetry checks that requests are repeated, but not by the SDK in addition.
func TestRetry(t *testing.T) {
	e := startEndpoint(t, inTurn(
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After-Ms", "1")
			sendError(w, 529, "overloaded_error", "Overloaded")
		},
		answerContent("end_turn", `{"type":"text","text":"Yes."}`),
	))
	retry, ok := anthropic.New(newClient(e.url), newestModel).(llm.Retry)
	if !ok || llm.Name(retry) != newestModel {
		t.Fatalf("the model is a %T", anthropic.New(newClient(e.url), newestModel))
	}
	retry.Backoff = time.Nanosecond
	if got := generate(t, retry, llm.Request{Prompt: "?"}); got.Text != "Yes." || len(e.bodies) != 2 {
		t.Errorf("%+v after %d requests", got, len(e.bodies))
	}
}

// TestResult checks the results of calls.
func TestResult(t *testing.T) {
	e := startEndpoint(t, answerContent("end_turn", `{"type":"text","text":"Yes."}`))
	calls := []tool.Request{{ID: "functions.see:0", Name: "see"}, {ID: "b", Name: "see", Arguments: json.RawMessage(`{"a":"\ud83d"}`)}, {ID: "b", Name: "no such tool!"}}
	generate(t, e.model(newestModel), llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "Go."}, {Role: llm.RoleAssistant, Calls: calls},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "functions.see:0", Output: json.RawMessage(`{"a":1}`), Note: "It was cut.", Content: []content.Part{
			content.Image("image/png", []byte("png")), {Media: "application/pdf", Data: []byte("%PDF"), Name: "a.pdf"}, content.Audio("audio/wav", []byte("RIFF")), content.Text("More."),
		}}},
		{Role: llm.RoleUser, Text: "In the middle."},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "b", Err: errors.New("no such place"), Content: []content.Part{content.Image("image/png", []byte("png"))}}},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "b"}},
	}})
	body, sent := e.last(t)
	results := sent.Messages[len(sent.Messages)-1].Content
	for _, part := range []string{
		`{"type":"text","text":"{\"a\":1}\nIt was cut.\nAttached: \"audio (audio/wav, 4 bytes)\"\nAttached: \"More.\""}`,
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}},{"type":"document"`,
		`"is_error":true`, `{"a":"\ufffd"}`, `"name":"unknown"`, `{"type":"text","text":"null"}`,
	} {
		if !strings.Contains(body, part) {
			t.Errorf("%s\nis not in\n%s", part, body)
		}
	}
	if len(results) != 4 || results[0].ToolUseID != "c00000003" || results[1].IsError != true || results[3].Text != "In the middle." {
		t.Errorf("%+v", results)
	}
}

// TestRefusal checks that the explanation of a refusal is the text of an empty answer.
func TestRefusal(t *testing.T) {
	refusal := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"type":"message","content":[],"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"Not this."},"usage":{}}`))
	}
	e := startEndpoint(t, refusal)
	got := generate(t, e.model(newestModel), llm.Request{Prompt: "?"})
	if got.Text != "Not this." || got.Finish != llm.FinishRefused {
		t.Errorf("%+v", got)
	}
	generate(t, e.model(newestModel), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}, throughJournal(t, got.Message())}, Prompt: "Why?"})
}

// TestChangedMessage checks that a message that has changed is sent without the data of the provider, and
// that blank texts are not sent back.
func TestChangedMessage(t *testing.T) {
	thinking := inJSON(map[string]any{"type": "thinking", "thinking": "Hm.", "signature": signature("Hm.", "x")})
	e := startEndpoint(t, answerContent("tool_use", thinking, `{"type":"text","text":"\n\n"}`, `{"type":"tool_use","id":"toolu_1","name":"now","input":{}}`))
	m := e.model(newestModel)
	req := llm.Request{Prompt: "?", Tools: []tool.Definition{{Name: "now", Description: "Now."}}}
	got := generate(t, m, req).Message()
	result := llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: "toolu_1", Output: json.RawMessage(`1`)}}
	for _, test := range []struct {
		model   string
		change  func(*llm.Message)
		returns bool
	}{
		{newestModel, func(*llm.Message) {}, true},
		{newestModel, func(m *llm.Message) { m.Text = "Changed." }, false},
		{middleModel, func(*llm.Message) {}, false},
	} {
		message := got
		test.change(&message)
		req.Prompt, req.Messages = "", []llm.Message{{Role: llm.RoleUser, Text: "?"}, message, result}
		generate(t, e.model(test.model), req)
		if body, _ := e.last(t); strings.Contains(body, thinking) != test.returns {
			t.Errorf("%s with the text %q sends %s", test.model, message.Text, body)
		}
	}
}

// TestStreamedDocument checks answers of Generate that are streamed, and their equality with documents.
func TestStreamedDocument(t *testing.T) {
	a := llmtest.Answer{Opaque: "a<b>", Response: llm.Response{Text: "Yes.", Reasoning: "Hm.", Finish: llm.FinishCalls, Calls: []tool.Request{{ID: "toolu_1", Name: "now", Arguments: json.RawMessage(`{"a": 1.0}`)}}}}
	document := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(messagesAPI{}.Document(a))
	}
	e := startEndpoint(t, inTurn(answerEvents(a), document))
	m := e.model(newestModel)
	streamed := generate(t, m, llm.Request{Prompt: "?"})
	if _, sent := e.last(t); !sent.Stream {
		t.Error("the request is not streamed")
	}
	whole := generate(t, m, llm.Request{Prompt: "?", MaxTokens: 100})
	if _, sent := e.last(t); sent.Stream {
		t.Error("the request is streamed")
	}
	if len(whole.Calls) != 1 || len(streamed.Calls) != 1 || whole.Reasoning != streamed.Reasoning {
		t.Errorf("%+v, %+v", whole, streamed)
	}
	if got, want := strings.ReplaceAll(string(streamed.Provider), ": 1.0", ":1.0"), string(whole.Provider); got != want {
		t.Errorf("the streamed data is\n%s\nwant\n%s", got, want)
	}
}
