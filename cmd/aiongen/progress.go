package main

import (
	"fmt"
	"io"
	"time"
)

// A progress is a line on a terminal that says how far a run is, once it takes a while.
type progress struct {
	w     io.Writer // nil where nobody reads it
	begun time.Time
	shown bool
}

// patience is how long a run takes before it says how far it is.
const patience = 300 * time.Millisecond

func (c *command) progress() *progress {
	p := &progress{begun: time.Now()}
	if c.onTerminal() {
		p.w = c.stderr
	}
	return p
}

// show says how many packages are done.
func (p *progress) show(done, of int) {
	if p.w == nil || time.Since(p.begun) < patience {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, "%d of %d packages", done, of)
	p.shown = true
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}
