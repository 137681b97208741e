package anthropic_test

import (
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
)

// TestAimock checks the model at an endpoint that was written independently of this project.
func TestAimock(t *testing.T) {
	url := llmtest.StartAimock(t, "testdata/aimock.json", "../../runtime/llm/openai/testdata/aimock.json")
	newModel := func(t *testing.T, key string) llm.Model {
		client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey(key), option.WithHeader("X-Test-Id", t.Name()), option.WithoutEnvironmentDefaults())
		return anthropic.New(client, oldModel, anthropic.NoRetry(), anthropic.MaxTokens(8000))
	}
	llmtest.TestAimock(t, newModel)
	response, err := newModel(t, llmtest.Key).Generate(t.Context(), llm.Request{Prompt: "ponder", Effort: "low"})
	if err != nil || response.Text != "Forty-two." || response.Reasoning != "I must think about it." {
		t.Errorf("%+v, %v", response, err)
	}
}
