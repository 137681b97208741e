package temporal

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	sdk "go.temporal.io/sdk/temporal"

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
	response, err := e.generate(ctx, r)
	switch {
	case err == nil:
		if p, err = fit(response, e.payload()); err == nil {
			return p, nil
		}
		err = &llm.Error{Kind: longAnswer, Err: err} // which another request would repeat
	case ctx.Err() != nil: // another worker asks
		err = errStopped
	}
	return packed{}, goes(err)
}

// longAnswer is the kind of the error of an answer that is too long for Temporal.
const longAnswer = "long_answer"

// generate asks the model. What panics would with the next worker, too, and its text is not
// to stand in clear where the SDK has it.
func (e *Engine) generate(ctx context.Context, r llm.Request) (response llm.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			activity.GetLogger(ctx).Error("the model panicked", "value", p, "stack", string(debug.Stack()))
			err = &record.Error{Kind: "panic", Text: fmt.Sprintf("the model panicked: %v", p)}
		}
	}()
	return e.model.Generate(ctx, r)
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestLate)
	defer cancel()
	for {
		err := e.client.SignalWorkflow(ctx, run.ID, run.RunID, lateName, p)
		if err == nil || missing(err) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(e.silence / 3):
		}
	}
}

// longestLate is how long Temporal may be away until what came of a call is forgotten.
const longestLate = time.Hour

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
// whether Temporal did, or did not hear of the worker for so long that it may have.
func (e *Engine) beat(ctx context.Context) (beating context.Context, stop func() (givenUp bool)) {
	beating, cancel := context.WithCancel(ctx)
	p := pulse{Engine: e, ctx: ctx, end: cancel, heard: wall()}
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
				p.beat()
			}
		}
	})
	return beating, func() bool {
		cancel()
		done.Wait()
		return p.over || ctx.Err() != nil || wall().Sub(p.heard) > e.silence*2/3
	}
}

// pulse is what Temporal hears of a worker, and of its activity.
type pulse struct {
	*Engine
	ctx   context.Context // of the activity
	end   func()
	heard time.Time // last
	over  bool      // it was given up
}

// wall is the time of the clock on the wall: a process that stands still has no other.
func wall() time.Time { return time.Now().Round(0) }

// beat is heard or not, which the SDK's own way does not tell.
func (p *pulse) beat() {
	ctx, cancel := context.WithTimeout(p.ctx, p.silence/3)
	defer cancel()
	began := wall()
	switch err := p.client.RecordActivityHeartbeat(ctx, activity.GetInfo(p.ctx).TaskToken); {
	case err == nil:
		p.heard = began
	case missing(err) || sdk.IsCanceledError(err):
		p.over = true
		p.end()
	}
}
