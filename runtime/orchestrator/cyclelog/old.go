package cyclelog

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/aiongen/aiongen/runtime/orchestrator/record"
)

// Log consumes events. It is safe for concurrent use, also of several runs: a line
// is a [record.Cycle], and before it the ID of the run.
type Log struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// Old returns a log of runs that keep a state after each step. It writes each line to w
// with one call.
func Old(w io.Writer) *Log { return &Log{w: w} }

// Event writes the cycle that an event carries, if it carries one. It is for
// [orchestrator.Events]. Whatever comes of it, the run goes on.
func (l *Log) Event(e record.Event) {
	if e.Cycle == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(entry{e.Run, e.Cycle})
	if err == nil {
		_, err = l.w.Write(append(line, '\n'))
	}
	if err != nil && l.err == nil {
		l.err = err
	}
}

// entry is a line.
type entry struct {
	Run string `json:"run"`
	*record.Cycle
}

// Err returns why lines are missing: the first error.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
