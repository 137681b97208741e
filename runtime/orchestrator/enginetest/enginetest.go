// Package enginetest checks that runs of package orchestrator do the same on every engine
// that drives them: the same plans, conversations, approvals, questions, faults and
// restarts, the same calls in the same order, the same answers. Call [Run] from a test of
// an engine of your own.
//
// Its layers, from top to bottom:
//
//	enginetest                     what a test calls
//	checks                         what an engine has to do beyond one run
//	plans, talks, people, faults   runs, and what becomes of them
//	scene                          how a run is carried out, and looked at
//	stage                          the model and the tools, which act by a script
//	engine                         what an engine is
package enginetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// patience is how long a check may take.
const patience = 2 * time.Minute

// Run checks the engines that open returns: each of its own, with at least one worker,
// which asks the model and calls the tools in this process, and gives up a call 10 ms
// after its context is done; see Grace of run.Env. By restart its workers are stopped in
// the midst of what they do, as for a deploy, and others work when it returns. What both
// hold they release with t.Cleanup. Their runs have IDs that nobody else has.
func Run(t *testing.T, open func(t *testing.T, model llm.Model, tools *tool.Registry) (e Engine, restart func())) {
	for _, c := range all() {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			s, err := newStage(c.script)
			if err != nil {
				t.Fatal(err)
			}
			defer s.leave()
			s.engine, s.restart = open(t, llm.Func(s.generate), s.tools)
			if err := c.run(ctx, s); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is a function that returns an error, no test, so that a test can see it fail.
type check struct {
	name string
	script
	run func(context.Context, *stage) error
}

func all() []check {
	all := checks
	for _, s := range slices.Concat(plans, talks, people, faults) {
		all = append(all, check{s.name, s.script, s.play})
	}
	return all
}
