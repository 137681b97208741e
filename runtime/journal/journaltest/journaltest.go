// Package journaltest checks that a journal keeps the contract of
// [journal.Journal]. Every journal of this module passes it; call [Run] from a test
// of your own one, and [Durable] if it shall outlive processes.
//
// Its layers, from top to bottom:
//
//	journaltest, durable  what a test calls
//	checks, many          what is checked: of one run, of much at once
//	expect                how
package journaltest

import (
	"context"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Run checks the journals that open returns: each of them empty, and nobody else's.
// What they hold it releases with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) journal.Journal) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is a function that returns an error, no test, so that a test can see it
// fail.
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
