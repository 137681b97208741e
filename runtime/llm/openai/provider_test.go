package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// insistentEndpoint is an endpoint that requires its messages to be sent back unchanged, and rejects members
// that it did not send. Each turn is a message, and the same message in pieces.
type insistentEndpoint struct {
	refuses string // the answer after that
	turns   []turn
}

type turn struct {
	message string
	pieces  []string
	thought string
}

func (e insistentEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Stream   bool
		Messages []map[string]any
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := 0
	for i, m := range asked.Messages {
		if m["role"] != "assistant" {
			continue
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(e.turns[n].message), &want); err != nil {
			panic(err)
		}
		for i := range listOf(want["tool_calls"]) {
			if call := listOf(want["tool_calls"])[i].(map[string]any); call["id"] == "" && i < len(listOf(m["tool_calls"])) {
				delete(call, "id") // any answer will do
				delete(listOf(m["tool_calls"])[i].(map[string]any), "id")
			}
		}
		if n++; !reflect.DeepEqual(m, want) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":%q}}`, fmt.Sprintf(e.refuses, i))
			return
		}
	}
	if asked.Stream {
		for _, piece := range e.turns[n].pieces {
			io.WriteString(w, event(piece, ""))
		}
		io.WriteString(w, event("{}", "stop")+done)
		return
	}
	fmt.Fprintf(w, `{"choices":[{"index":0,"message":%s,"finish_reason":"stop"}]}`, e.turns[n].message)
}

func listOf(v any) []any {
	all, _ := v.([]any)
	return all
}

// callOf returns a call in a message, with additional members.
func callOf(id, members, arguments string) string {
	return fmt.Sprintf(`{%s"id":%q,"type":"function","function":{"name":"echo","arguments":%q}}`, members, id, arguments)
}

const signature = `"extra_content":{"google":{"thought_signature":"A+b/<&>=="}},`

var insistents = map[string]insistentEndpoint{
	"Gemini": {"Function call is missing a thought_signature in functionCall parts, message %d", []turn{
		{`{"role":"assistant","tool_calls":[` + callOf("", signature, `{"text":"a"}`) + `,` + callOf("", "", `{"text":"b"}`) + `]}`, []string{
			`{"role":"assistant","tool_calls":[` + strings.Replace(callOf("", signature, `{"text":"a"}`), "{", `{"index":0,`, 1) + `]}`,
			`{"role":"assistant","tool_calls":[` + strings.Replace(callOf("", "", `{"text":"b"}`), "{", `{"index":1,`, 1) + `]}`,
		}, ""},
		{`{"role":"assistant","content":"More.","tool_calls":[` + callOf("x", signature, `{"text":"c"}`) + `]}`, []string{
			`{"content":"More."}`,
			`{"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"echo","arguments":"{\"text\""}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":":\"c\"}"},` + strings.TrimSuffix(signature, ",") + `}]}`,
		}, ""},
		{`{"role":"assistant","content":"Done.","extra_content":{"google":{"thought_signature":"end"}}}`, []string{
			`{"content":"Done."}`, `{"content":"","extra_content":{"google":{"thought_signature":"end"}}}`,
		}, ""},
	}},
	"DeepSeek": {"The reasoning_content in the thinking mode must be passed back to the API, message %d", []turn{
		{`{"role":"assistant","reasoning_content":"Let <me>\nsee.","tool_calls":[` + callOf("x", "", `{"text":"a"}`) + `]}`, []string{
			`{"role":"assistant","content":null,"reasoning_content":""}`, `{"content":null,"reasoning_content":"Let <m"}`, `{"reasoning_content":"e>\nsee."}`,
			`{"reasoning_content":null,"tool_calls":[` + callOf("x", "", `{"text":"a"}`) + `]}`,
		}, "Let <me>\nsee."},
		{`{"role":"assistant","reasoning_content":"","content":"So.","tool_calls":[` + callOf("y", "", `{"text":"b"}`) + `]}`, []string{
			`{"reasoning_content":""}`, `{"content":"So."}`, `{"tool_calls":[` + callOf("y", "", `{"text":"b"}`) + `]}`,
		}, ""},
		{`{"role":"assistant","reasoning_content":"It is it.","content":"Done."}`, []string{
			`{"reasoning_content":"It is"}`, `{"reasoning_content":" it.","content":"Do"}`, `{"content":"ne."}`,
		}, "It is it."},
	}},
	"OpenRouter": {"reasoning blocks of message %d cannot be modified", []turn{
		{`{"role":"assistant","reasoning":"I think.","reasoning_details":[{"type":"reasoning.text","text":"I think.","signature":"sig","format":"f-v1","index":0},
			{"type":"reasoning.encrypted","data":"one","index":0},{"type":"reasoning.encrypted","data":"two","index":0}],"tool_calls":[` + callOf("x", "", `{"text":"a"}`) + `]}`, []string{
			`{"reasoning":"I th","reasoning_details":[{"type":"reasoning.text","text":"I th","signature":"","format":"f-v1","index":0}]}`,
			`{"reasoning":"ink.","reasoning_details":[{"type":"reasoning.text","text":"ink.","format":"f-v1","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.text","signature":"sig","format":"f-v1","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.encrypted","data":"one","index":0}],"tool_calls":[` + callOf("x", "", `{"text":"a"}`) + `]}`,
			`{"reasoning_details":[{"type":"reasoning.encrypted","data":"two","index":0}]}`,
		}, "I think."},
		{`{"role":"assistant","content":"Done."}`, []string{`{"content":"Done.","reasoning":null,"reasoning_details":[]}`}, ""},
	}},
	"Mistral": {"Extra inputs are not permitted in message %d", []turn{
		{`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm, so."}]},{"type":"text","text":"I do."}],"tool_calls":[` + callOf("x", "", `{"text":"a"}`) + `]}`, []string{
			`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm,"}]}]}`, `{"content":[{"type":"thinking","thinking":[{"type":"text","text":" so."}]}]}`,
			`{"content":[{"type":"text","text":"I "}]}`, `{"content":"do."}`, `{"tool_calls":[` + callOf("x", "", `{"text":"a"}`) + `]}`,
		}, "Hm, so."},
		{`{"role":"assistant","content":"Done."}`, []string{`{"content":"Do"}`, `{"content":"ne."}`}, ""},
	}},
}

