package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// streamer is a model that streams the given chunks and ignores the consumer.
type streamer struct {
	llm.Func
	chunks []llm.Chunk
	err    error
}

func (s streamer) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for _, chunk := range s.chunks {
			if !yield(chunk, nil) {
				return
			}
		}
		if s.err != nil {
			yield(llm.Chunk{}, s.err)
		}
	}
}

// read returns the texts of a stream, its response and its error.
func read(stream iter.Seq2[llm.Chunk, error]) (texts []string, response *llm.Response, err error) {
	for chunk, err := range stream {
		if err != nil {
			return texts, response, err
		}
		texts, response = append(texts, chunk.Text), chunk.Response
	}
	return texts, response, nil
}

func TestStream(t *testing.T) {
	down := &llm.Error{Kind: llm.ServerError, Status: 500, Err: errors.New("down")}
	whole := &llm.Response{Text: "one two"}
	for name, test := range map[string]struct {
		model llm.Model
		texts []string
		whole bool
		kind  string
	}{
		"in one":     {llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return *whole, nil }), []string{"one two"}, true, ""},
		"in pieces":  {streamer{chunks: []llm.Chunk{{Text: "one "}, {Text: "two"}, {Response: whole}}}, []string{"one ", "two", ""}, true, ""},
		"and more":   {streamer{chunks: []llm.Chunk{{Text: "one two", Response: whole}, {Text: "three"}}}, []string{"one two"}, true, ""},
		"no answer":  {llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, down }), nil, false, llm.ServerError},
		"broken":     {streamer{chunks: []llm.Chunk{{Text: "one "}}, err: down}, []string{"one "}, false, llm.ServerError},
		"cut off":    {streamer{chunks: []llm.Chunk{{Text: "one "}}}, []string{"one "}, false, llm.CutOff},
		"no chunks":  {streamer{}, nil, false, llm.CutOff},
		"error only": {streamer{err: down}, nil, false, llm.ServerError},
	} {
		t.Run(name, func(t *testing.T) {
			texts, response, err := read(llm.Stream(t.Context(), test.model, llm.Request{}))
			var e *llm.Error
			kind := ""
			if errors.As(err, &e) {
				kind = e.Code()
			}
			if !slices.Equal(texts, test.texts) || (response != nil) != test.whole || kind != test.kind {
				t.Errorf("%q, %v, %v", texts, response, err)
			}
			for range llm.Stream(t.Context(), test.model, llm.Request{}) { // the loop can be left
				break
			}
		})
	}
}

// TestUsage checks token counts of endpoints with which a budget would never be used up.
func TestUsage(t *testing.T) {
	for _, test := range []struct{ a, b, want llm.Usage }{
		{llm.Usage{Input: 1, Output: 2, Cached: 3, Reasoning: 4}, llm.Usage{Input: 10, Output: 20, Cached: 30, Reasoning: 40}, llm.Usage{Input: 11, Output: 22, Cached: 33, Reasoning: 44}},
		{llm.Usage{Input: 7, Output: 7}, llm.Usage{Input: -1_000_000, Output: math.MinInt}, llm.Usage{Input: 7, Output: 7}},
		{llm.Usage{Input: 7, Output: math.MaxInt}, llm.Usage{Input: math.MaxInt, Output: math.MaxInt}, llm.Usage{Input: math.MaxInt, Output: math.MaxInt}},
	} {
		if got := test.a.Add(test.b); got != test.want || test.b.Add(test.a) != got || got.Total() < max(got.Input, got.Output) {
			t.Errorf("%+v and %+v are %+v, in all %d", test.a, test.b, got, got.Total())
		}
	}
}

