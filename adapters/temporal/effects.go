package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// effects are what a run does to the world, in its workflow.
type effects struct {
	*Engine
	*driver
	ctx workflow.Context
}

// A history has at most 51,200 events, 50 MiB and 2,000 updates. One effect takes some six
// events, and two payloads of at most 2 MiB.
const (
	mostEvents = 45_000
	mostBytes  = 44 << 20
	mostTold   = 1_900

	// mostUntried is after how many updates what the run refuses is to be none of them.
	mostUntried = 1_000
)

func (fx effects) options(summary string, patience time.Duration, retry sdk.RetryPolicy) workflow.Context {
	return workflow.WithActivityOptions(fx.ctx, workflow.ActivityOptions{
		StartToCloseTimeout: fx.longest, ScheduleToCloseTimeout: patience, HeartbeatTimeout: fx.silence,
		RetryPolicy: &retry, Summary: summary,
	})
}

// model is the model of a run, as activities.
type model struct{ effects }

// Name is what [llm.Name] returns.
func (m model) Name() string { return llm.Name(m.Engine.model) }

// Generate is [llm.Model]'s. An error that may pass has the activity tried again.
func (m model) Generate(_ context.Context, r llm.Request) (response llm.Response, err error) {
	if !m.room() {
		return response, &record.Error{Kind: "history", Text: "the history is full"}
	}
	ctx := m.options(m.Name(), m.patience, sdk.RetryPolicy{
		InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 5 * time.Minute,
		NonRetryableErrorTypes: []string{llm.QuotaExceeded, llm.Unauthorized, llm.BadRequest, llm.ContextFull, llm.Malformed},
	})
	p, err := fit(r, m.payload())
	if _, long := errors.AsType[*tooLong](err); long {
		return response, &llm.Error{Kind: llm.ContextFull, Err: err}
	}
	if err == nil {
		err = workflow.ExecuteActivity(ctx, modelName, p).Get(ctx, &p)
	}
	if err != nil {
		return response, cameOfModel(err)
	}
	return response, unpack(p, &response)
}

// tools are the tools of a run, as activities.
type tools struct {
	effects
	orchestrator.Caller
}

// Call is [orchestrator.Caller]'s.
func (t tools) Call(ctx context.Context, r tool.Request) *tool.Call {
	return t.CallAll(ctx, []tool.Request{r})[0]
}

// CallAll is [orchestrator.Caller]'s, too. It makes no coroutines, for whatever comes has to
// have the run go on at once, before it is told more.
func (t tools) CallAll(_ context.Context, requests []tool.Request) []*tool.Call {
	calls := make([]*tool.Call, len(requests))
	made, under, bytes := workflow.NewSelector(t.ctx), 0, 0
	wait := func(most int) {
		for ; under > most; under-- {
			made.Select(t.ctx)
		}
	}
	for i, r := range requests {
		if calls[i] = t.take(r.ID); calls[i] != nil {
			continue
		}
		p, err := fit(r, t.payload())
		if err != nil {
			calls[i] = failed(r, err)
			continue
		}
		if bytes += size(p); bytes > t.payload() { // Temporal takes no more at once
			wait(0)
			bytes = size(p)
		}
		wait(t.parallel - 1)
		if !t.room() {
			calls[i] = failed(r, &tool.UnknownOutcomeError{Err: errors.New("the history is full")})
			continue
		}
		reserved := size(p) + min(t.outputs, mostPayload)
		t.reserved += reserved
		made.AddFuture(t.begin(r, p), func(f workflow.Future) {
			calls[i] = t.end(r, f)
			t.reserved -= reserved
		})
		under++
	}
	wait(0)
	return calls
}

// mostLost is how many workers may be lost in a call, one after the other, until it is
// held against the call.
const mostLost = 20

// begin begins a call: it is made again, until a worker is heard of, if that may be; else
// once. Another worker would be no faster.
func (t tools) begin(r tool.Request, p packed) workflow.Future {
	retry := sdk.RetryPolicy{MaximumAttempts: 1}
	if t.mayRepeat(r) {
		retry = sdk.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
			MaximumAttempts: mostLost, NonRetryableErrorTypes: []string{"TemporalTimeout:StartToClose"},
		}
	}
	t.calls++
	t.pending[r.ID] = pending{n: t.calls}
	return workflow.ExecuteActivity(t.options(r.Name, 0, retry), callName, p, t.calls)
}

// mayRepeat reports whether the tool of a call claimed, when the run began, that a call may
// be made again.
func (t tools) mayRepeat(r tool.Request) bool {
	i := slices.IndexFunc(t.claims, func(d tool.Definition) bool { return d.Name == r.Name })
	return i >= 0 && t.claims[i].Annotations.Is(tool.Idempotent)
}

// end returns what came of a call. That of another call is none: this program does not do
// what the one did that began the run, and leaves it to others. One that may be made again,
// and has been often enough, has failed: if nobody knew what came of it, it would be made
// again.
func (t tools) end(r tool.Request, made workflow.Future) *tool.Call {
	var p packed
	var call tool.Call
	err := made.Get(t.ctx, &p)
	if err == nil {
		err = unpack(p, &call)
	}
	if err == nil && call.ID != "" && (call.ID != r.ID || call.Request.Name != r.Name) {
		panic(fmt.Sprintf("this worker cannot go on with the run: it calls %s, %q, where the history has %s, %q", r.Name, r.ID, call.Request.Name, call.ID))
	}
	if err != nil && !t.mayRepeat(r) {
		return failed(r, &tool.UnknownOutcomeError{Err: err})
	}
	delete(t.pending, r.ID)
	if err != nil {
		return failed(r, givenUp(err))
	}
	return &call
}

// take returns what came of a call late, once; nil if nothing did.
func (t tools) take(call string) *tool.Call {
	came := t.pending[call].came
	if came != nil {
		delete(t.pending, call)
	}
	return came
}

func failed(r tool.Request, err error) *tool.Call {
	return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusFailed, Err: err}
}

// results is the store of a run in its workflow, which only puts there what steps gave. It
// does so once, for the history says that it did.
type results struct{ effects }

// Write is [memory.Store]'s.
func (r results) Write(_ context.Context, key string, value any) error {
	data, err := memory.Marshal(key, value)
	if err != nil {
		return err
	}
	ctx := workflow.WithLocalActivityOptions(r.ctx, workflow.LocalActivityOptions{ScheduleToCloseTimeout: 10 * time.Second})
	return workflow.ExecuteLocalActivity(ctx, r.store.Write, key, data).Get(ctx, nil)
}

var errNoStore = errors.New("temporal: a workflow reads no store")

// Read is [memory.Store]'s, and so are the others.
func (results) Read(context.Context, string) (json.RawMessage, bool, error) {
	return nil, false, errNoStore
}

func (results) Search(context.Context, string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) { yield(memory.Entry{}, errNoStore) }
}

func (results) Delete(context.Context, string) error { return errNoStore }
