package temporal

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// ask is the activity of an answer: of an [llm.Request], to an [llm.Response].
func (e *Engine) ask(ctx context.Context, p packed) (packed, error) {
	var r llm.Request
	if err := unpack(p, &r); err != nil {
		return packed{}, goes(err)
	}
	ctx, stop := e.beat(ctx)
	defer stop()
	response, err := e.model.Generate(ctx, r)
	switch {
	case err == nil:
		if p, err = fit(response, e.payload()); err == nil {
			return p, nil
		}
		err = &llm.Error{Kind: llm.Malformed, Err: err}
	case ctx.Err() != nil: // another worker asks
		err = errStopped
	}
	return packed{}, goes(err)
}

// errStopped has an activity tried again by another worker, if it may be.
var errStopped = &record.Error{Kind: "stopped", Text: "the worker was stopped", Retry: true}

// late is what came of a call, of a worker that Temporal may have given up. Its names are
// in histories.
type late struct {
	N    int             `json:"n"` // of the activity
	Call json.RawMessage `json:"call"`
}

// call is the activity of a call, the nth one of the run: of a [tool.Request], to a
// [tool.Call]. One that failed has come to something, too.
func (e *Engine) call(ctx context.Context, p packed, n int) (packed, error) {
	var r tool.Request
	if err := unpack(p, &r); err != nil {
		return packed{}, goes(err)
	}
	call, givenUp := e.make(ctx, r)
	if call == nil {
		return packed{}, goes(errStopped)
	}
	p, err := e.fitting(call)
	if err != nil {
		return packed{}, goes(err)
	}
	if givenUp {
		e.send(ctx, late{n, p.Payload().GetData()})
	}
	return p, nil
}

// send tells the workflow what came of a call: of a worker that it has given up, Temporal
// takes nothing else. What cannot be told, a person has to say.
func (e *Engine) send(ctx context.Context, l late) {
	p, err := pack(l)
	if err != nil {
		return
	}
	run := activity.GetInfo(ctx).WorkflowExecution
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deadlock)
	defer cancel()
	_ = e.client.SignalWorkflow(ctx, run.ID, run.RunID, lateName, p)
}

// make makes a call, and returns nil if it was stopped. It tells whether Temporal may have
// given up this worker.
func (e *Engine) make(ctx context.Context, r tool.Request) (call *tool.Call, givenUp bool) {
	store := e.store
	if store == nil {
		store = new(memory.Map)
	}
	ctx, stop := e.beat(ctx)
	call = e.tools.Call(orchestrator.Called(ctx, store, r), r)
	stopped := ctx.Err() != nil
	givenUp = stop()
	switch {
	case call == nil: // which the run is told
		call = &tool.Call{ID: r.ID, Request: r}
	case call.Status == tool.StatusCancelled && stopped:
		call = nil
	}
	return call, givenUp
}

// fitting returns a call as it is kept, as a failed one if it cannot be.
func (e *Engine) fitting(call *tool.Call) (packed, error) {
	p, err := fit(call, e.outputs)
	if err == nil {
		return p, nil
	}
	return pack(&tool.Call{ID: call.ID, Request: call.Request, Arguments: call.Arguments, Status: tool.StatusFailed,
		Started: call.Started, Duration: call.Duration, Err: &tool.OutputError{Tool: call.Request.Name, Err: err}})
}

// beat says that the worker is alive until stop. The context that it returns is done a
// while after the worker is asked to end, or when Temporal has given it up. Stop tells
// whether the worker was not heard of for so long that it may have been.
func (e *Engine) beat(ctx context.Context) (beating context.Context, stop func() (late bool)) {
	beating, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	last, silent := time.Now(), false
	beats := func() {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now().Round(0) // a process that stands still has no clock but that of the wall
		silent = silent || now.Sub(last.Round(0)) > e.silence
		last = now
	}
	var done sync.WaitGroup
	done.Go(func() {
		stopping := activity.GetWorkerStopChannel(ctx)
		var over <-chan time.Time
		ticker := time.NewTicker(e.silence / 3)
		defer ticker.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-over:
				cancel()
			case <-stopping:
				stopping, over = nil, time.After(e.grace)
			case <-ticker.C:
				beats()
				activity.RecordHeartbeat(ctx)
			}
		}
	})
	return beating, func() bool {
		gone := ctx.Err() != nil
		cancel()
		done.Wait()
		beats()
		return silent || gone
	}
}
