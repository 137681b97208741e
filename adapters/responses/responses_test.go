package responses_test

import (
	"encoding/json"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/aiongen/aiongen/adapters/responses"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/schema"
)

// TestModel runs the tests that all models have in common.
func TestModel(t *testing.T) {
	newModel := func(options ...responses.Option) func(testing.TB, *llmtest.Double) llm.Model {
		return func(t testing.TB, d *llmtest.Double) llm.Model {
			return responses.New(newClient(d.Serve(t, newAPI())), "m", append([]responses.Option{responses.NoRetry()}, options...)...)
		}
	}
	types := llmtest.TypeScript{
		Package: "openai", Type: "ResponseCreateParams",
		Import:  `import type { ResponseCreateParams } from "openai/resources/responses/responses"`,
		Convert: removeUnknown,
	}
	lacks := map[string]string{"seed": "the API does not support seeds", "stop": "the API has no stop texts", "audio": "the API accepts no audio"}
	llmtest.Test(t,
		llmtest.Provider{Name: "responses", Page: "../../docs/reference/providers.md", Notes: notes, Model: newModel(), Targets: []schema.Target{schema.OpenAIStrict, schema.OpenAI}, Lacks: lacks, TypeScript: types},
		llmtest.Provider{Name: "responses, not strict", Model: newModel(responses.NoStrict()), Targets: []schema.Target{schema.OpenAI}, Lacks: lacks, TypeScript: types},
	)
}

// newClient returns a client of an endpoint.
func newClient(url string) openai.Client {
	return openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey(llmtest.Key))
}

// removeUnknown removes the members of items that the SDK does not know. Answers of the double contain
// them, and the model sends items back unchanged.
func removeUnknown(body []byte) []byte {
	var request map[string]any
	if json.Unmarshal(body, &request) != nil {
		return body
	}
	items, _ := request["input"].([]any)
	for _, item := range items {
		if item, ok := item.(map[string]any); ok {
			delete(item, "future")
		}
	}
	text, err := json.Marshal(request)
	if err != nil {
		return body
	}
	return text
}

// notes are the notes on the model in the table of providers.
var notes = map[string]string{
	"media in results":        "images and files; audio is described in words",
	"temperature":             "dropped if the model does not support it",
	"top_p":                   "dropped if the model does not support it",
	"schema":                  "the answer arrives in one chunk",
	"output schema of a tool": "accepted; dropped if the endpoint does not support it",
	"tools added later":       "`additional_tools`, which keep the cache",
	"reasoning":               "summaries need `responses.Summary`",
	"prompt caching":          "by the API, without marks",
	"provider data":           "sent back to the same host only",
}
