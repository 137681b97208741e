package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	client "github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/tool"
)

// The tools of these tests: one with another form in the strict mode, one with the same form, and one
// that the strict mode does not support.
var (
	labelTool = tool.Definition{
		Name: "label.it", Description: "Labels a ticket.",
		Input: json.RawMessage(`{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}},"note":{"type":"string"}},"required":["labels"],"additionalProperties":false}`),
	}
	nowTool   = tool.Definition{Name: "now", Description: "Tells the time."}
	storeTool = tool.Definition{
		Name: "store", Description: "Stores anything.",
		Input: json.RawMessage(`{"type":"object","properties":{"value":{},"key":{"type":"string"}},"required":["value"],"additionalProperties":false}`),
	}
	answerSchema = json.RawMessage(`{"type":"object","properties":{"counts":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["counts"],"additionalProperties":false}`)
)

// sentBody returns the body of the request that a model sends.
func sentBody(t *testing.T, req llm.Request, options ...openai.Option) (body struct {
	Tools          []client.Tool
	Messages       []client.ChatCompletionMessage
	ResponseFormat *client.ChatCompletionResponseFormat `json:"response_format"`
}) {
	t.Helper()
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(plain))}, nil
	})
	options = append(options, openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport}))
	if _, err := openai.New("m", options...).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return body
}

// TestStrict checks which schemas the endpoint is asked to enforce.
func TestStrict(t *testing.T) {
	elsewhere := openai.BaseURL("http://localhost/v1")
	for name, test := range map[string]struct {
		options      []openai.Option
		tools        []bool // whether each tool is strict, in the order of the request
		answer, free bool   // whether the schema of the answer is strict
	}{
		"OpenAI":         {nil, []bool{true, true, false}, true, false},
		"OpenAI without": {[]openai.Option{openai.Strict(false)}, []bool{false, false, false}, false, false},
		"elsewhere":      {[]openai.Option{elsewhere}, []bool{false, false, false}, false, false},
		"elsewhere with": {[]openai.Option{elsewhere, openai.Strict(true)}, []bool{true, true, false}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			body := sentBody(t, llm.Request{Tools: []tool.Definition{labelTool, nowTool, storeTool}, Schema: answerSchema}, test.options...)
			var strict []bool
			for _, tool := range body.Tools {
				strict = append(strict, tool.Function.Strict)
			}
			if !slices.Equal(strict, test.tools) {
				t.Errorf("of the tools strict are %v, want %v", strict, test.tools)
			}
			if got := body.ResponseFormat.JSONSchema.Strict; got != test.answer {
				t.Errorf("the answer is strict: %v, want %v", got, test.answer)
			}
			body = sentBody(t, llm.Request{Schema: storeTool.Input}, test.options...)
			if got := body.ResponseFormat.JSONSchema.Strict; got != test.free {
				t.Errorf("an answer that may be anything is strict: %v, want %v", got, test.free)
			}
		})
	}
}

const (
	labelName    = "label_it_c3b7705c"
	labelWritten = `{"labels":[{"key":"env","value":"prod"}],"note":null}`
	labelRaised  = `{"labels":{"env":"prod"}}`
)

