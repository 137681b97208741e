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
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// effects gives the model and tools of a run, inside its workflow, access to the engine and the
// driver.
type effects struct {
	*Engine
	*driver
	ctx workflow.Context
}

// Temporal limits a history to 51,200 events, 50 MiB and 2,000 updates. One effect takes about six
// events, and two payloads of at most 2 MiB.
const (
	maxHistoryEvents = 45_000
	maxHistoryBytes  = 44 << 20
	maxUpdates       = 1_900

	// defaultUncheckedUpdates is the number of updates after which signals are validated before
	// they count as updates.
	defaultUncheckedUpdates = 1_000
)

func (fx effects) activityContext(summary string, patience time.Duration, retry sdk.RetryPolicy) workflow.Context {
	return workflow.WithActivityOptions(fx.ctx, workflow.ActivityOptions{
		StartToCloseTimeout: fx.callTimeout, ScheduleToCloseTimeout: patience, HeartbeatTimeout: fx.heartbeatTimeout,
		RetryPolicy: &retry, Summary: summary,
	})
}

// activityModel implements [llm.Model] for a purpose with an activity for each request. The purpose is
// empty if the options of the run, or of the agent, set no model for it.
type activityModel struct {
	effects
	purpose string
	agent   agentPath
}

// Name implements the interface that [llm.Name] looks for.
func (m activityModel) Name() string {
	model, err := m.modelFor(m.agent, m.purpose)
	if err != nil {
		return ""
	}
	return llm.Name(model)
}

// Generate implements [llm.Model]. Temporal retries the activity after a transient error.
func (m activityModel) Generate(_ context.Context, r llm.Request) (response llm.Response, err error) {
	if !m.checkRoom() {
		return response, &run.Error{Kind: "history", Text: "the history is full"}
	}
	ctx := m.activityContext(m.Name(), m.modelRetryTimeout, sdk.RetryPolicy{
		InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 5 * time.Minute,
		NonRetryableErrorTypes: []string{llm.QuotaExceeded, llm.Unauthorized, llm.BadRequest, llm.ContextFull, llm.Malformed},
	})
	p, err := encodeLimited(r, m.maxPayloadBytes())
	if _, long := errors.AsType[*tooLongError](err); long {
		return response, &llm.Error{Kind: llm.ContextFull, Err: err}
	}
	if err == nil {
		err = workflow.ExecuteActivity(ctx, modelName, p, m.purpose, m.agent).Get(ctx, &p)
	}
	if err != nil {
		return response, modelError(err)
	}
	return response, decodePayload(p, &response)
}

// agentPath is the path of an agent for [orchestrator.FindAgent]. It is empty for the run itself.
type agentPath []string

// activityTools implements [orchestrator.Caller] with an activity for each call.
type activityTools struct {
	effects
	orchestrator.Caller
	agent agentPath // the agent that has the tools
}

// All implements [orchestrator.Caller]. The agents among the tools also ask models and call tools in
// activities.
func (t activityTools) All() []tool.Definition {
	all := t.Caller.All()
	for i, d := range all {
		if agent, ok := d.Agent.(*orchestrator.Orchestrator); ok {
			path := append(slices.Clip(t.agent), d.Name)
			all[i].Agent = agent.WithEffects(activityTools{t.effects, agent.Tools(), path}, func(purpose string) llm.Model {
				return activityModel{t.effects, purpose, path}
			})
		}
	}
	return all
}

// Call implements [orchestrator.Caller].
func (t activityTools) Call(ctx context.Context, r tool.Request) *tool.Call {
	return t.CallAll(ctx, []tool.Request{r})[0]
}

// CallAll implements [orchestrator.Caller]. It starts no goroutines: the run must continue as soon
// as an outcome arrives, before it receives further signals.
func (t activityTools) CallAll(_ context.Context, requests []tool.Request) []*tool.Call {
	calls := make([]*tool.Call, len(requests))
	selector, running, bytes := workflow.NewSelector(t.ctx), 0, 0
	wait := func(maxRunning int) {
		for ; running > maxRunning; running-- {
			selector.Select(t.ctx)
		}
	}
	for i, r := range requests {
		if calls[i] = t.takeLateOutcome(r.ID); calls[i] != nil {
			continue
		}
		p, err := encodeLimited(r, t.maxPayloadBytes())
		if err != nil {
			calls[i] = failedCall(r, err)
			continue
		}
		if bytes += payloadSize(p); bytes > t.maxPayloadBytes() { // Temporal's limit for one workflow task
			wait(0)
			bytes = payloadSize(p)
		}
		wait(t.maxParallel - 1)
		if !t.checkRoom() {
			calls[i] = failedCall(r, &tool.UnknownOutcomeError{Err: errors.New("the history is full")})
			continue
		}
		reserved := payloadSize(p) + min(t.maxCallBytes, temporalPayloadBytes)
		t.reservedBytes += reserved
		selector.AddFuture(t.startCall(r, p), func(f workflow.Future) {
			calls[i] = t.finishCall(r, f)
			t.reservedBytes -= reserved
		})
		running++
	}
	wait(0)
	return calls
}

