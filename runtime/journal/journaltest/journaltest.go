// Package journaltest tests that a journal keeps the contract of [journal.Journal]. Call [Run]
// from a test of a custom journal, and [Durable] if it has to outlive processes.
package journaltest

import (
	"context"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Run tests the journals that open returns. Each must be empty and not used by anyone else. Use
// t.Cleanup to release their resources.
func Run(t *testing.T, open func(t *testing.T) journal.Journal) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check returns an error instead of failing a test, so that a test can check that it fails.
type check struct {
	name string
	run  func(context.Context, journal.Journal) error
}

var checks = []check{
	{"read", checkRead},
	{"data", checkData},
	{"aliases", checkAliases},
	{"numbers", checkNumbers},
	{"lost answers", checkLostAnswers},
	{"all or nothing", checkAllOrNothing},
	{"wrong entries", checkWrongEntries},
	{"IDs", checkIDs},
	{"limits", checkLimits},
	{"delete", checkDelete},
	{"runs", checkRuns},
	{"pages", checkPages},
	{"many runs", checkManyRuns},
	{"context", checkContext},
	{"one begins", checkOneBegins},
	{"two writers", checkTwoWriters},
	{"constant cost", checkConstantCost},
}
