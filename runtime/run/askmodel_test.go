package run

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestUsage checks that missing token counts are estimated from the sent and received text, and from
// nothing else in the messages.
func TestUsage(t *testing.T) {
	request := llm.Request{
		System: strings.Repeat("s", 40), Schema: json.RawMessage(strings.Repeat(" ", 40)),
		Messages: []llm.Message{
			{Role: llm.RoleUser, Text: "1234", Parts: []content.Part{{Text: "5678"}, {Media: "image/png", Data: make([]byte, 1<<20)}}},
			{Role: llm.RoleAssistant, Reasoning: strings.Repeat("r", 400), Provider: json.RawMessage(strings.Repeat(" ", 400)), Calls: []tool.Request{{ID: "x", Name: "find", Arguments: json.RawMessage(`"ab"`)}}},
			{Role: llm.RoleTool, Result: &tool.Call{Request: tool.Request{Name: "find", Arguments: json.RawMessage(`"ab"`)}, Status: tool.StatusCompleted, Started: time.Now(), Output: json.RawMessage(`"12345678901234"`)}},
		},
		Tools: []tool.Definition{{Name: "find", Description: "Find", Input: json.RawMessage("{}  "), Output: json.RawMessage(strings.Repeat(" ", 400))}},
	}
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "1234", Reasoning: "5678", Calls: []tool.Request{{Name: "find"}}}, nil
	})
	a, err := askModel(t.Context(), model, modelQuestion{Request: request, Clock: time.Now})
	if want := (llm.Usage{Input: (40 + 40 + 8 + 4096 + 8 + 16 + 12) / 4, Output: 3}); err != nil || a.Response.Usage != want || !a.Estimated {
		t.Errorf("it is %+v, %v, want %+v", a.Response.Usage, err, want)
	}
}

// TestUnkept checks that an answer that a journal cannot store is rejected, and that this is stored
// with its cost.
func TestUnkept(t *testing.T) {
	for what, said := range map[string]llm.Response{
		"too long":                {Text: strings.Repeat("x", 9<<20)},
		"long when it is written": {Text: strings.Repeat("\x00", 2<<20)},
		"no JSON":                 {Text: "x", Provider: json.RawMessage("{")},
		"no UTF-8":                {Text: "x", Provider: json.RawMessage("\"\xff\"")},
		"too deep":                {Text: "x", Provider: json.RawMessage(strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999))},
	} {
		said.Usage = llm.Usage{Input: 1, Output: 2}
		model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return said, nil })
		a, err := askModel(t.Context(), model, modelQuestion{Clock: time.Now, Cost: func(string, llm.Usage) float64 { return 3 }})
		if err != nil || a.Error == nil || a.Error.Kind != llm.Malformed || a.Response.Text != "" || a.Response.Usage != said.Usage || a.Cost != 3 {
			t.Errorf("%s: %v, %+.200v", what, err, a)
		}
		if _, err := json.Marshal(a); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestCutOff checks that the error of a truncated answer says what to do.
func TestCutOff(t *testing.T) {
	for usage, want := range map[llm.Usage]string{
		{Input: 1}: "the answer of the model was cut off at the token limit",
		{Input: 1, Output: 2048, Reasoning: 2000}: "the answer of the model was cut off at the token limit, after 2048 (2000 of them for its reasoning)",
	} {
		model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{Text: "W", Finish: llm.FinishLength, Usage: usage}, nil
		})
		a, err := askModel(t.Context(), model, modelQuestion{Clock: time.Now})
		if want += ": set a higher limit with orchestrator.BaseRequest(llm.Request{MaxTokens: n}), or at the endpoint"; err != nil || a.Error == nil || a.Error.Text != want {
			t.Errorf("%v, %v, want %s", a.Error, err, want)
		}
	}
}

// TestSecondLimit checks that the second attempt has twice the token limit, unless a tool set the
// limit.
func TestSecondLimit(t *testing.T) {
	for start, want := range map[ModelStart]int{
		{For: "turn", Attempt: 1}: 50, {For: "turn", Attempt: 2}: 100, {For: PurposeQuestion, Attempt: 2}: 50, {}: 50,
	} {
		var got int
		model := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
			got = r.MaxTokens
			return llm.Response{Text: "W"}, nil
		})
		q := modelQuestion{Event: Event{What: start}, Request: llm.Request{MaxTokens: 50}, Clock: time.Now}
		if _, err := askModel(t.Context(), model, q); err != nil || got != want {
			t.Errorf("%+v: %d, %v", start, got, err)
		}
	}
}
