package main

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress checks that the line appears once a run takes a while and is removed at its end.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, started: time.Now()}
	p.show(1, 40)
	p.clear()
	if out.Len() > 0 {
		t.Errorf("at once: %q", out.String())
	}
	p.started = p.started.Add(-time.Hour)
	p.show(2, 40)
	p.show(3, 40)
	p.clear()
	p.clear()
	const back = "\r\x1b[K"
	if want := "2 of 40 packages" + back + "3 of 40 packages" + back; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	(&progress{}).show(4, 40) // not a terminal
}
