package temporal

import (
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/runtime/run"
)

// TestReplayed checks that a worker which takes over a run first reports the events it missed, which package redact
// needs, and reports nothing twice.
func TestReplayed(t *testing.T) {
	var r replayedEvents
	of := func(what any) run.Event { return run.Event{Run: "r", Step: "1", What: what} }
	meta := map[string]string{"traceparent": "00-1"}
	claim, first, second := of(run.RunClaimed{Kind: "plan", Status: run.Running, Meta: meta}), of(run.CallEnd{Attempt: 1}), of(run.CallEnd{Attempt: 2})
	for _, e := range []run.Event{claim, first} {
		if got := r.eventsToReport(e, true); len(got) != 0 {
			t.Errorf("a replay reports %+v", got)
		}
	}
	goesOn := run.Event{Run: "r", What: run.RunClaimed{Kind: "plan", Status: run.Running, Meta: meta, Earlier: []run.Event{first}}}
	for _, want := range [][]run.Event{{goesOn, second}, {second}} {
		if got := r.eventsToReport(second, false); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	r.eventsToReport(first, true)
	if got := r.eventsToReport(claim, false); !reflect.DeepEqual(got, []run.Event{claim}) {
		t.Errorf("a claim comes with %+v", got)
	}
}
