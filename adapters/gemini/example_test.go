package gemini_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/runtime/llm"
)

// The client has the key or the credentials. Here its base URL is that of a test server.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":"Add, then subtract.","thought":true},{"text":"42"}]},"finishReason":"STOP"}],`+
			`"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":1,"thoughtsTokenCount":5}}`)
	}))
	defer server.Close()
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	model := gemini.New(client, "gemini-3-pro-preview")
	response, err := model.Generate(ctx, llm.Request{Prompt: "What is 40 + 4 - 2?", Effort: "low"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Reasoning, response.Text, response.Usage.Output)
	// Output:
	// Add, then subtract. 42 6
}
