//go:build !race

// The race detector drops values of pools at random, which changes the number of allocations.

package orchestrator_test

import (
	"context"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
)

// TestSink checks that a sink that does nothing costs less than 1 % of the memory, whatever the length
// of the run. Memory is measured because the time depends on it.
func TestSink(t *testing.T) {
	x := task.Task{Request: "x", Plan: cyclelogSteps(slices.Repeat([]string{`find {"text":"a"}`}, 300)...)}
	cost := func(sink func(context.Context, run.Event)) float64 {
		return testing.AllocsPerRun(3, func() {
			cyclelogExecute(t, "r", &cyclelogWorld{output: "1"}, planner.Settings{}.Run, x, run.Limits{}, sink)
		})
	}
	without, with := cost(nil), cost(func(context.Context, run.Event) {})
	if with > without*1.01 {
		t.Errorf("%.0f allocations without a sink, %.0f with one", without, with)
	}
}
