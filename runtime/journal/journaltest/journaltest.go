// Package journaltest tests whether a journal fulfills the contract of [journal.Journal]. Call [Run]
// from a test of a custom journal, and [Durable] if it has to outlive processes.
package journaltest

import (
	"context"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Run tests a kind of journal. It calls open for each check. Each call must return an empty journal that
// nothing else uses; open can release its resources with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) journal.Journal) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is a check of one part of the contract. Its function returns an error instead of failing the test, so that
// the tests of this package can verify that it finds a broken journal.
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
