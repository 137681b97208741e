package gemini_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/runtime/llm"
)

func newModels(ctx context.Context) (large, small llm.Model, err error) {
	client, err := genai.NewClient(ctx, nil) // with the key in GEMINI_API_KEY
	if err != nil {
		return nil, nil, err
	}
	vertex, err := genai.NewClient(ctx, &genai.ClientConfig{Backend: genai.BackendVertexAI, Project: "desk", Location: "global"})
	if err != nil {
		return nil, nil, err
	}
	return gemini.New(client, "gemini-3-pro-preview"), gemini.New(vertex, "gemini-2.5-flash"), nil
}

// TestPage checks that the function in docs/reference/providers.md is the one in this file, and that
// it reports a missing key.
func TestPage(t *testing.T) {
	const begin, end = "\nfunc newModels(", "\n}\n"
	var functions []string
	for _, name := range []string{"page_test.go", "../../docs/reference/providers.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(text), begin)
		function, _, found := strings.Cut(after, end)
		if !found {
			t.Fatalf("%s has no function newModels", name)
		}
		functions = append(functions, function)
	}
	if functions[0] != functions[1] {
		t.Errorf("the page has another function:\n%s", functions[1])
	}
	t.Setenv("GOOGLE_API_KEY", "")
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "")
	if _, _, err := newModels(t.Context()); err == nil || !strings.Contains(err.Error(), "api key is required") {
		t.Error(err)
	}
}