// maxLostWorkers is how many workers may be lost in a row during one call before the call fails.
const maxLostWorkers = 20

// startCall starts the activity of a call. Temporal retries an idempotent call whose worker was
// lost, but not one that timed out: another worker would not be faster. Other calls run once.
func (t activityTools) startCall(r tool.Request, p jsonPayload) workflow.Future {
	retry := sdk.RetryPolicy{MaximumAttempts: 1}
	if t.isIdempotent(r) {
		retry = sdk.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
			MaximumAttempts: maxLostWorkers, NonRetryableErrorTypes: []string{"TemporalTimeout:StartToClose"},
		}
	}
	t.callCount++
	t.pendingCalls[r.ID] = pendingCall{number: t.callCount}
	return workflow.ExecuteActivity(t.activityContext(r.Name, 0, retry), callName, p, t.callCount, t.agent)
}

// isIdempotent reports whether a call may be repeated. For a tool of the run, it uses the annotations
// that the tool had when the run started; for a tool of an agent, the current ones. A call of an agent
// may always be repeated, because its activity only prepares the input of the agent.
func (t activityTools) isIdempotent(r tool.Request) bool {
	if _, ok := orchestrator.FindAgent(t.Caller, r.Name); ok {
		return true
	}
	definitions := t.definitions
	if len(t.agent) > 0 {
		definitions = t.Caller.All()
	}
	i := slices.IndexFunc(definitions, func(d tool.Definition) bool { return d.Name == r.Name })
	return i >= 0 && definitions[i].Annotations.Is(tool.Idempotent)
}

// finishCall returns the outcome of a call. It panics if the history has the outcome of another
// call: then this program behaves differently from the one that started the run, and must leave
// the run to other workers. If an idempotent call was retried too often, finishCall returns a
// failed call instead of an unknown outcome, which would make the run repeat the call.
func (t activityTools) finishCall(r tool.Request, f workflow.Future) *tool.Call {
	var p jsonPayload
	var call tool.Call
	err := f.Get(t.ctx, &p)
	if err == nil {
		err = decodePayload(p, &call)
	}
	if err == nil && call.ID != "" && (call.ID != r.ID || call.Request.Name != r.Name) {
		panic(fmt.Sprintf("this worker cannot continue the run: it calls %s (%q) where the history has %s (%q)", r.Name, r.ID, call.Request.Name, call.ID))
	}
	if err != nil && !t.isIdempotent(r) {
		return failedCall(r, &tool.UnknownOutcomeError{Err: err})
	}
	delete(t.pendingCalls, r.ID)
	if err != nil {
		return failedCall(r, abandonedCallError(err))
	}
	return &call
}

// takeLateOutcome returns and removes the late outcome of a call. It returns nil if there is none.
func (t activityTools) takeLateOutcome(call string) *tool.Call {
	outcome := t.pendingCalls[call].lateOutcome
	if outcome != nil {
		delete(t.pendingCalls, call)
	}
	return outcome
}

func failedCall(r tool.Request, err error) *tool.Call {
	return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusFailed, Err: err}
}

// resultStore is the store of a run inside its workflow. It only writes the outputs of steps, in
// local activities, so that a replay does not write them again.
type resultStore struct{ effects }

// Write implements [memory.Store].
func (r resultStore) Write(_ context.Context, key string, value any) error {
	data, err := memory.Marshal(key, value)
	if err != nil {
		return err
	}
	ctx := workflow.WithLocalActivityOptions(r.ctx, workflow.LocalActivityOptions{ScheduleToCloseTimeout: 10 * time.Second})
	return workflow.ExecuteLocalActivity(ctx, r.store.Write, key, data).Get(ctx, nil)
}

var errNoStore = errors.New("temporal: the store can only be written in a workflow")

// Read implements [memory.Store]. Like Search and Delete, it always fails.
func (resultStore) Read(context.Context, string) (json.RawMessage, bool, error) {
	return nil, false, errNoStore
}

func (resultStore) Search(context.Context, string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) { yield(memory.Entry{}, errNoStore) }
}

func (resultStore) Delete(context.Context, string) error { return errNoStore }
