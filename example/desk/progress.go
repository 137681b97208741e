package desk

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows an action and its duration in one line of a terminal, until something else is shown.
type progress struct {
	w     io.Writer // nil shows nothing
	place string    // position in the plan, such as "[1/3] "
	what  string    // the last action

	stop chan struct{} // nil if there is no line
	done sync.WaitGroup
}

// show shows an action in progress until clear is called.
func (p *progress) show(what string) {
	if p.w == nil {
		return
	}
	const longest = 60 // a line that wraps could not be removed
	p.what = what
	what = safeText(p.place+what, longest, "")
	stop := make(chan struct{})
	p.stop = stop
	p.done.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for seconds := 0; ; seconds++ {
			fmt.Fprintf(p.w, "\r\x1b[K%s… %ds", what, seconds)
			select {
			case <-tick.C:
			case <-stop:
				fmt.Fprint(p.w, "\r\x1b[K")
				return
			}
		}
	})
}

// clear removes the line.
func (p *progress) clear() {
	if p.stop != nil {
		close(p.stop)
		p.done.Wait()
		p.stop = nil
	}
}
