package desk

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
)

// sizesOf makes the recorded requests and returns the longest prompts of each kind.
func sizesOf(t *testing.T) map[string]llm.Request {
	t.Helper()
	longest := map[string]llm.Request{}
	var script []string
	model := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		text := r.Prompt
		if len(r.Messages) > 0 {
			text = r.Messages[0].Text
		}
		kind := "other"
		for _, known := range [][2]string{{"Make a plan", "plan"}, {"A step of a plan failed", "replan"}, {"lacks arguments", "arguments"}, {"cannot be carried out", "step repair"}, {"should be a plan", "plan repair"}, {"Do this step", "reasoning"}, {"Answer this request", "answer"}} {
			if strings.Contains(text, known[0]) {
				kind = known[1]
			}
		}
		r.Prompt = text
		if len(r.System)+len(text) > len(longest[kind].System)+len(longest[kind].Prompt) {
			longest[kind] = r
		}
		var response llm.Response
		response, script = nextAnswer(script), script[1:]
		return response, nil
	})
	const broken = `{"goal":"Count","steps":[{"step_id":"1","description":"Count the tickets","tool":"ticket_statistics","arguments":{"of":"all"}}]}`
	for i, r := range recordedRequests[:8] {
		script = modelAnswers[i]
		makeRequest(t, model, r.request)
	}
	right := strings.Replace(broken, `{"of":"all"}`, `{}`, 1)
	script = []string{broken, right, right, "None."}
	makeRequest(t, model, "Count the tickets.")
	return longest
}

func makeRequest(t *testing.T, model llm.Model, text string) {
	t.Helper()
	k, err := settings{}.openStorage(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	a, err := settings{}.newAgent(t.Context(), model, recordedTime, k)
	if err != nil {
		t.Fatal(err)
	}
	a.person, a.screen = &person{yes: true}, &screen{w: io.Discard}
	if _, err := a.executeRequest(t.Context(), "plan", text); err != nil {
		t.Error(err)
	}
}

// TestPromptSizes checks that the descriptions of twelve tools and of plans need at most 7 KB.
func TestPromptSizes(t *testing.T) {
	most := map[string]int{"plan": 7 << 10, "replan": 9 << 10, "arguments": 9 << 10, "step repair": 4 << 10, "plan repair": 4 << 10}
	all := sizesOf(t)
	for kind, r := range all {
		t.Logf("%-12s system %5d, user %5d, schema %5d", kind, len(r.System), len(r.Prompt), len(r.Schema))
	}
	for kind, limit := range most {
		if r, ok := all[kind]; !ok || len(r.System)+len(r.Prompt) > limit {
			t.Errorf("%s: %d bytes, want at most %d:\n%s\n%s", kind, len(r.System)+len(r.Prompt), limit, r.System, r.Prompt)
		}
	}
}
