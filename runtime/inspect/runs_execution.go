package inspect

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"

	"github.com/aiongen/aiongen/runtime/run"
)

// executions are the runs that the page continues in this program.
type executions struct {
	mu       sync.Mutex
	running  map[string]bool
	failures map[string]string // of the last execution, by run
}

// state reports whether the page executes a run, and why its last execution failed.
func (x *executions) state(id string) (running bool, failure string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.running[id], x.failures[id]
}

func (x *executions) isRunning(id string) bool {
	running, _ := x.state(id)
	return running
}

// begin marks a run as being executed. It returns false if the run is being executed already.
func (x *executions) begin(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.running[id] {
		return false
	}
	if x.running == nil {
		x.running, x.failures = map[string]bool{}, map[string]string{}
	}
	x.running[id] = true
	delete(x.failures, id)
	return true
}

// end marks a run as no longer being executed.
func (x *executions) end(id string, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.running, id)
	if err != nil {
		x.failures[id] = "It could not be continued here: " + err.Error()
	}
}

// executeRun continues a run in the background until the run ends, waits or fails, even after the request has been
// answered. If the program ends before that, the run can be continued again.
func (h *Handler) executeRun(ctx context.Context, id string) {
	if !h.canExecute() || !h.executions.begin(id) {
		return
	}
	ctx = context.WithoutCancel(ctx)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil { // such as a panic of the model
				h.config.Log.Error("inspect: a run panicked", "run", id, "panic", p, "stack", string(debug.Stack()))
				err = errors.New("it panicked; the log of the program has the details")
			} else if err != nil {
				h.config.Log.Error("inspect: a run cannot be continued", "run", id, "error", err)
			}
			h.executions.end(id, err)
		}()
		opened, err := h.config.Agent.Open(ctx, id)
		if err != nil {
			return
		}
		result, err := opened.Execute(ctx)
		if err == nil && result.Status == run.Interrupted {
			err = result.Err()
		}
	}()
}

// canSend reports whether the page can send signals to runs.
func (h *Handler) canSend() bool { return h.config.Send != nil || h.config.Agent != nil }

// canExecute reports whether the page can execute runs in this program. If it cannot, only workers of an engine can.
func (h *Handler) canExecute() bool { return h.config.Agent != nil && h.config.Send == nil }

// canFork reports whether the page can fork runs.
func (h *Handler) canFork() bool { return h.config.Fork != nil || h.canExecute() }