// quote returns a text as JSON.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// TestRaised checks that calls in the model's form reach the registry in its own form, and are sent
// back in the model's form.
func TestRaised(t *testing.T) {
	call := fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":%q,"arguments":%s}},
		{"index":1,"id":"b","type":"function","function":{"name":%[1]q,"arguments":"{'labels': "}},
		{"index":2,"id":"c","type":"function","function":{"name":"unknown","arguments":"{\"a\":null}"}}]}`, labelName, quote(labelWritten))
	call = strings.Join(strings.Fields(call), " ")
	want := calls(request("a", "label.it", labelRaised), request("b", "label.it", "{'labels': "), request("c", "unknown", `{"a":null}`))
	req := llm.Request{Prompt: "?", Tools: []tool.Definition{labelTool}}

	whole := serve(t, respond(`{"choices":[{"message":`+call+`,"finish_reason":"tool_calls"}]}`), openai.Strict(true))
	response, err := whole.Generate(t.Context(), req)
	if err != nil || !reflect.DeepEqual(response.Calls, want) {
		t.Errorf("got %+v, %v\nwant %+v", response.Calls, err, want)
	}
	inPieces := serve(t, respond(event(call, "tool_calls")+done), openai.Strict(true))
	_, response, err = stream(t.Context(), inPieces, req)
	if err != nil || !reflect.DeepEqual(response.Calls, want) {
		t.Errorf("got %+v, %v\nwant %+v", response.Calls, err, want)
	}

	req.Messages = []llm.Message{response.Message()}
	var written []client.FunctionCall
	for _, c := range sentBody(t, req).Messages[0].ToolCalls {
		written = append(written, c.Function)
	}
	if want := []client.FunctionCall{{Name: labelName, Arguments: labelWritten}, {Name: labelName, Arguments: `{"note":null}`}, {Name: "unknown", Arguments: `{"a":null}`}}; !slices.Equal(written, want) {
		t.Errorf("the model is shown %+v, want %+v", written, want)
	}
}

// TestRaisedAnswer checks that an answer in another form arrives whole, in the form of the original
// schema.
func TestRaisedAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		pieces []string
		texts  []string // the expected calls
	}{
		"another form": {[]string{`{"counts":[{"key":"a",`, `"value":1}]}`}, []string{`{"counts":{"a":1}}`}},
		"the schema's": {[]string{`{"counts":{"a":`, `1}}`}, []string{`{"counts":{"a":1}}`}},
		"no JSON":      {[]string{"I do ", "not know."}, []string{"I do not know."}},
		"nothing":      {[]string{""}, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			body := ""
			for _, piece := range test.pieces {
				body += event(`{"content":`+quote(piece)+`}`, "")
			}
			req := llm.Request{Prompt: "?", Schema: answerSchema}
			texts, response, err := stream(t.Context(), serve(t, respond(body+event(`{}`, "stop")+done), openai.Strict(true)), req)
			if err != nil || !slices.Equal(texts, test.texts) || response.Text != strings.Join(texts, "") {
				t.Errorf("got %q, %+v, %v", texts, response, err)
			}
			whole := serve(t, respond(`{"choices":[{"message":{"content":`+quote(strings.Join(test.pieces, ""))+`},"finish_reason":"stop"}]}`), openai.Strict(true))
			if response, err := whole.Generate(t.Context(), req); err != nil || response.Text != strings.Join(test.texts, "") {
				t.Errorf("got %+v, %v", response, err)
			}
		})
	}
	t.Run("one form", func(t *testing.T) { // no value needs raising, so text is streamed
		object := json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}`)
		m := serve(t, respond(event(`{"content":"{\"a\""}`, "")+event(`{"content":":1}"}`, "stop")+done), openai.Strict(true))
		texts, _, err := stream(t.Context(), m, llm.Request{Prompt: "?", Schema: object})
		if err != nil || !slices.Equal(texts, []string{`{"a"`, `:1}`, ""}) {
			t.Errorf("got %q, %v", texts, err)
		}
	})
}

func ExampleTools() {
	registry := tool.NewRegistry()
	registry.Replace(weatherTool())
	tools, err := openai.NewTools(true, registry.All()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	request := client.ChatCompletionRequest{Model: "gpt-5", Tools: tools.Definitions()}
	fmt.Println(request.Tools[0].Function.Name, request.Tools[0].Function.Strict)

	// The client's CreateChatCompletion returns such calls.
	answer := client.ToolCall{ID: "call_1", Function: client.FunctionCall{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}
	call := registry.Call(context.Background(), tools.Request(answer))
	fmt.Println(call.ID, string(call.Output))
	// Output:
	// get_weather true
	// call_1 "snow"
}