func echoes(t *testing.T) *tool.Registry {
	t.Helper()
	made, err := schema.Dynamic(tool.Definition{Name: "echo", Description: "Says it again.", Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)},
		func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) { return arguments, nil })
	if err != nil {
		t.Fatal(err)
	}
	r := tool.NewRegistry()
	if err := r.Register(made); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestProvider checks conversations with endpoints that insist on their members, with and without
// streaming. The provider's data passes through JSON after each turn.
func TestProvider(t *testing.T) {
	for name, e := range insistents {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprint(name, streamed), func(t *testing.T) {
				messages, turns := converse(t, serve(t, e.ServeHTTP), echoes(t), streamed, llm.Message{Role: llm.RoleUser, Text: "Go."})
				if last := messages[len(messages)-1]; turns != len(e.turns) || last.Text != "Done." {
					t.Errorf("after %d turns it is %+v", turns, last)
				}
				turn := 0
				for _, m := range messages {
					if m.Role != llm.RoleAssistant {
						continue
					}
					if m.Reasoning != e.turns[turn].thought {
						t.Errorf("turn %d: it thought %q", turn, m.Reasoning)
					}
					turn++
				}
			})
		}
	}
}

func answer(ctx context.Context, m llm.Model, req llm.Request, streamed bool) (response llm.Response, err error) {
	if streamed {
		_, response, err = stream(ctx, m, req)
		return response, err
	}
	return m.Generate(ctx, req)
}

func stored(t *testing.T, messages []llm.Message) (read []llm.Message) {
	t.Helper()
	text, err := json.Marshal(messages)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestProviderElsewhere checks that the data of one endpoint is not sent to another one, nor members
// that should be forgotten.
func TestProviderElsewhere(t *testing.T) {
	e := insistents["DeepSeek"]
	response, err := serve(t, e.ServeHTTP).Generate(t.Context(), llm.Request{Prompt: "Go."})
	if err != nil {
		t.Fatal(err)
	}
	var sent string
	spy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		io.WriteString(w, `{"choices":[{"message":`+e.turns[0].message+`}]}`)
	}))
	t.Cleanup(spy.Close)
	ask := func(m llm.Message, options ...openai.Option) llm.Response {
		options = append(options, openai.BaseURL(spy.URL), openai.NoRetry())
		response, err := openai.New("m", options...).Generate(t.Context(), llm.Request{Messages: []llm.Message{m}})
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	own := ask(response.Message())
	if strings.Contains(sent, "reasoning") || strings.Contains(sent, "see.") {
		t.Error("sent elsewhere:", sent)
	}
	if ask(own.Message()); !strings.Contains(sent, `"reasoning_content":"Let`) {
		t.Error("not sent back:", sent)
	}
	if ask(own.Message(), openai.Forget("reasoning_content")); strings.Contains(sent, "reasoning") {
		t.Error("not forgotten:", sent)
	}
	foreign := own.Message()
	foreign.Provider = json.RawMessage(`["of another adapter"]`)
	if ask(foreign); strings.Contains(sent, "another") {
		t.Error("sent:", sent)
	}
	foreign.Provider = []byte(strings.Replace(string(own.Provider), `"message":{`, `"message":{"role":"system","tool_calls":[],`, 1))
	if ask(foreign); strings.Contains(sent, "system") {
		t.Error("replaced:", sent)
	}
}

