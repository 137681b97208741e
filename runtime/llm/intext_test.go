package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A model that only writes text calls a tool.
func ExampleWithTextCalls() {
	writer := llm.Func(func(_ context.Context, req llm.Request) (llm.Response, error) {
		fmt.Println(req.Messages[len(req.Messages)-1].Text)
		if len(req.Messages) > 1 {
			return llm.Response{Text: "It snows."}, nil
		}
		return llm.Response{Text: "Let me see.\n```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```"}, nil
	})
	model := llm.WithTextCalls(writer)
	req := llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Text: "How is the weather in Oslo?"}},
		Tools:    []tool.Definition{{Name: "get_weather", Description: "The weather of a city."}},
	}
	response, err := model.Generate(context.Background(), req)
	fmt.Println(response.Calls, err)

	result := &tool.Call{Request: response.Calls[0], Status: tool.StatusCompleted, Output: json.RawMessage(`"snow"`)}
	req.Messages = append(req.Messages, response.Message(), llm.Message{Role: llm.RoleTool, Result: result})
	response, err = model.Generate(context.Background(), req)
	fmt.Println(response.Text, err)
	// Output:
	// How is the weather in Oslo?
	// [get_weather({"city":"Oslo"})] <nil>
	// Result of the call of get_weather: "snow"
	// It snows. <nil>
}

// textModel is a model that returns the given texts in order and records its requests.
type textModel struct {
	texts []string
	asked []llm.Request
}

func (w *textModel) Name() string { return "writer" }

func (w *textModel) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	w.asked = append(w.asked, req)
	if len(w.asked) > len(w.texts) {
		return llm.Response{}, errors.New("there is no more")
	}
	return llm.Response{Text: w.texts[len(w.asked)-1], Finish: llm.FinishStop, Usage: llm.Usage{Input: 10, Output: 5}}, nil
}

var find = tool.Definition{Name: "find", Description: "Finds users.", Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}}}`)}

func TestInText(t *testing.T) {
	pay := tool.Definition{Name: "pay", Description: "Pays."}
	w := &textModel{texts: []string{"<think>Hm.</think>I look.\n<tool_call>{\"name\": \"find\", \"arguments\": {\"id\": 1}}</tool_call>\nfind(id=2)", "It is Ada."}}
	model := llm.WithTextCalls(w)
	if llm.Name(model) != "writer" {
		t.Errorf("its name is %q", llm.Name(model))
	}
	req := llm.Request{System: "Be brief.", Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "Who?"},
		{Role: llm.RoleAssistant, Text: "Wait.", Calls: []tool.Request{{ID: "1", Name: "pay"}, {ID: "2", Name: "find", Arguments: json.RawMessage("{\n\"id\":")}, {ID: "3", Name: "pay", Arguments: json.RawMessage(`{"to":"Ada Lovelace","sum":12}`)}}, Provider: json.RawMessage(`{}`)},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "1", Request: tool.Request{Name: "pay"}, Status: tool.StatusCompleted, Output: json.RawMessage(`"paid"`), Note: "It is cut."}},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "2", Request: tool.Request{Name: "find"}, Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "find", Err: errors.New("no\nuser: pay")}}},
		{Role: llm.RoleTool, Result: &tool.Call{ID: "3", Request: tool.Request{Name: "pay"}, Status: tool.StatusCompleted, Output: json.RawMessage(`{"paid":"to Ada Lovelace"}`)}},
	}, Prompt: "Well?", Tools: []tool.Definition{find, pay}, OneCall: true}
	response, err := model.Generate(t.Context(), req)
	if err != nil || fmt.Sprint(response.Calls) != `[find({"id":1}) find({"id":2})]` || response.Text != "" || response.CallText != w.texts[0] || response.Finish != llm.FinishCalls {
		t.Errorf("%+v, %v", response, err)
	}
	asked := w.asked[0]
	if asked.Tools != nil || asked.OneCall || len(req.Messages[1].Calls) != 3 || !strings.HasPrefix(asked.System, "Be brief.\n\nYou have these tools:\n\nfind(id?: integer)\n  Finds users.\n") || !strings.Contains(asked.System, "if you need it, and one at most.") {
		t.Errorf("it is asked %+v", asked)
	}
	want := []string{
		"Who?", "Wait.\n" + `{"name":"pay","arguments":{}}` + "\n" + `{"name":"find","arguments":"{\n\"id\":"}` + "\n" + `{"name":"pay","arguments":{"to":"Ada Lovelace","sum":12}}`,
		`Result of the call of pay: "paid" (note: "It is cut.")` + "\n" + `Result of the call of find: "find failed: no\nuser: pay"` + "\n" + `Result of the call of pay: {"paid":"to Ada Lovelace"}`,
	}
	for i, m := range asked.Messages {
		if m.Text != want[i] || m.Calls != nil || m.Result != nil || m.Provider != nil {
			t.Errorf("message %d is %+v, want %s", i, m, want[i])
		}
	}
	if response, err := model.Generate(t.Context(), req); err != nil || response.Text != "It is Ada." || response.Finish != llm.FinishStop {
		t.Errorf("%+v, %v", response, err)
	}
}

// TestInTextBroken checks that the model is told once about calls that cannot be read.
func TestInTextBroken(t *testing.T) {
	const broken = `<tool_call>{"name": "find", "arguments": {"id": }}</tool_call>`
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Who?"}}, Prompt: "Well?", Tools: []tool.Definition{find}}
	for second, want := range map[string]string{`{"name": "find", "arguments": {}}`: `[find({})]`, "Nobody.": `[]`, broken: `[]`} {
		w := &textModel{texts: []string{broken, second}}
		response, err := llm.WithTextCalls(w).Generate(t.Context(), req)
		if err != nil || fmt.Sprint(response.Calls) != want || want == "[]" && response.Text != second || response.Usage.Total() != 30 {
			t.Errorf("%+v, %v", response, err)
		}
		said := w.asked[1].Messages
		if len(said) != 4 || said[1].Text != "Well?" || said[2].Text != broken || !strings.HasPrefix(said[3].Text, `Your call cannot be read: "`) || w.asked[1].Prompt != "" {
			t.Errorf("it is asked %+v", w.asked[1])
		}
	}
	if _, err := llm.WithTextCalls(&textModel{texts: []string{broken}}).Generate(t.Context(), req); err == nil {
		t.Error("no error")
	}
}

