package orchestrator

import (
	"context"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Prompt returns the request to the model whose answer is an entry of the journal of a run. Entry is
// the number of an entry of the kind "model". The run itself may have made the request, or an agent
// that carries out one of its calls.
//
// A journal contains answers, not requests. Prompt therefore replays the run and returns the request
// that this orchestrator makes. It differs from the original request if the program, its
// [BaseRequest] or the entries that [Recall] adds have changed. The error is that of
// [Orchestrator.Open], or a [*run.Error] with the code "invalid_input" if the entry is not an answer
// of the model.
func (o *Orchestrator) Prompt(ctx context.Context, id string, entry int) (llm.Request, error) {
	replaying := o.WithEffects(o.tools, o.Model)
	replaying.sinks = nil
	var found *llm.Request
	replaying.env.Requests = func(ctx context.Context, n int, m llm.Model, request func() llm.Request) {
		if model, ok := m.(runModel); ok && n == entry {
			r := model.completeRequest(ctx, request())
			found = &r
		}
	}
	if _, err := replaying.Open(ctx, id); err != nil {
		return llm.Request{}, err
	}
	if found == nil {
		return llm.Request{}, invalidInput("entry %d of run %q is not an answer of the model", entry, id)
	}
	return *found, nil
}