// TestTooMuchBeside checks the limit on additional members.
func TestTooMuchBeside(t *testing.T) {
	const want = "model: malformed response: the additional members of the answer have more than 4194304 bytes"
	large := fmt.Sprintf(`{"reasoning_content":"%s"}`, strings.Repeat("x", 3<<20))
	_, _, err := stream(t.Context(), serve(t, respond(event(large, "")+event(large, "")+done)), llm.Request{})
	checkError(t, err, want)
	_, err = serve(t, respond(fmt.Sprintf(`{"choices":[{"message":{"a":%s,"b":%s}}]}`, large, large))).Generate(t.Context(), llm.Request{})
	checkError(t, err, want)
}

// TestThoughtTags checks reasoning inside the text, as endpoints send it that do not know the model.
func TestThoughtTags(t *testing.T) {
	for text, want := range map[string][2]string{
		"<think>Hm.</think>\n\nYes.":             {"Yes.", "Hm."},
		" \n<thought>a<b</thought>Yes. </think>": {"Yes. </think>", "a<b"},
		"<think>Never done":                      {"", "Never done"},
		"<think></think> ":                       {"", ""},
		" <thinking is hard>":                    {" <thinking is hard>", ""},
		"  Yes: <think>no</think>":               {"  Yes: <think>no</think>", ""},
		"<th":                                    {"<th", ""},
		" ":                                      {" ", ""},
	} {
		quoted := inJSON(text)
		got, err := serve(t, respond(`{"choices":[{"message":{"content":`+quoted+`}}]}`)).Generate(t.Context(), llm.Request{})
		if err != nil || got.Text != want[0] || got.Reasoning != want[1] {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		for size := 1; size < 4; size++ {
			var body string
			for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
				body += event(`{"content":`+inJSON(rest[:min(size, len(rest))])+`}`, "")
			}
			var told, thought string
			for chunk, err := range llm.Stream(t.Context(), serve(t, respond(body+done)), llm.Request{}) {
				if err != nil {
					t.Fatal(err)
				}
				told, thought = told+chunk.Text, thought+chunk.Reasoning
			}
			if told != want[0] || thought != want[1] {
				t.Errorf("%s in pieces of %d: %q, thought %q", text, size, told, thought)
			}
		}
	}
}

// TestProviderCalls checks that the data of calls stays with them even if other calls were removed or
// changed.
func TestProviderCalls(t *testing.T) {
	e := insistentEndpoint{turns: []turn{{message: `{"tool_calls":[` + callOf("x", `"sig":1,`, `{"text":"a"}`) + `,` + callOf("y", `"sig":2,`, `{"text":"b"}`) + `]}`}}}
	var sent string
	m := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if sent = string(body); !strings.Contains(sent, "assistant") {
			io.WriteString(w, `{"choices":[{"message":`+e.turns[0].message+`}]}`)
			return
		}
		io.WriteString(w, plain)
	})
	response, err := m.Generate(t.Context(), llm.Request{Prompt: "Go."})
	if err != nil {
		t.Fatal(err)
	}
	for want, calls := range map[string][]tool.Request{
		`"id":"new","type":"function","function":{"name":"echo","arguments":"{}"},"sig":1`: {{ID: "new", Name: "echo"}, response.Calls[1]},
		`"arguments":"{\"text\":\"b\"}"},"sig":2}]`:                                        {response.Calls[1]},
		`"id":"x","type":"function","function":{"name":"other","arguments":"{}"}}]`:        {{ID: "x", Name: "other"}},
	} {
		message := response.Message()
		message.Calls = calls
		if _, err := m.Generate(t.Context(), llm.Request{Messages: []llm.Message{message}}); err != nil || !strings.Contains(sent, want) {
			t.Errorf("%v: sent %s\nwant %s", err, sent, want)
		}
	}
}

// TestProviderText checks that additional members with invalid UTF-8 become valid text.
func TestProviderText(t *testing.T) {
	message := "\"role\":\"assistant\",\"content\":\"a\",\"reasoning_details\":[{\"type\":\"x\",\"data\":\"\xff\"}]"
	for name, body := range map[string]string{
		"whole":  `{"choices":[{"message":{` + message + `},"finish_reason":"stop"}]}`,
		"stream": event("{"+message+"}", "stop") + done,
	} {
		_, response, err := stream(t.Context(), serve(t, respond(body)), llm.Request{Prompt: "a"})
		if err != nil || !utf8.Valid(response.Provider) || !strings.Contains(string(response.Provider), "\uFFFD") {
			t.Errorf("%s: %q, %v", name, response.Provider, err)
		}
	}
}
