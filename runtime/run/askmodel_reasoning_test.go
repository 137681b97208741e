package run

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
)

// TestAskModelReasoning checks that reasoning is not part of the answer.
func TestAskModelReasoning(t *testing.T) {
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "<think>So.</think>\n"}, nil
	})
	var events []any
	answer, err := askModel(t.Context(), model, modelQuestion{
		Event:  Event{Run: "42", What: ModelStart{For: "answer"}},
		Chunks: func(_ context.Context, e Event) { events = append(events, e.What) },
		Clock:  time.Now,
	})
	if err != nil || answer.Error == nil || answer.Error.Error() != "the model gave no answer" || answer.Response.Reasoning != "So." {
		t.Errorf("%q, %+v, %v", answer.Error, answer.Response, err)
	}
	want := []any{Chunk{For: "answer", Text: "<think>So.</think>\n"}, StreamRestarted{For: "answer"}}
	if !reflect.DeepEqual(events, want) {
		t.Errorf("got %+v, want %+v", events, want)
	}
}
