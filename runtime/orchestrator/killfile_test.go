package orchestrator_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/orchestrator/enginetest"
)

// TestKilledAnywhere kills processes at random moments; see the flag -killtest.runs.
func TestKilledAnywhere(t *testing.T) {
	enginetest.RunKilled(t, t.TempDir, func(place string) (journal.Journal, error) { return file.Open(place) })
}
