// Package enginetest tests that runs of package orchestrator behave the same with every engine and
// every journal. Call [Run] from a test of a custom engine: it checks that the same plans,
// conversations, approvals, questions, faults and restarts lead to the same calls in the same order
// and to the same answers. Call [RunKilled] from a test of a custom journal: it kills the processes
// that execute the runs.
package enginetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// timeout limits the duration of a check.
const timeout = 2 * time.Minute

// Events receives the events of runs.
type Events func(context.Context, run.Event)

// Run checks an engine. It calls open for each check. The function open must return a new engine and a
// function that restarts its workers. The engine must pass the events of its runs to events.
//
// The engine must have at least one worker. The worker must ask the model and call the tools in this
// process, and abandon a call 10 ms after its context is done; see Grace of run.Env. The function
// restart must interrupt the workers, as a deployment does, and return when others are running.
// Resources must be released with t.Cleanup. The IDs of the runs are unique.
func Run(t *testing.T, open func(t *testing.T, model llm.Model, tools *tool.Registry, events Events) (e Engine, restart func())) {
	for _, c := range allChecks() {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			s, err := newStage(c.script)
			if err != nil {
				t.Fatal(err)
			}
			defer s.endHangs()
			s.engine, s.restart = open(t, llm.Func(s.generateResponse), s.tools, s.addEvent)
			if err := c.run(ctx, s); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is one check of an engine. Its function returns an error instead of failing the test, so that
// a test of this package can verify that the check finds faults.
type check struct {
	name string
	script
	run func(context.Context, *stage) error
}

func allChecks() []check {
	all := checks
	for _, s := range slices.Concat(planScenes, conversationScenes, peopleScenes, faultScenes, agentScenes) {
		all = append(all, check{s.name, s.script, s.playScene})
	}
	return all
}