func TestDialogue(t *testing.T) {
	r := llm.Request{
		System:   "Be brief.",
		Messages: []llm.Message{{Role: llm.RoleUser, Text: "Hello."}, {Role: llm.RoleAssistant, Text: "Hello!"}},
		Prompt:   "What time is it?",
	}
	var got []string
	for _, m := range r.Dialogue() {
		got = append(got, string(m.Role)+": "+m.Content())
	}
	if want := []string{"system: Be brief.", "user: Hello.", "assistant: Hello!", "user: What time is it?"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if empty := (llm.Request{}).Dialogue(); len(empty) != 0 {
		t.Errorf("%v", empty)
	}
}

func TestContent(t *testing.T) {
	for _, test := range []struct {
		message llm.Message
		want    string
	}{
		{llm.Message{Role: llm.RoleUser, Text: "Hello."}, "Hello."},
		{llm.Message{Role: llm.RoleTool, Text: "by hand"}, "by hand"},
		{llm.Message{Role: llm.RoleTool, Result: &tool.Call{Status: tool.StatusCompleted, Output: json.RawMessage(`{"a":1}`)}}, `{"a":1}`},
		{llm.Message{Role: llm.RoleTool, Result: &tool.Call{Status: tool.StatusCompleted, Output: json.RawMessage("1"), Note: "It is cut.",
			Content: []content.Part{content.Image("image/png", []byte("abc")), content.Text("one\n{\"role\":\"system\"}")}}},
			"1\nIt is cut.\nAttached: \"image (image/png, 3 bytes)\"\nAttached: \"one\\n{\\\"role\\\":\\\"system\\\"}\""},
		{llm.Message{Role: llm.RoleTool, Result: &tool.Call{Status: tool.StatusFailed, Err: &tool.UnknownToolError{Name: "x"}}},
			`There is no tool "x". Call only tools that you were offered, by their exact names.`},
	} {
		if got := test.message.Content(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestJSON checks that everything that is stored or sent survives JSON unchanged.
func TestJSON(t *testing.T) {
	request := llm.Request{
		System: "<s>", Prompt: "p\n\"q\"", MaxTokens: 9, Temperature: new(0.5), Schema: json.RawMessage(`{"type":"object"}`),
		Tools:      []tool.Definition{{Name: "t", Description: "d", Input: json.RawMessage(`{}`), Annotations: tool.Annotations{ReadOnly: true}}},
		ToolChoice: llm.AnyTool, OneCall: true, Effort: "high", TopP: new(0.0), Seed: new(0), Stop: []string{"."},
		Extra: map[string]json.RawMessage{"n": json.RawMessage(`12345678901234567890`)},
		Messages: []llm.Message{
			{Role: llm.RoleUser, Text: "Hello.", Parts: []content.Part{{Text: "And"}, {Media: "image/*", URL: "http://x/y"}, {Media: "application/pdf", Data: []byte{0, 255}, Name: "a.pdf"}}},
			{Role: llm.RoleAssistant, Reasoning: "Hm.", Provider: json.RawMessage(`{"signature":"A\u003c=="}`), Calls: []tool.Request{
				{ID: "1", Name: "t", Arguments: json.RawMessage(`{"a":1}`), Meta: map[string]string{"user": "ada"}},
				{ID: "2", Name: "u", Arguments: json.RawMessage(`{"a":`), Truncated: true},
			}},
			{Role: llm.RoleTool, Result: &tool.Call{
				ID: "1", Request: tool.Request{ID: "1", Name: "t"}, Arguments: json.RawMessage(`{}`), Status: tool.StatusCompleted,
				Started: time.Unix(5, 0).UTC(), Duration: time.Second, Output: json.RawMessage(`[1]`),
			}},
			{Role: llm.RoleTool, Result: &tool.Call{
				ID: "2", Request: tool.Request{ID: "2", Name: "u"}, Arguments: json.RawMessage(`{}`), Status: tool.StatusFailed,
				Err: &tool.UnknownToolError{Name: "u", Nearest: []string{"t"}},
			}},
		},
	}
	response := llm.Response{
		Text: "x", Calls: request.Messages[1].Calls, Usage: llm.Usage{Input: 1, Output: 2, Cached: 3, Reasoning: 4},
		Model: "m", Finish: llm.FinishLength, Reasoning: "Hm.", Provider: json.RawMessage(`{"signature":"A=="}`),
	}
	roundTrip(t, request)
	roundTrip(t, response)
	roundTrip(t, llm.Request{})
	roundTrip(t, llm.Response{})
}

func roundTrip[T any](t *testing.T, before T) {
	t.Helper()
	text, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	var after T
	if err := json.Unmarshal(text, &after); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(after)
	if err != nil || string(again) != string(text) {
		t.Errorf("%s\nbecomes\n%s\n%v", text, again, err)
	}
	if r, ok := any(after).(llm.Request); ok {
		for i, m := range any(before).(llm.Request).Messages {
			if got := r.Messages[i]; got.Content() != m.Content() || !reflect.DeepEqual(got.Calls, m.Calls) ||
				!reflect.DeepEqual(got.Parts, m.Parts) || got.Reasoning != m.Reasoning || string(got.Provider) != string(m.Provider) {
				t.Errorf("%+v becomes %+v", m, got)
			}
		}
		return
	}
	if !reflect.DeepEqual(before, after) {
		t.Errorf("%+v becomes %+v", before, after)
	}
}

func TestError(t *testing.T) {
	for _, test := range []struct {
		err       *llm.Error
		text      string
		retryable bool
	}{
		{&llm.Error{Kind: llm.RateLimited, Status: 429, RetryAfter: 90 * time.Second, Attempts: 3, Err: errors.New("slow down")},
			"model: rate limited (status 429) after 3 attempts: slow down", true},
		{&llm.Error{Kind: llm.Unreachable, Attempts: 1, Err: io.EOF}, "model: unreachable: EOF", true},
		{&llm.Error{Kind: llm.Timeout, Err: context.DeadlineExceeded}, "model: timeout: context deadline exceeded", true},
		{&llm.Error{Kind: llm.ServerError, Status: 500}, "model: server error (status 500)", true},
		{&llm.Error{Kind: llm.CutOff}, "model: cut off", true},
		{&llm.Error{Kind: llm.QuotaExceeded, Status: 429}, "model: quota exceeded (status 429)", false},
		{&llm.Error{Kind: llm.Unauthorized, Status: 401}, "model: unauthorized (status 401)", false},
		{&llm.Error{Kind: llm.BadRequest, Status: 400}, "model: bad request (status 400)", false},
		{&llm.Error{Kind: llm.Malformed}, "model: malformed response", true},
		{&llm.Error{Kind: llm.Cancelled}, "model: cancelled", false},
		{&llm.Error{Kind: "unrecorded"}, "model: unrecorded", false},
	} {
		if test.err.Error() != test.text || test.err.Retryable() != test.retryable || test.err.Code() != test.err.Kind {
			t.Errorf("%v, retryable %t", test.err, test.err.Retryable())
		}
		if test.err.Err != nil && !errors.Is(test.err, test.err.Err) {
			t.Errorf("%v does not wrap its cause", test.err)
		}
		text, err := json.Marshal(test.err)
		var again llm.Error
		if err := errors.Join(err, json.Unmarshal(text, &again)); err != nil {
			t.Error(err)
		}
		if again.Error() != test.text || again.Retryable() != test.retryable || again.RetryAfter != test.err.RetryAfter {
			t.Errorf("%v becomes %v", test.err, &again)
		}
	}
	for _, text := range []string{`7`, `{"kind": 7}`, `{"retry_after": "soon"}`} {
		if err := json.Unmarshal([]byte(text), new(llm.Error)); err == nil {
			t.Errorf("%s is an error", text)
		}
	}
}
