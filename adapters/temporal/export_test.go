package temporal

import "go.temporal.io/sdk/worker"

// Register is for an environment of the SDK's own for tests.
func (e *Engine) Register(w worker.Registry) { e.register(w) }

// Untried has updates of a run tried first after so many.
func Untried(n int) Option { return func(e *Engine) { e.untried = n } }

// Begun is what a workflow begins with.
func Begun(run string, entries ...any) (any, error) {
	return pack(map[string]any{"run": run, "entries": entries})
}
