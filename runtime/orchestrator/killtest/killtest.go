// Package killtest checks that runs of package orchestrator keep their promises on a
// journal while the processes that execute them are killed. Call [Run] from a test of a
// custom journal.
package killtest

import (
	"flag"
	"os"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

var runs = flag.Int("killtest.runs", 6, "number of runs whose processes killtest kills, of each kind")

// IsChild reports whether Run started this process. Then only the test that calls Run should
// run in it.
func IsChild() bool { return os.Getenv(childOrder) != "" }

// Run executes runs of both kinds in child processes and kills these at random moments, until
// each run has ended. The children run the test that calls Run, so the test must call Run
// before it does anything else. Run passes the result of place, which must be empty at first,
// to open in all processes. The flag -killtest.runs sets the number of runs.
//
// It is an error if a call of a tool that is neither read-only nor idempotent is made twice
// under one ID, if one ID has two sets of arguments, if an effect is missing, if a message
// is not shown to the model, or if a run does not end.
func Run(t *testing.T, place func() string, open func(place string) (journal.Journal, error)) {
	if text := os.Getenv(childOrder); text != "" {
		if err := execute(t.Context(), text, open); err != nil {
			t.Fatal(err)
		}
		return
	}
	p, err := newParent(t, place(), open)
	if err != nil {
		t.Fatal(err)
	}
	for i := range *runs {
		for _, kind := range []string{"plan", "conversation"} {
			if err := p.drive(t.Context(), kind, i); err != nil {
				t.Errorf("%s %d: %v", kind, i, err)
			}
		}
	}
	t.Logf("%d runs of each kind: %d processes, %d killed, %d decisions, %d taken over", *runs, p.started, p.killed, p.decided, p.takenOver)
	if *runs > 5 && p.killed < *runs {
		t.Errorf("only %d processes were killed", p.killed)
	}
}
