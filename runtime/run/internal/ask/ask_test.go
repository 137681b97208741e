package ask_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/ask"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestUsage: what an endpoint does not count is what is sent and comes, and nothing
// else that a message has.
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
	a, err := ask.Model(t.Context(), model, ask.Question{Request: request, Clock: time.Now})
	if want := (llm.Usage{Input: (40 + 40 + 8 + 4096 + 8 + 16 + 12) / 4, Output: 3}); err != nil || a.Response.Usage != want || !a.Estimated {
		t.Errorf("it is %+v, %v, want %+v", a.Response.Usage, err, want)
	}
}
