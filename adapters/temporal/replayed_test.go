package temporal

import (
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/runtime/run/record"
)

// TestReplayed: a worker that goes on with a run in the middle reports first what it missed,
// which package redact needs, and reports nothing twice.
func TestReplayed(t *testing.T) {
	var r replayed
	of := func(what any) record.Event { return record.Event{Run: "r", Step: "1", What: what} }
	claim, first, second := of(record.Claimed{Kind: "plan", Status: record.Running}), of(record.CallEnd{Attempt: 1}), of(record.CallEnd{Attempt: 2})
	for _, e := range []record.Event{claim, first} {
		if got := r.before(e, true); len(got) != 0 {
			t.Errorf("a replay reports %+v", got)
		}
	}
	goesOn := record.Event{Run: "r", What: record.Claimed{Kind: "plan", Status: record.Running, Earlier: []record.Event{first}}}
	for _, want := range [][]record.Event{{goesOn, second}, {second}} {
		if got := r.before(second, false); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	r.before(first, true)
	if got := r.before(claim, false); !reflect.DeepEqual(got, []record.Event{claim}) {
		t.Errorf("a claim comes with %+v", got)
	}
}
