package temporal

import (
	"io"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
)

// Replay tells whether this program, with this engine, does what another one did in the
// workflow of a run: a program that does not must not go on with its runs. It is for a
// test, of histories that were written by
//
//	temporal workflow show --workflow-id ID --output json
//
// and carries nothing out. The options have what the client has of them: a DataConverter,
// and ExternalStorage, as of [Storage].
func (e *Engine) Replay(text io.Reader, options worker.WorkflowReplayerOptions) error {
	h, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
	if err != nil {
		return err
	}
	replayer, err := worker.NewWorkflowReplayerWithOptions(options)
	if err != nil {
		return err
	}
	e.registerRun(replayer)
	return replayer.ReplayWorkflowHistory(nil, h)
}
