package gemini_test

import (
	"net/http"
	"testing"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
)

// TestAimock checks the model at an endpoint that was written independently of this project.
func TestAimock(t *testing.T) {
	url := llmtest.StartAimock(t, "testdata/aimock.json")
	newModel := func(t *testing.T, key string) llm.Model {
		client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
			APIKey: key, Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: url, Headers: http.Header{"X-Test-Id": {t.Name()}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return gemini.New(client, "gemini-3-pro", gemini.NoRetry())
	}
	llmtest.TestAimock(t, newModel)
	for prompt, want := range map[string]llm.Response{
		"greet":     {Text: "Hello, Ada. How are you?", Reasoning: "Be polite.", Finish: llm.FinishStop, Usage: llm.Usage{Input: 12, Output: 7}},
		"too long":  {Text: "one two", Finish: llm.FinishLength},
		"forbidden": {Finish: llm.FinishRefused},
	} {
		got, err := newModel(t, llmtest.Key).Generate(t.Context(), llm.Request{System: "Be kind.", Prompt: prompt})
		if err != nil || inJSON(got) != inJSON(want) {
			t.Errorf("%s: %+v, %v", prompt, got, err)
		}
	}
}
