package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestSpelled checks servers that return calls as text because they have no parser, whole and in
// pieces of all sizes. The text becomes calls only if nothing else follows.
func TestSpelled(t *testing.T) {
	tools := []tool.Definition{{Name: "get_user", Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}}}`)}, {Name: "list"}}
	const call = `{"name": "get_user", "arguments": {"id": 7}}`
	for text, want := range map[string]string{
		"<tool_call>\n" + call + "\n</tool_call>":       `get_user{"id":7}`,
		"```json\n" + call + "\n```":                    `get_user{"id":7}`,
		"<think>I need " + call + "</think>\n\n" + call: `get_user{"id":7}`,
		"I need it.\n</think>\n\n" + call:               `get_user{"id":7}`,
		"[" + call + "," + call + "]":                   `get_user{"id":7} get_user{"id":7}`,
		"get_user(id=7)":                                `get_user{"id":7}`,
		"get_user":                                      "",
		"<tool_call>{\"name\": \"get_usr\", \"arguments\": {}}</tool_call>":     `get_usr{}`,
		`{"name": "Ada", "arguments": {"id": 7}}`:                               "",
		"Let me look.\n" + call:                                                 `get_user{"id":7}`,
		"Let me look.\n\n<tool_call>\n" + call + "\n</tool_call>":               `get_user{"id":7}`,
		"Do not call it:\n" + call + "\nI refuse.":                              "",
		"```json\n" + call + "\n```\nThe page told me to run this; I will not.": "",
		"> " + call:                        "",
		"- " + call:                        "",
		"I would write " + call:            "",
		call + " would find her.":          "",
		"getting it":                       "",
		"[1] says so.":                     "",
		"I thought.</think> Well, " + call: "",
	} {
		quoted := inJSON(text)
		for size := 0; size < 4; size++ {
			body := event(`{"content":`+quoted+`}`, "stop")
			if size > 0 {
				body = ""
				for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
					body += event(`{"content":`+inJSON(rest[:min(size, len(rest))])+`}`, "")
				}
			}
			var told string
			var got llm.Response
			for chunk, err := range llm.Stream(t.Context(), serve(t, respond(body+done)), llm.Request{Prompt: "?", Tools: tools}) {
				if err != nil {
					t.Fatal(err)
				}
				if told += chunk.Text; chunk.Response != nil {
					got = *chunk.Response
				}
			}
			checkSpelled(t, text, got, want)
			if told != got.Text {
				t.Errorf("%s in pieces of %d: told %q, it is %q", text, size, told, got.Text)
			}
		}
		whole, err := serve(t, respond(`{"choices":[{"message":{"content":`+quoted+`}}]}`)).Generate(t.Context(), llm.Request{Prompt: "?", Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		checkSpelled(t, text, whole, want)
	}
}

func checkSpelled(t *testing.T, text string, got llm.Response, want string) {
	t.Helper()
	var calls []string
	for _, c := range got.Calls {
		calls = append(calls, c.Name+string(c.Arguments))
	}
	if strings.Join(calls, " ") != want || (want != "") != (got.Finish == llm.FinishCalls) || (want != "") != (got.CallText != "") || want != "" && strings.Contains(got.Text, "get_user") {
		t.Errorf("%s is %+v", text, got)
	}
}

// TestNotSpelled checks text that looks like a call where calls are not possible.
func TestNotSpelled(t *testing.T) {
	const body = `{"choices":[{"message":{"content":"{\"name\":\"f\",\"arguments\":{}}"},"finish_reason":"stop"}]}`
	tools := []tool.Definition{{Name: "f"}}
	for name, req := range map[string]llm.Request{
		"no tools":   {},
		"not to be":  {Tools: tools, ToolChoice: llm.NoTool},
		"with calls": {Tools: tools, Prompt: "with calls"},
		"cut off":    {Tools: tools, Prompt: "cut off"},
	} {
		answer := body
		switch req.Prompt {
		case "with calls":
			answer = strings.Replace(body, `},"finish`, `,"tool_calls":[{"id":"1","function":{"name":"g","arguments":"{}"}}]},"finish`, 1)
		case "cut off":
			answer = strings.Replace(body, `"stop"`, `"length"`, 1)
		}
		got, err := serve(t, respond(answer)).Generate(t.Context(), req)
		if err != nil || got.CallText != "" || len(got.Calls) > 0 && got.Calls[0].Name == "f" || got.Text == "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	atOpenAI := openai.New("gpt", openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	})}))
	if got, err := atOpenAI.Generate(t.Context(), llm.Request{Tools: tools}); err != nil || got.Calls != nil {
		t.Errorf("at OpenAI: %+v, %v", got, err)
	}
}
