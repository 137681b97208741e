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
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// modelActivity takes an [llm.Request], the purpose of the request (see [activityModel]), and the agent that
// makes it. It returns an [llm.Response].
func (e *Engine) modelActivity(ctx context.Context, p jsonPayload, purpose string, agent agentPath) (jsonPayload, error) {
	var r llm.Request
	if err := decodePayload(p, &r); err != nil {
		return jsonPayload{}, toTemporalError(err)
	}
	ctx, stop := e.startHeartbeat(ctx)
	defer stop()
	response, err := e.callModel(ctx, agent, purpose, r)
	switch {
	case err == nil:
		if p, err = encodeLimited(response, e.maxPayloadBytes()); err == nil {
			return p, nil
		}
		err = &llm.Error{Kind: answerTooLong, Err: err} // not retried: the answer would be too long again
	case ctx.Err() != nil: // another worker repeats the request
		err = errStopped
	}
	return jsonPayload{}, toTemporalError(err)
}

// answerTooLong is the kind of error for an answer that is too long for Temporal.
const answerTooLong = "long_answer"

// callModel calls the model. A panic becomes an error that is not retried, since the next worker
// would panic too. The SDK would put the panic's text into the history unencrypted.
func (e *Engine) callModel(ctx context.Context, agent agentPath, purpose string, r llm.Request) (response llm.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			activity.GetLogger(ctx).Error("the model panicked", "value", p, "stack", string(debug.Stack()))
			err = &run.Error{Kind: "panic", Text: fmt.Sprintf("the model panicked: %v", p)}
		}
	}()
	model, err := e.modelFor(agent, purpose)
	if err != nil {
		return response, err
	}
	return model.Generate(ctx, r)
}

// errStopped makes Temporal retry the activity on another worker, if the call may be retried.
var errStopped = &run.Error{Kind: "stopped", Text: "the worker was stopped", Retry: true}

// lateCall is the outcome of a call by a worker that Temporal may have given up. Its field names
// are recorded in histories.
type lateCall struct {
	N    int             `json:"n"` // number of the activity among the calls of the run
	Call json.RawMessage `json:"call"`
}

// callActivity takes a [tool.Request], its number n among the calls of the run, and the agent that makes
// it. It returns a [tool.Call], even if the call failed.
func (e *Engine) callActivity(ctx context.Context, p jsonPayload, n int, agent agentPath) (jsonPayload, error) {
	var r tool.Request
	if err := decodePayload(p, &r); err != nil {
		return jsonPayload{}, toTemporalError(err)
	}
	tools, err := e.toolsOf(agent)
	if err != nil {
		return jsonPayload{}, toTemporalError(err)
	}
	call, abandoned := e.callTool(ctx, tools, r)
	if call == nil {
		return jsonPayload{}, toTemporalError(errStopped)
	}
	p, err = e.encodeCall(call)
	if err != nil {
		return jsonPayload{}, toTemporalError(err)
	}
	if abandoned {
		e.signalLateCall(ctx, lateCall{n, p.Payload().GetData()})
	}
	return p, nil
}

// signalLateCall sends the outcome of a call to the workflow as a signal, because Temporal ignores
// the result of an activity whose worker it has given up. If that fails as well, a person has to
// decide about the call.
func (e *Engine) signalLateCall(ctx context.Context, l lateCall) {
	p, err := encodePayload(l)
	if err != nil {
		return
	}
	run := activity.GetInfo(ctx).WorkflowExecution
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxSignalTime)
	defer cancel()
	for {
		err := e.client.SignalWorkflow(ctx, run.ID, run.RunID, lateName, p)
		if err == nil || isNotFound(err) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(e.heartbeatTimeout / 3):
		}
	}
}

// maxSignalTime is how long signalLateCall keeps trying while Temporal does not answer.
const maxSignalTime = time.Hour

// callTool calls a tool. It returns a nil call if the worker was stopped meanwhile, and reports
// whether Temporal may have given up this worker.
func (e *Engine) callTool(ctx context.Context, tools orchestrator.Caller, r tool.Request) (call *tool.Call, abandoned bool) {
	store := e.store
	if store == nil {
		store = new(memory.Map)
	}
	ctx, stop := e.startHeartbeat(ctx)
	call = tools.Call(orchestrator.CallContext(ctx, store, r), r)
	stopped := ctx.Err() != nil
	abandoned = stop()
	switch {
	case call == nil: // an empty call, which the run reports as a fault of the tool
		call = &tool.Call{ID: r.ID, Request: r}
	case call.Status == tool.StatusCancelled && stopped:
		call = nil
	}
	return call, abandoned
}

// encodeCall encodes a call, or a failed call instead if it is too long.
func (e *Engine) encodeCall(call *tool.Call) (jsonPayload, error) {
	p, err := encodeLimited(call, e.maxCallBytes)
	if err == nil {
		return p, nil
	}
	return encodePayload(&tool.Call{ID: call.ID, Request: call.Request, Arguments: call.Arguments, Status: tool.StatusFailed,
		Started: call.Started, Duration: call.Duration, Err: &tool.OutputError{Tool: call.Request.Name, Err: err}})
}

// startHeartbeat sends heartbeats until stop is called. The context it returns is canceled when
// the grace period after a stop of the worker is over, or when Temporal has given up the worker.
// Calling stop also reports whether Temporal has given up the worker, or has not heard of it for
// so long that it may have.
func (e *Engine) startHeartbeat(ctx context.Context) (beating context.Context, stop func() (givenUp bool)) {
	beating, cancel := context.WithCancel(ctx)
	p := heartbeat{Engine: e, ctx: ctx, cancel: cancel, lastRecorded: wallTime()}
	var done sync.WaitGroup
	done.Go(func() {
		stopping := activity.GetWorkerStopChannel(ctx)
		var over <-chan time.Time
		ticker := time.NewTicker(e.heartbeatTimeout / 3)
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
				p.sendHeartbeat()
			}
		}
	})
	return beating, func() bool {
		cancel()
		done.Wait()
		return p.abandoned || ctx.Err() != nil || wallTime().Sub(p.lastRecorded) > e.heartbeatTimeout*2/3
	}
}

// heartbeat sends the heartbeats of one activity.
type heartbeat struct {
	*Engine
	ctx          context.Context // of the activity
	cancel       func()
	lastRecorded time.Time // when the last heartbeat that Temporal accepted was sent
	abandoned    bool      // Temporal has given up the activity
}

// wallTime returns the time without a monotonic reading, because the monotonic clock stops while the
// machine or the process is suspended.
func wallTime() time.Time { return time.Now().Round(0) }

// sendHeartbeat calls the client directly because activity.RecordHeartbeat does not report whether
// Temporal accepted the heartbeat.
func (p *heartbeat) sendHeartbeat() {
	ctx, cancel := context.WithTimeout(p.ctx, p.heartbeatTimeout/3)
	defer cancel()
	began := wallTime()
	switch err := p.client.RecordActivityHeartbeat(ctx, activity.GetInfo(p.ctx).TaskToken); {
	case err == nil:
		p.lastRecorded = began
	case isNotFound(err) || sdk.IsCanceledError(err):
		p.abandoned = true
		p.cancel()
	}
}
