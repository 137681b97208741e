package orchestrator

import (
	"context"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Prompt returns the request that the model answered with an entry of the journal of a run, as the
// model received it. Entry is the number of an entry of the kind "model". It belongs to the run or
// to an agent that carries out a call of the run.
//
// A journal contains answers, not requests. So Prompt replays the run, and the request is the one
// that this orchestrator makes: it differs from the original if the program, its [BaseRequest] or
// what a [Recall] finds in its store has changed. The error is that of [Orchestrator.Open], or a
// [*run.Error] with the code "invalid_input" if the entry is not an answer of the model.
func (o *Orchestrator) Prompt(ctx context.Context, id string, entry int) (llm.Request, error) {
	quiet := o.WithEffects(o.tools, o.Model)
	quiet.sinks = nil
	var found *llm.Request
	quiet.env.Requests = func(ctx context.Context, n int, m llm.Model, request func() llm.Request) {
		if model, ok := m.(runModel); ok && n == entry {
			r := model.completeRequest(ctx, request())
			found = &r
		}
	}
	if _, err := quiet.Open(ctx, id); err != nil {
		return llm.Request{}, err
	}
	if found == nil {
		return llm.Request{}, invalidInput("entry %d of run %q is not an answer of the model", entry, id)
	}
	return *found, nil
}
