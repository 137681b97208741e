package main

import (
	"fmt"
	"io"
	"time"
)

// A progress shows the progress of a slow run in one line of a terminal.
type progress struct {
	w       io.Writer // nil if there is no terminal
	started time.Time
	shown   bool
}

// progressDelay is how long a run takes before its progress is shown.
const progressDelay = 300 * time.Millisecond

func (c *command) newProgress() *progress {
	p := &progress{started: time.Now()}
	if c.isTerminal() {
		p.w = c.stderr
	}
	return p
}

// show prints how many of the packages are done.
func (p *progress) show(done, total int) {
	if p.w == nil || time.Since(p.started) < progressDelay {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, "%d of %d packages", done, total)
	p.shown = true
}

// clear removes the line from the terminal.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}
