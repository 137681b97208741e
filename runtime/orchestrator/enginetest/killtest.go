package enginetest

import (
	"flag"
	"os"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

var killedRuns = flag.Int("killtest.runs", 6, "number of plans, and of conversations, whose processes the test kills; with -short 1")

// IsChild reports whether RunKilled started this process. In such a process, only the test that
// calls RunKilled should run.
func IsChild() bool { return os.Getenv(childOrderVariable) != "" }

// RunKilled executes plans and conversations in child processes and kills these at random moments,
// until each run has ended. The children execute the test that calls RunKilled, so the test must
// call RunKilled before it does anything else. RunKilled calls place to get a place for the
// journal, which must be empty at first, and passes it to open in all processes. The flag
// -killtest.runs sets the number of runs.
//
// RunKilled reports an error if:
//   - a call of a tool that is neither read-only nor idempotent is made twice under one ID
//   - a call is made under one ID with different arguments
//   - an effect is missing
//   - a message is not shown to the model
//   - a run does not end
func RunKilled(t *testing.T, place func() string, open func(place string) (journal.Journal, error)) {
	if text := os.Getenv(childOrderVariable); text != "" {
		if err := executeChild(t.Context(), text, open); err != nil {
			t.Fatal(err)
		}
		return
	}
	p, err := newParent(t, place(), open)
	if err != nil {
		t.Fatal(err)
	}
	runs := *killedRuns
	if testing.Short() {
		runs = 1
	}
	for i := range runs {
		for _, kind := range []string{"plan", "conversation"} {
			if err := p.driveRun(t.Context(), kind, i); err != nil {
				t.Errorf("%s %d: %v", kind, i, err)
			}
		}
	}
	t.Logf("%d runs of each kind: %d processes, of which %d were killed; %d decisions; %d runs taken over", runs, p.started, p.killed, p.decided, p.takenOver)
	if runs > 5 && p.killed < runs {
		t.Errorf("only %d processes were killed", p.killed)
	}
}
