package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestAimock makes every request twice: for the whole answer at once, and for a stream.
func TestAimock(t *testing.T) {
	url := llmtest.StartAimock(t, "testdata/aimock.json") + "/v1"
	for _, inPieces := range []bool{false, true} {
		t.Run(map[bool]string{false: "whole", true: "in pieces"}[inPieces], func(t *testing.T) {
			options := []openai.Option{openai.BaseURL(url), openai.NoRetry(), openai.Header("X-Test-Id", t.Name())}
			a := aimock{inPieces: inPieces, model: openai.New("mock", append(options, openai.Key(llmtest.Key))...)}
			t.Run("text", a.testText)
			t.Run("schema", a.testSchema)
			t.Run("tools", a.testTools)
			t.Run("strict tool", func(t *testing.T) {
				a := aimock{inPieces: inPieces, model: openai.New("mock", append(options, openai.Key(llmtest.Key), openai.Strict(true))...)}
				a.testStrictTool(t)
			})
			t.Run("cut call", a.testCutCall)
			t.Run("retry", a.testRetry)
			t.Run("errors", a.testErrors)
			t.Run("key", func(t *testing.T) {
				_, _, err := a.ask(t, openai.New("mock", append(options, openai.Key("wrong"))...), llm.Request{Prompt: "greet"})
				if kind(err) != llm.Unauthorized {
					t.Error(err)
				}
			})
		})
	}
}

// aimock is a model at aimock that is asked with or without streaming.
type aimock struct {
	model    llm.Model
	inPieces bool
}

// ask returns the answer of a model and the texts of its pieces.
func (a aimock) ask(t *testing.T, m llm.Model, req llm.Request) (llm.Response, []string, error) {
	if a.inPieces {
		texts, response, err := stream(t.Context(), m, req)
		return response, texts, err
	}
	response, err := m.Generate(t.Context(), req)
	return response, []string{response.Text}, err
}

// kind returns the kind of an *llm.Error; "" for other errors.
func kind(err error) string {
	var e *llm.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

func (a aimock) testText(t *testing.T) {
	response, texts, err := a.ask(t, a.model, llm.Request{System: "Be kind.", Prompt: "greet"})
	if err != nil || response.Text != "Hello, Ada. How are you?" || response.Finish != llm.FinishStop ||
		response.Model != "mock-1" || response.Usage != (llm.Usage{Input: 12, Output: 7}) {
		t.Errorf("%+v, %v", response, err)
	}
	if strings.Join(texts, "") != response.Text || a.inPieces && len(texts) < 4 {
		t.Errorf("%q", texts)
	}
}

func (a aimock) testSchema(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"greeting":{"type":"string"}},"required":["greeting"],"additionalProperties":false}`)
	response, _, err := a.ask(t, a.model, llm.Request{Prompt: "greet", Schema: schema})
	if err != nil || response.Text != `{"greeting":"Hello, Ada."}` {
		t.Errorf("%+v, %v", response, err)
	}
}

func (a aimock) testTools(t *testing.T) {
	registry := tool.NewRegistry()
	registry.Replace(weatherTool())
	for question, want := range map[string]string{
		"the weather of Oslo and Rome": `assistant:  | tool: "snow" | tool: "rain" | assistant: It snows in Oslo, it rains in Rome.`,
		"the weather of Atlantis":      `assistant: Let me see. | tool: get_weather failed: no such place | assistant: There is no such place.`,
	} {
		if got := a.converse(t, registry, question); got != want {
			t.Error(got)
		}
	}
}

// converse returns the text that follows a question after two turns of the model.
func (a aimock) converse(t *testing.T, registry *tool.Registry, question string) string {
	messages, turns := converse(t, a.model, registry, a.inPieces, llm.Message{Role: llm.RoleUser, Text: question})
	if turns != 2 {
		t.Errorf("%d turns", turns)
	}
	var said []string
	for _, m := range messages[1:] {
		said = append(said, string(m.Role)+": "+m.Content())
	}
	return strings.Join(said, " | ")
}

// converse lets a model answer messages and calls its tools. It returns all messages, and the number
// of requests to the model.
func converse(t *testing.T, m llm.Model, tools *tool.Registry, streamed bool, messages ...llm.Message) (all []llm.Message, turns int) {
	t.Helper()
	for {
		turns++
		got, err := answer(t.Context(), m, llm.Request{Messages: stored(t, messages), Tools: tools.All()}, streamed)
		if err != nil {
			t.Fatalf("turn %d: %v", turns, err)
		}
		messages = append(messages, got.Message())
		if len(got.Calls) == 0 {
			return messages, turns
		}
		for _, call := range tools.CallAll(t.Context(), got.Calls, tool.Batch{}) {
			messages = append(messages, llm.Message{Role: llm.RoleTool, Result: call})
		}
	}
}

// testStrictTool calls a tool whose name and arguments have another form at the endpoint.
func (a aimock) testStrictTool(t *testing.T) {
	label, err := schema.Dynamic(labelTool, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) { return arguments, nil })
	if err != nil {
		t.Fatal(err)
	}
	registry := tool.NewRegistry()
	registry.Replace(label)
	if got, want := a.converse(t, registry, "label it"), "assistant:  | tool: "+labelRaised+" | assistant: It is labelled."; got != want {
		t.Error(got)
	}
}

func weatherTool() tool.Tool {
	definition := &tool.Definition{
		Name: "get_weather", Description: "The weather of a city.",
		Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`),
	}
	read := func(v wire.Value) string {
		o := v.Object()
		defer o.Done()
		return o.Str("city")
	}
	run := func(_ context.Context, city string) (string, error) {
		weather, known := map[string]string{"Oslo": "snow", "Rome": "rain"}[city]
		if !known {
			return "", errors.New("no such place")
		}
		return weather, nil
	}
	return tool.NewTypedTool(definition, read, run, (*wire.Encoder).Str).Tool
}

func (a aimock) testCutCall(t *testing.T) {
	response, _, err := a.ask(t, a.model, llm.Request{Prompt: "stop in the middle of a call"})
	if err != nil || response.Finish != llm.FinishLength || len(response.Calls) != 1 || !response.Calls[0].Truncated {
		t.Errorf("%+v, %v", response, err)
	}
}

func (a aimock) testRetry(t *testing.T) {
	var waits []time.Duration
	retry := llm.Retry{
		Model: a.model, Random: func() float64 { return 0 },
		Sleep: func(_ context.Context, d time.Duration) { waits = append(waits, d) },
	}
	response, _, err := a.ask(t, retry, llm.Request{Prompt: "busy"})
	if err != nil || response.Text != "At last." || !slices.Equal(waits, []time.Duration{3 * time.Second, 2 * time.Second}) {
		t.Errorf("%+v, %v after %v", response, err, waits)
	}
}

func (a aimock) testErrors(t *testing.T) {
	for prompt, want := range map[string]string{
		"down":         llm.ServerError,
		"garble":       llm.Malformed,
		"hang up":      llm.Unreachable,
		"not foreseen": llm.BadRequest,
	} {
		if response, _, err := a.ask(t, a.model, llm.Request{Prompt: prompt}); kind(err) != want {
			t.Errorf("%s: %+v, %v", prompt, response, err)
		}
	}
	if _, texts, err := a.ask(t, a.model, llm.Request{Prompt: "cut"}); a.inPieces && (kind(err) != llm.CutOff || len(texts) == 0) {
		t.Errorf("%q, %v", texts, err)
	}
}
