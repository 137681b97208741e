package main

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress: a line is there once a run takes a while, and gone when it ends.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, begun: time.Now()}
	p.show(1, 40)
	p.clear()
	if out.Len() > 0 {
		t.Errorf("at once: %q", out.String())
	}
	p.begun = p.begun.Add(-time.Hour)
	p.show(2, 40)
	p.show(3, 40)
	p.clear()
	p.clear()
	const back = "\r\x1b[K"
	if want := "2 of 40 packages" + back + "3 of 40 packages" + back; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	(&progress{}).show(4, 40) // where nobody reads it
}
