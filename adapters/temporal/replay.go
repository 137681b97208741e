package temporal

import (
	"io"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Replay tells whether this program, with this engine, does what another one did in the
// workflow of a run: a program that does not must not go on with its runs. It is for a
// test, of histories that were written by
//
//	temporal workflow show --workflow-id ID --output json
//
// and carries nothing out. The store is that of [Storage], nil if there is none.
func (e *Engine) Replay(text io.Reader, store memory.Store) error {
	h, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
	if err != nil {
		return err
	}
	var options worker.WorkflowReplayerOptions
	if store != nil {
		options.ExternalStorage = Storage(store)
	}
	replayer, err := worker.NewWorkflowReplayerWithOptions(options)
	if err != nil {
		return err
	}
	e.registerRun(replayer)
	return replayer.ReplayWorkflowHistory(nil, h)
}
