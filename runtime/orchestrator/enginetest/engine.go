package enginetest

import (
	"context"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// Engine executes the runs of an orchestrator on workers, so that the caller does not have to
// execute them.
type Engine interface {
	// Start begins a run and returns its ID. Its errors have the codes of
	// [orchestrator.Orchestrator.Start].
	Start(ctx context.Context, in orchestrator.Input) (id string, err error)

	// Send sends a signal to a run and resumes it. Its errors have the codes of
	// [orchestrator.Run.Send].
	Send(ctx context.Context, id string, s run.Signal) error

	// Result waits until a run cannot continue, because it has ended, waits for a signal, has
	// reached a limit, or was interrupted by a permanent error. The run must have processed all
	// signals that were sent before. The error has the code "journal_gone" if there is no such
	// run.
	Result(ctx context.Context, id string) (*run.Result, error)
}
