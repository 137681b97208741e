package gemini_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// toolMessage returns the message with the result of a call.
func toolMessage(call *tool.Call) llm.Message { return llm.Message{Role: llm.RoleTool, Result: call} }

// TestResults checks the responses of functions.
func TestResults(t *testing.T) {
	image := content.Image("image/png", []byte{1})
	calls := []tool.Request{{ID: "a", Name: "now"}, {ID: "b", Name: "now"}, {ID: "c", Name: "now"}, {ID: "d", Name: "now"}, {ID: "e", Name: "no such tool!", Arguments: json.RawMessage(`nonsense`)}}
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	messages := []llm.Message{
		{Role: llm.RoleUser, Text: "?"}, {Role: llm.RoleAssistant, Calls: calls},
		toolMessage(&tool.Call{ID: "c", Output: json.RawMessage(`{"id":9007199254740993,"x":1.5e3}`)}),
		toolMessage(&tool.Call{ID: "b", Output: json.RawMessage(`{"b":"\ud83d","a":12}`), Note: "It was cut.", Content: []content.Part{image}}),
		toolMessage(&tool.Call{ID: "a", Err: errors.New("broken")}),
		toolMessage(&tool.Call{ID: "d", Output: json.RawMessage(deep)}),
	}
	model := `{"parts":[{"functionCall":{"id":"a","name":"now","args":{}},"thoughtSignature":"` + placeholder + `"},{"functionCall":{"id":"b","name":"now","args":{}}},{"functionCall":{"id":"c","name":"now","args":{}}},{"functionCall":{"id":"d","name":"now","args":{}}},{"functionCall":{"id":"e","name":"unknown","args":{}}}],"role":"model"}`
	responses := func(b string) string {
		return `{"parts":[{"functionResponse":{"id":"a","name":"now","response":{"error":"The call failed: broken"}}},{"functionResponse":{"id":"b","name":"now",` + b + `}},` +
			`{"functionResponse":{"id":"c","name":"now","response":{"output":"{\"id\":9007199254740993,\"x\":1.5e3}"}}},{"functionResponse":{"id":"d","name":"now","response":{"output":"` + deep + `"}}},` +
			`{"functionResponse":{"id":"e","name":"unknown","response":{"error":"there is no result of this call"}}}],"role":"user"}`
	}
	inline := `{"inlineData":{"data":"AQ==","mimeType":"image/png"}}`
	output := `"output":"{\"b\":\"\\ud83d\",\"a\":12}"}`
	for _, test := range []struct{ model, want string }{
		{"gemini-3-pro", model + "," + responses(`"parts":[`+inline+`],"response":{"note":"It was cut.",`+output)},
		{"gemini-2.5-pro", strings.Replace(model, `,"thoughtSignature":"`+placeholder+`"`, "", 1) + "," + responses(`"response":{"note":"It was cut.\nAttached: \"image (image/png, 1 byte)\"",`+output)},
	} {
		d := startDouble(t, answer{parts: []string{`{"text":"x"}`}})
		if _, _, err := ask(t, d.model(t, test.model), llm.Request{Messages: messages, Tools: []tool.Definition{{Name: "now"}}}, false); err != nil {
			t.Error(err)
		}
		if got := string(d.bodies[0]); !strings.HasSuffix(got, test.want+"]}") {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// TestSignatures checks which parts are sent back when the messages of a dialogue come from elsewhere
// or have changed.
func TestSignatures(t *testing.T) {
	tools := []tool.Definition{cityTool, {Name: "now"}}
	call := `{"functionCall":{"args":{"city":"Oslo","days":"3"},"id":"1","name":"` + lowName + `"},"thoughtSignature":"c2ln"}`
	second := `{"functionCall":{"name":"now","args":{}}}`
	first := startDouble(t, answer{parts: []string{`{"text":"Hm.","thought":true}`, `{"text":"Yes."}`, call, second}})
	got, _, err := ask(t, first.model(t, "gemini-3-pro"), llm.Request{Prompt: "?", Tools: tools}, true)
	if err != nil {
		t.Fatal(err)
	}
	rebuilt := `{"text":"Yes."},{"functionCall":{"id":"1","name":"` + lowName + `","args":{"city":"Oslo","days":"3"}},"thoughtSignature":"` + placeholder + `"},{"functionCall":{"id":"` + got.Calls[1].ID + `","name":"now","args":{}}}`
	for name, test := range map[string]struct {
		model  string
		change func(m *llm.Message)
		want   string
	}{
		"unchanged":     {"gemini-3-pro", func(*llm.Message) {}, `{"text":"Hm.","thought":true},{"text":"Yes."},` + call + "," + second},
		"other model":   {"gemini-3-flash", func(*llm.Message) {}, rebuilt},
		"no provider":   {"gemini-3-pro", func(m *llm.Message) { m.Provider = nil }, rebuilt},
		"other data":    {"gemini-3-pro", func(m *llm.Message) { m.Provider = json.RawMessage(`{"endpoint":7,"parts":[]}`) }, rebuilt},
		"other text":    {"gemini-3-pro", func(m *llm.Message) { m.Text = "No." }, strings.Replace(rebuilt, "Yes.", "No.", 1)},
		"fewer calls":   {"gemini-3-pro", func(m *llm.Message) { m.Calls = m.Calls[:1] }, rebuilt[:strings.LastIndex(rebuilt, `,{"functionCall"`)]},
		"new arguments": {"gemini-3-pro", func(m *llm.Message) { m.Calls[0].Arguments = json.RawMessage(`{"city":"Rome","days":1}`) }, `{"text":"Hm.","thought":true},{"text":"Yes."},{"functionCall":{"args":{"city":"Rome","days":"1"},"id":"1","name":"` + lowName + `"},"thoughtSignature":"c2ln"},` + second},
	} {
		t.Run(name, func(t *testing.T) {
			var message llm.Message
			if err := json.Unmarshal([]byte(inJSON(got.Message())), &message); err != nil {
				t.Fatal(err)
			}
			test.change(&message)
			messages := []llm.Message{{Role: llm.RoleUser, Text: "?"}, message}
			for _, c := range message.Calls {
				messages = append(messages, toolMessage(&tool.Call{ID: c.ID, Output: json.RawMessage(`1`)}))
			}
			first.answers = []answer{{parts: []string{`{"text":"Bye."}`}}}
			if _, _, err := ask(t, first.model(t, test.model), llm.Request{Messages: messages, Tools: tools}, false); err != nil {
				t.Error(err)
			}
			if body := string(first.bodies[len(first.bodies)-1]); !strings.Contains(body, `{"parts":[`+test.want+`],"role":"model"}`) {
				t.Errorf("got  %s\nwant %s", body, test.want)
			}
		})
	}
	first.answers = []answer{{parts: []string{`{"text":"Bye."}`}}}
	messages := []llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message()}
	for _, c := range got.Calls {
		messages = append(messages, toolMessage(&tool.Call{ID: c.ID, Output: json.RawMessage(`1`)}))
	}
	if _, _, err := ask(t, first.model(t, "gemini-3-pro"), llm.Request{Messages: messages}, false); err != nil {
		t.Error(err)
	}
	if body := string(first.bodies[len(first.bodies)-1]); !strings.Contains(body, `"name":"`+lowName+`"},"thoughtSignature":"c2ln"}`) {
		t.Errorf("the call of a tool that is not offered any more is not returned: %s", body)
	}
	elsewhere := startDouble(t, answer{parts: []string{`{"text":"Bye."}`}})
	if _, _, err := ask(t, elsewhere.model(t, "gemini-3-pro"), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}, {Role: llm.RoleAssistant, Text: "Yes.", Provider: got.Provider}}, Prompt: "!"}, false); err != nil {
		t.Error(err)
	}
	if body := string(elsewhere.bodies[0]); strings.Contains(body, "c2ln") {
		t.Errorf("the signature of another endpoint is sent: %s", body)
	}
}

// TestMissingSignature checks calls that Gemini 3 sent without a signature.
func TestMissingSignature(t *testing.T) {
	d := startDouble(t, answer{parts: []string{`{"functionCall":{"name":"now","args":{}},"extra":1}`}})
	m := d.model(t, "gemini-3-pro")
	got, _, err := ask(t, m, llm.Request{Prompt: "?", Tools: []tool.Definition{{Name: "now"}}}, false)
	if err != nil || got.Provider == nil {
		t.Fatal(got, err)
	}
	_, _, err = ask(t, m, llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message(), toolMessage(&tool.Call{ID: got.Calls[0].ID})}}, false)
	if body := string(d.bodies[1]); !strings.Contains(body, placeholder) || !strings.Contains(body, `"response":{"output":null}`) {
		t.Error(body, err)
	}
}
