package run_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

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

func TestDecodeRecord(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, e := range []journal.Entry{
		{Format: 1, N: 3, Kind: "outcome", By: "w", Time: at, Status: "running", Effect: "r/1/1", Data: json.RawMessage(`{"attempt":1}`)},
		{Format: 99, N: 3, Kind: "outcome", By: "w", Time: at, Status: "running"},
		{Format: 1, N: 3, Kind: "outcome", By: "w", Time: at, Status: "running", Data: json.RawMessage(`{"call":7}`)},
	} {
		r, err := run.DecodeRecord(e)
		if err == nil || !reflect.DeepEqual(r, run.Record{N: 3, Kind: "outcome", By: "w", Time: at, Status: "running"}) {
			t.Errorf("%s: got %+v, %v", e.Data, r, err)
		}
	}
	data := `{"call":{"id":"r/1/1","request":{"id":"r/1/1","name":"helper"}},"input":{"kind":"plan"}}`
	r, err := run.DecodeRecord(journal.Entry{Format: 1, N: 3, Kind: "agent", By: "w", Effect: "r/1/1", Data: json.RawMessage(data)})
	if err != nil || r.Agent == nil || r.Agent.Call.ID != "r/1/1" || r.Agent.Input.Kind != "plan" {
		t.Errorf("an agent: got %+v, %v", r, err)
	}
	r, err = run.DecodeRecord(journal.Entry{Format: 1, N: 3, Kind: "stop", By: "w", Status: run.Waiting, Data: json.RawMessage(`{"calls":[{"call":"r/1/1","for":"approval"}]}`)})
	if err != nil || len(r.Waits) != 1 || r.Waits[0].For != run.ForApproval {
		t.Errorf("a stop: got %+v, %v", r, err)
	}
}
