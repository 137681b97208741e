package temporal

import "go.temporal.io/sdk/worker"

// Register is for an environment of the SDK's own for tests.
func (e *Engine) Register(w worker.Registry) { e.register(w) }

// Begun is what a workflow begins with.
func Begun(run string, entries ...any) (any, error) {
	return pack(map[string]any{"run": run, "entries": entries})
}
