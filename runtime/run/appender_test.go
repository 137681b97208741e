package run

import (
	"errors"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// TestAppenderTakenOver checks that of two workers with one run, only the one that claimed it last
// can append.
func TestAppenderTakenOver(t *testing.T) {
	ctx := t.Context()
	var j journal.Map
	if err := j.Append(ctx, "42", 0, journal.Entry{Kind: kindBegin, By: "x", Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	var workers [2]*journalAppender
	for i := range workers {
		w, err := openAppender(ctx, &j, "42", time.Now, func(*runEntry) {})
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := w.flushPending(ctx); changed || err != nil {
			t.Errorf("worker %d claims: %t, %v", i, changed, err)
		}
		workers[i] = w
	}
	first := workers[0]
	if _, err := first.flushPending(ctx); err != nil { // no entry is appended
		t.Error(err)
	}
	done, err := first.newEntry(kindDo, "look", first.count, doneData{})
	if err != nil {
		t.Fatal(err)
	}
	first.queueEntry(done)
	if _, err := first.flushPending(ctx); err == nil {
		t.Error("the first worker appends")
	} else if _, ok := errors.AsType[*TakenOverError](err); !ok {
		t.Error(err)
	}
}
