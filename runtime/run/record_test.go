package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestRecords compares the records of a run with its entries.
func TestRecords(t *testing.T) {
	w := &world{asks: map[string][]tool.Question{"pay": {terse}}}
	env := w.env(new(journal.Map))
	createRun(t, env, run.Limits{})
	result := execute(t, env, everything, run.Completed)
	all := entries(t, env.Journal)
	var kinds []string
	for r, err := range run.Records(t.Context(), env.Journal, "r") {
		if err != nil {
			t.Fatal(err)
		}
		if e := all[r.N]; r.Kind != e.Kind || !r.Time.Equal(e.Time) || r.Status != e.Status || r.WaitsFor != e.WaitsFor {
			t.Errorf("%+v is the record of %+v", r, e)
		}
		text := r.Kind
		switch {
		case r.Answer != nil:
			text += " " + r.Purpose
		case r.Request != nil:
			text += fmt.Sprintf(" %s %d", r.Request.Name, r.Attempt)
		case r.Call != nil:
			text += fmt.Sprintf(" %s %d %v", r.Call.Request.Name, r.Attempt, r.Ran)
		case r.Input != nil:
			text += fmt.Sprintf(" %d tools", len(r.Input.Tools))
		case r.Signal != nil:
			text += " " + r.Signal.Kind
		}
		if kinds = append(kinds, text); r.Kind == "end" && string(r.Value) != string(result.Answer) {
			t.Errorf("the answer is %s, want %s", r.Value, result.Answer)
		}
	}
	const want = "begin 3 tools, claim, model plan, do, outcome find 0 true, outcome find 0 true, " +
		"request pay 1, outcome pay 1 true, model question, request pay 2, outcome pay 2 true, " +
		"request pay 1, outcome pay 1 true, model question, request pay 2, outcome pay 2 true, " +
		"request tag 1, outcome tag 1 true, model think, " +
		"request pay 1, outcome pay 1 true, model question, request pay 2, outcome pay 2 true, model answer, end"
	if got := strings.Join(kinds, ", "); got != want {
		t.Errorf("the records are\n%s\nwant\n%s", got, want)
	}
	for _, err := range run.Records(t.Context(), env.Journal, "other") {
		if tool.Code(err) != "journal_gone" {
			t.Error(err)
		}
	}
}
