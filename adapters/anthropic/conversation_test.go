package anthropic_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestBlocksAreSentBack checks that the blocks of an answer are sent back byte for byte.
func TestBlocksAreSentBack(t *testing.T) {
	const thought = "City <1> is \u2028 next & last."
	blocks := []string{
		inJSON(map[string]any{"type": "thinking", "thinking": thought, "signature": signature(thought, "a<b>&+/=")}),
		`{"type":"redacted_thinking","data":"Eq<&>+/="}`,
		`{"type":"tool_use","id":"toolu_1","name":"look","input":{"city":"City <1>"},"caller":{"type":"direct"}}`,
	}
	e := startEndpoint(t, answerContent("tool_use", blocks...))
	m := e.model(newestModel)
	got := generate(t, m, llm.Request{Prompt: "?", Effort: "high"})
	generate(t, m, llm.Request{Effort: "high", Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "?"}, throughJournal(t, got.Message()),
		{Role: llm.RoleTool, Result: &tool.Call{ID: "toolu_1", Output: json.RawMessage(`1`)}},
	}})
	body, sent := e.last(t)
	if !strings.Contains(body, `[`+strings.Join(blocks, ",")+`]`) || sent.Thinking == nil || sent.Thinking.Type != "adaptive" || sent.Output.Effort != "high" {
		t.Errorf("the last request is %s", body)
	}
}

// TestToolAddedLater checks that the prompt before a tool that is added to a dialogue keeps its bytes, and
// the marks of the cache.
func TestToolAddedLater(t *testing.T) {
	call := `{"type":"tool_use","id":"toolu_1","name":"b_tool","input":{}}`
	e := startEndpoint(t, inTurn(answerContent("tool_use", call), answerContent("end_turn", `{"type":"text","text":"Yes."}`), answerContent("end_turn", `{"type":"text","text":"Yes."}`)))
	definition := func(name string) tool.Definition {
		return tool.Definition{Name: name, Description: "Does " + name + "."}
	}
	req := llm.Request{System: "Be kind.", Messages: []llm.Message{{Role: llm.RoleUser, Text: "Go."}}, Tools: []tool.Definition{definition("b_tool"), definition("d_tool")}}
	names := func() string {
		_, sent := e.last(t)
		var all []string
		for _, tool := range sent.Tools {
			all = append(all, tool.Name)
		}
		return strings.Join(all, " ")
	}
	got := generate(t, e.model(newestModel), req)
	req.Messages = append(req.Messages, throughJournal(t, got.Message()), llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: "toolu_1", Output: json.RawMessage(`1`)}})
	req.Tools = []tool.Definition{definition("a_tool"), definition("b_tool"), definition("c_tool"), definition("d_tool")}
	got = generate(t, e.model(newestModel), req)
	if names() != "b_tool d_tool a_tool c_tool" {
		t.Errorf("the tools are %s", names())
	}
	req.Messages = append(req.Messages, throughJournal(t, got.Message()), llm.Message{Role: llm.RoleUser, Text: "Go on."})
	req.Tools = []tool.Definition{definition("a_tool"), definition("c_tool"), definition("d_tool"), definition("e_tool")}
	generate(t, e.model(newestModel), req)
	if names() != "d_tool a_tool c_tool e_tool" {
		t.Errorf("after a tool was removed, the tools are %s", names())
	}
}

// TestCacheMarks checks where the marks of the cache are.
func TestCacheMarks(t *testing.T) {
	e := startEndpoint(t, answerContent("end_turn", `{"type":"text","text":"Yes."}`))
	messages := []llm.Message{{Role: llm.RoleUser, Text: "Go."}}
	for _, calls := range []int{2, 12} {
		var m llm.Message
		var results []llm.Message
		m.Role = llm.RoleAssistant
		for i := range calls {
			id := fmt.Sprint("call_", len(messages), "_", i)
			m.Calls = append(m.Calls, tool.Request{ID: id, Name: "now", Arguments: json.RawMessage(`{}`)})
			results = append(results, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: id, Output: json.RawMessage(`1`)}})
		}
		messages = append(append(messages, m), results...)
		generate(t, e.model(newestModel), llm.Request{System: "Be kind.", Messages: messages, Tools: []tool.Definition{{Name: "now", Description: "Now."}}})
		_, sent := e.last(t)
		var marked []int
		for i, message := range sent.Messages {
			if message.Content[len(message.Content)-1].Cache != nil {
				marked = append(marked, i)
			}
		}
		want := map[int]string{2: "[2]", 12: "[2 4]"}[calls] // the API does not look back over 24 blocks
		if fmt.Sprint(marked) != want || sent.Tools[0].Cache == nil || sent.System[0].Cache == nil {
			t.Errorf("after %d calls, the messages %v are marked, want %s", calls, marked, want)
		}
	}
	generate(t, e.model(newestModel, anthropic.NoCache()), llm.Request{System: "Be kind.", Messages: messages})
	if body, _ := e.last(t); strings.Contains(body, "cache_control") {
		t.Errorf("without a cache: %s", body)
	}
}

// TestPause checks that the model continues a turn that the API pauses, with the same blocks.
func TestPause(t *testing.T) {
	search := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"a<b"}}`
	found := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`
	e := startEndpoint(t, inTurn(
		answerContent("pause_turn", `{"type":"text","text":"I search. "}`, search, found), answerContent("end_turn", `{"type":"text","text":"Found."}`),
		answerContent("end_turn", `{"type":"text","text":"Well."}`),
		answerContent("pause_turn", search, found), answerEvents(llmtest.Answer{Response: llm.Response{Text: "Found.", Finish: llm.FinishStop}}),
	))
	m := e.model(newestModel, anthropic.MaxTokens(8000))
	got := generate(t, m, llm.Request{Prompt: "Search."})
	if got.Text != "I search. Found." || got.Finish != llm.FinishStop || got.Usage != (llm.Usage{Input: 6, Output: 10}) {
		t.Errorf("%+v", got)
	}
	if body, _ := e.last(t); !strings.Contains(body, search+","+found+`]}]`) {
		t.Errorf("the paused turn is sent back as %s", body)
	}
	generate(t, m, llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Search."}, throughJournal(t, got.Message())}, Prompt: "Why?"})
	if body, _ := e.last(t); !strings.Contains(body, search+","+found+`,{"type":"text","text":"Found."}`) {
		t.Errorf("later, the turn is sent back as %s", body)
	}
	var text strings.Builder
	for chunk, err := range llm.Stream(t.Context(), m, llm.Request{Prompt: "Search."}) {
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(chunk.Text)
	}
	if text.String() != "Found." {
		t.Errorf("the stream is %q", text.String())
	}
}
