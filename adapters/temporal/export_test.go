package temporal

import "go.temporal.io/sdk/worker"

// Register registers the workflow and activities with a test environment of the SDK.
func (e *Engine) Register(w worker.Registry) { e.registerWorker(w) }

// UncheckedUpdates sets the number of updates after which updates are validated first.
func UncheckedUpdates(n int) Option { return func(e *Engine) { e.uncheckedUpdates = n } }

// StartInput returns the input of a workflow.
func StartInput(run string, entries ...any) (any, error) {
	return encodePayload(map[string]any{"run": run, "entries": entries})
}
