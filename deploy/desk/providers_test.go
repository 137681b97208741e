package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
)

// TestProviders asks a model of each provider, with the key from the environment.
func TestProviders(t *testing.T) {
	answers := map[string]struct{ path, body string }{
		"anthropic": {"/v1/messages", `{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"Hello."}],"usage":{"input_tokens":1,"output_tokens":1}}`},
		"gemini":    {":generateContent", `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1}}`},
		"responses": {"/responses", `{"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello."}]}]}`},
	}
	for _, p := range backends.Providers {
		t.Run(p.Name, func(t *testing.T) {
			t.Setenv(p.Key, "key-of-"+p.Name)
			answer, known := answers[p.Name]
			if !known {
				t.Fatal("there is no answer for this provider")
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, answer.path) {
					t.Errorf("the path is %s, want %s", r.URL.Path, answer.path)
				}
				key := strings.Join([]string{r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"), r.Header.Get("X-Goog-Api-Key")}, "")
				if strings.TrimPrefix(key, "Bearer ") != "key-of-"+p.Name {
					t.Errorf("the key is %q", key)
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, answer.body) // the client may have gone
			}))
			t.Cleanup(server.Close)
			model, err := p.Open(server.URL, "m")
			if err != nil {
				t.Fatal(err)
			}
			response, err := model.Generate(t.Context(), llm.Request{Prompt: "Greet."})
			if err != nil || response.Text != "Hello." {
				t.Errorf("%+v, %v", response, err)
			}
		})
	}
}
