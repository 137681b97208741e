package enginetest_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/enginetest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// openEngine starts your engine and a worker for it.
var openEngine func(t *testing.T, model llm.Model, tools *tool.Registry, events enginetest.Events) (e enginetest.Engine, restart func())

// Tests of an engine and of a journal in a package of your own. Give them the names TestEngine and TestKilled.
func Example() {
	testEngine := func(t *testing.T) { enginetest.Run(t, openEngine) }
	testKilled := func(t *testing.T) {
		enginetest.RunKilled(t, t.TempDir, func(place string) (journal.Journal, error) {
			return file.Open(place) // your journal
		})
	}
	_, _ = testEngine, testKilled
	// Output:
}
