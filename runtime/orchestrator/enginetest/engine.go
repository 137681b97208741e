package enginetest

import (
	"context"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Engine drives runs of an orchestrator by workers, so that nobody has to execute them.
type Engine interface {
	// Start begins a run, and returns its ID. The error has the codes of that of
	// [orchestrator.Orchestrator.Start].
	Start(ctx context.Context, in orchestrator.Input) (id string, err error)

	// Send tells a run something, and has it go on. The error has the codes of that of
	// [orchestrator.Run.Send].
	Send(ctx context.Context, id string, s record.Signal) error

	// Result returns where a run stands once it has nothing to do: it has ended, waits, is
	// beyond a limit, or was interrupted by what does not pass. What was sent before, it
	// has taken in. The error has the code "journal_gone" if there is no such run.
	Result(ctx context.Context, id string) (*record.Result, error)
}
