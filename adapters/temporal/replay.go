package temporal

import (
	"io"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
)

// Replay checks this program, with this engine, against the history of a run that another program
// executed. It returns an error if this program behaves differently and must therefore not continue
// runs of the other program. Replay is meant for tests and executes no calls. Record a history with
//
//	temporal workflow show --workflow-id ID --output json
//
// The options need the DataConverter and the ExternalStorage (see [Storage]) of the client.
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
