package orchestrator_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// teller is a model that answers in pieces.
type teller []string

func (m teller) Generate(context.Context, llm.Request) (llm.Response, error) {
	panic("nobody listens")
}

func (m teller) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		whole := ""
		for _, piece := range m {
			if whole += piece; !yield(llm.Chunk{Text: piece}, nil) {
				return
			}
		}
		yield(llm.Chunk{Response: &llm.Response{Text: whole}}, nil)
	}
}

// TestChunks checks that the text of a model is reported while it is written, through all wrappers of
// an orchestrator.
func TestChunks(t *testing.T) {
	var told string
	listens := orchestrator.ConfigureEnv(func(env *run.Env) {
		env.Chunks = func(_ context.Context, e run.Event) { told += fmt.Sprintf("%s %+v;", e.Step, e.What) }
	})
	agent, err := orchestrator.New(teller{"Hello, ", "Ada!"}, tool.NewRegistry(), orchestrator.Conversation{}, listens)
	if err != nil {
		t.Fatal(err)
	}
	run, err := agent.Start(t.Context(), orchestrator.Input{Request: "Greet me"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := run.Execute(t.Context())
	if err != nil || string(result.Answer) != `"Hello, Ada!"` {
		t.Errorf("it is %+v, %v", result, err)
	}
	if want := "1 {For:turn Text:Hello,  Reasoning:};1 {For:turn Text:Ada! Reasoning:};"; told != want {
		t.Errorf("it tells %s", told)
	}
}
