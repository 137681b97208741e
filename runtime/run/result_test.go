package run_test

import (
	"errors"
	"testing"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestResultErr checks that a program which prints the error of a result prints a sentence.
func TestResultErr(t *testing.T) {
	failure := &run.Error{Kind: "no_plan", Text: "no plan was made"}
	for status, want := range map[string]string{
		run.Failed:      "the run failed: no plan was made",
		run.Interrupted: "the run was interrupted: no plan was made",
		run.Expired:     "the run reached its limit on steps: no plan was made",
		run.OverBudget:  "the run is over its budget: no plan was made",
		run.Waiting:     "the run waits for a message: no plan was made",
	} {
		err := run.Result{Status: status, WaitsFor: run.ForMessage, Error: failure}.Err()
		if err == nil || err.Error() != want || !errors.Is(err, failure) || tool.Code(err) != "no_plan" {
			t.Errorf("%s: %v, want %s", status, err, want)
		}
	}
	canceled := run.Result{Status: run.Cancelled, Error: &run.Error{Kind: run.Cancelled, Text: "the run was canceled: enough"}}
	if err := canceled.Err(); err == nil || err.Error() != "the run was canceled: enough" {
		t.Error(err)
	}
	for _, status := range []string{run.Completed, run.Waiting} {
		if err := (run.Result{Status: status}).Err(); err != nil {
			t.Errorf("%s: %v", status, err)
		}
	}
}
