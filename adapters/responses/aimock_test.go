package responses_test

import (
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/aiongen/aiongen/adapters/responses"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
)

// TestAimock checks the model at an endpoint that was written independently of this project.
func TestAimock(t *testing.T) {
	url := llmtest.StartAimock(t, "testdata/aimock.json", "../../runtime/llm/openai/testdata/aimock.json") + "/v1"
	newModel := func(t *testing.T, key string) llm.Model {
		client := openai.NewClient(option.WithBaseURL(url), option.WithAPIKey(key), option.WithHeader("X-Test-Id", t.Name()))
		return responses.New(client, "gpt-5", responses.NoRetry())
	}
	llmtest.TestAimock(t, newModel)
	response, err := newModel(t, llmtest.Key).Generate(t.Context(), llm.Request{Prompt: "ponder"})
	if err != nil || response.Text != "Forty-two." || response.Reasoning != "I must think about it." {
		t.Errorf("%+v, %v", response, err)
	}
	response, err = newModel(t, llmtest.Key).Generate(t.Context(), llm.Request{Prompt: "stop in the middle of a call"})
	if err != nil || response.Finish != llm.FinishLength || len(response.Calls) != 1 || !response.Calls[0].Truncated {
		t.Errorf("%+v, %v", response, err)
	}
}