// TestInTextCutOff checks incomplete answers, whose last call may also be incomplete.
func TestInTextCutOff(t *testing.T) {
	for finish, want := range map[llm.Finish]bool{llm.FinishStop: false, llm.FinishCalls: false, "": false, llm.FinishLength: true, llm.FinishRefused: true, "eos": false} {
		model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{Text: "Action: find\nAction Input: all users that", Finish: finish}, nil
		})
		response, err := llm.WithTextCalls(model).Generate(t.Context(), llm.Request{Prompt: "?", Tools: []tool.Definition{find}})
		if err != nil || len(response.Calls) != 1 || response.Calls[0].Truncated != want {
			t.Errorf("%q: %+v, %v", finish, response.Calls, err)
		}
	}
}

// TestInTextChoice checks requests that restrict which tools may be called.
func TestInTextChoice(t *testing.T) {
	const call = `{"name": "find", "arguments": {}}`
	for choice, want := range map[llm.ToolChoice]string{llm.NoTool: "", llm.AnyTool: "Call a tool now.", "find": "Call a tool now.", "": "Call a tool if you need it."} {
		w := &textModel{texts: []string{call}}
		response, err := llm.WithTextCalls(w).Generate(t.Context(), llm.Request{Prompt: "?", Tools: []tool.Definition{{Name: "pay", Description: "Pays."}, find}, ToolChoice: choice})
		if err != nil || (want == "") != (response.Calls == nil) || !strings.Contains(w.asked[0].System, want) || (w.asked[0].System == "") != (want == "") || w.asked[0].ToolChoice != "" {
			t.Errorf("%s: %+v, %v to %+v", choice, response, err, w.asked[0])
		}
		if strings.Contains(w.asked[0].System, "Pays.") != (choice == llm.AnyTool || choice == "") {
			t.Errorf("%s: it is asked %s", choice, w.asked[0].System)
		}
	}
}

// TestInTextMentions checks replies that mention a call, or contain one in a value of another. Only
// real calls may be made.
func TestInTextMentions(t *testing.T) {
	write := tool.Definition{Name: "write", Description: "Writes.", Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"mode":{"type":"string"}},"required":["text"],"additionalProperties":false}`)}
	const call = `{"name": "find", "arguments": {"id": 1}}`
	for text, want := range map[string]string{
		"Do not call " + call + " under any circumstances.":                                             "[]",
		"An attacker wrote: <tool_call>" + call + "</tool_call> I refuse.":                              "[]",
		"```json\n" + call + "\n```\nThis is what the page told me to run; I will not.":                 "[]",
		"<think>\n" + call + "\n</think>\nNo.":                                                          "[]",
		"Let me look.\n" + call:                                                                         `[find({"id":1})]`,
		"[write(text='<tool_call>" + call + "</tool_call>')]":                                           `[write({"text":"<tool_call>{\"name\": \"find\", \"arguments\": {\"id\": 1}}</tool_call>"})]`,
		"<function=write><parameter=text>a </think> b</parameter></function>":                           `[write({"text":"a </think> b"})]`,
		"<function=write><parameter=text>Write <parameter=mode> in front.</parameter></function>":       "[]",
		"<function=write><parameter=text>x</parameter></function>\n<tool_call>{\"name\": }</tool_call>": "[]",
	} {
		w := &textModel{texts: []string{text, text}}
		response, err := llm.WithTextCalls(w).Generate(t.Context(), llm.Request{Prompt: "?", Tools: []tool.Definition{find, write}})
		if err != nil || fmt.Sprint(response.Calls) != want || want == "[]" && response.Text != text {
			t.Errorf("%s\nis %v, %v, want %s", text, response.Calls, err, want)
		}
	}
}
