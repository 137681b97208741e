package telemetry_test

import (
	"context"
	"errors"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
)

// breakingJournal fails after some appends.
type breakingJournal struct {
	journal.Journal
	left int // appends that succeed
}

func (j *breakingJournal) Append(ctx context.Context, id string, from int, entries ...journal.Entry) error {
	if j.left--; j.left < 0 {
		return errors.New("the disk is full")
	}
	return j.Journal.Append(ctx, id, from, entries...)
}

// TestSpansEnd checks that no span stays open if the journal fails, at whatever entry.
func TestSpansEnd(t *testing.T) {
	most := 0
	for entries := range 16 {
		spans := tracetest.NewSpanRecorder()
		r := newRecorder(t, telemetry.Traces(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))
		model := scripted.New(scripted.Text(`{"goal":"g","steps":[{"step_id":"a","description":"d","tool":"lookup","arguments":{"q":"7"}},{"step_id":"b","description":"d","agent":"llm"}]}`), scripted.Text("Done."), scripted.Text("Done."))
		o, err := orchestrator.New(r.Model("m", model), newTools(t, r), r.Agent("desk"), orchestrator.Journal(&breakingJournal{new(journal.Map), entries}), orchestrator.Plan{})
		if err != nil {
			t.Fatal(err)
		}
		run, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Request: "Greet user 7."})
		if err == nil {
			_, err = run.Execute(t.Context())
		}
		started, ended := len(spans.Started()), len(spans.Ended())
		if started != ended {
			t.Errorf("after %d entries, %d spans have begun and %d ended: %v", entries, started, ended, err)
		}
		most = max(most, started)
	}
	if most < 6 {
		t.Errorf("a run has only %d spans", most)
	}
}
