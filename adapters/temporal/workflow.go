package temporal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// These names are recorded in histories: never change them.
const (
	runName    = "aiongen.Run"
	callName   = "aiongen.Call"
	modelName  = "aiongen.Model"
	sendName   = "aiongen.Send"
	wakeName   = "aiongen.Wake"
	lateName   = "aiongen.Late"
	statusName = "aiongen.Status"
	entryName  = "aiongen.Entries"
)

// registerWorker registers the engine's workflow and activities with a worker.
func (e *Engine) registerWorker(w worker.Registry) {
	e.registerRun(w)
	w.RegisterActivityWithOptions(e.callActivity, activity.RegisterOptions{Name: callName})
	w.RegisterActivityWithOptions(e.modelActivity, activity.RegisterOptions{Name: modelName})
}

func (e *Engine) registerRun(w worker.WorkflowRegistry) {
	options := workflow.RegisterOptions{Name: runName}
	if e.version.BuildID != "" {
		options.VersioningBehavior = workflow.VersioningBehaviorPinned
	}
	w.RegisterWorkflowWithOptions(e.runWorkflow, options)
}

// driver executes a run in its workflow. Its journal is in memory: it can be rebuilt from the
// workflow's history.
type driver struct {
	*orchestrator.Run
	ctx              workflow.Context
	journal          trialJournal
	uncheckedUpdates int               // how many updates are accepted without validating them first
	definitions      []tool.Definition // tools when the run started
	maxParallel      int               // concurrent calls
	hasWork          bool              // the run has just started or received a signal
	idleResult       *run.Result       // nil while workers have work to do for the run
	historyFull      bool
	updates          int                    // received so far
	callCount        int                    // activities of calls started so far
	reservedBytes    int                    // space in the history for the outcomes of running calls
	pendingCalls     map[string]pendingCall // by call ID
	missedEvents     replayedEvents
}

// replayedEvents collects the events of a replay, which another worker has already reported, until this
// worker reports its first event.
type replayedEvents struct {
	kind   string            // of the run
	meta   map[string]string // of the run
	events []run.Event
	last   *run.Event // the last event that this worker has reported; nil unless it executes the run
}

// eventsToReport returns the events to report when event happens. During a replay it returns none. After a
// replay, the first call puts a [run.RunClaimed] with the replayed events before event, unless event itself is
// a RunClaimed.
func (r *replayedEvents) eventsToReport(event run.Event, replaying bool) []run.Event {
	claimed, claims := event.What.(run.RunClaimed)
	if claims {
		r.kind, r.meta = claimed.Kind, claimed.Meta
	}
	missed := r.events
	switch {
	case replaying && !claims:
		r.events = append(r.events, event)
		return nil
	case replaying:
		return nil
	}
	r.events, r.last = nil, &event
	switch event.What.(type) {
	case run.RunStopped, run.RunDetached:
		r.last = nil
	}
	if claims || len(missed) == 0 { // the claim event of the run already contains the earlier events
		return []run.Event{event}
	}
	claim := event
	claim.AgentCall, claim.Step, claim.Number, claim.What = "", "", 0, run.RunClaimed{Kind: r.kind, Status: run.Running, Meta: r.meta, Earlier: missed}
	return []run.Event{claim, event}
}

// detachedEvent returns the event to report when this worker gives up the workflow. It returns false if the
// worker has not reported that it executes the run.
func (r *replayedEvents) detachedEvent() (run.Event, bool) {
	if r.last == nil {
		return run.Event{}, false
	}
	event := *r.last
	event.AgentCall, event.Step, event.Number = "", "", 0
	event.What = run.RunDetached{Error: &run.Error{Kind: "evicted", Text: "Temporal has removed the workflow from the cache of this worker"}}
	r.last = nil
	return event, true
}

// pendingCall is a call whose outcome the run does not know yet.
type pendingCall struct {
	number      int        // of its activity
	lateOutcome *tool.Call // sent by a worker that Temporal had given up
}

// startInput is the input of the workflow. Its field names are recorded in histories.
type startInput struct {
	Run     string          `json:"run"` // its ID
	Entries []journal.Entry `json:"entries"`
}

// runWorkflow is the workflow function: it takes a startInput and returns a [run.Result]. If
// this program cannot continue the run, it panics: Temporal shows the reason and retries the
// workflow task on any worker, perhaps one with another version of the program.
func (e *Engine) runWorkflow(ctx workflow.Context, input jsonPayload) (jsonPayload, error) {
	result, err := e.driveRun(ctx, input)
	if err != nil {
		panic(fmt.Sprintf("this worker cannot continue the run: %v", err))
	}
	// The senders of signals that arrive while the run ends still get an answer.
	disconnected, _ := workflow.NewDisconnectedContext(ctx)
	if err := workflow.Await(disconnected, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return jsonPayload{}, err
	}
	return encodePayload(result)
}

func (e *Engine) driveRun(ctx workflow.Context, input jsonPayload) (*run.Result, error) {
	var begin startInput
	if err := decodePayload(input, &begin); err != nil {
		return nil, err
	}
	d, err := e.openDriver(ctx, begin)
	if err != nil {
		return nil, err
	}
	defer func() { // also runs when Temporal ends this goroutine to evict the workflow
		if event, ok := d.missedEvents.detachedEvent(); ok {
			e.reportEvent(context.Background(), event, workflow.GetLogger(ctx))
		}
	}()
	if err := d.registerHandlers(); err != nil {
		return nil, err
	}
	return d.executeUntilEnd()
}

func (e *Engine) openDriver(ctx workflow.Context, begin startInput) (*driver, error) {
	// The run receives cancellation as a signal and completes its activities, so their context
	// must stay alive.
	disconnected, _ := workflow.NewDisconnectedContext(ctx)
	d := &driver{ctx: ctx, uncheckedUpdates: e.uncheckedUpdates, hasWork: true, pendingCalls: map[string]pendingCall{}}
	var in run.Input
	if len(begin.Entries) == 0 || json.Unmarshal(begin.Entries[0].Data, &in) != nil {
		return nil, errors.New("the input of the workflow is not that of a run")
	}
	d.definitions = in.Tools
	j := &d.journal
	if err := j.Append(context.Background(), begin.Run, 0, begin.Entries...); err != nil {
		return nil, err
	}
	fx := effects{Engine: e, driver: d, ctx: disconnected}
	options := []orchestrator.Option{orchestrator.ConfigureEnv(func(env *run.Env) {
		d.maxParallel = max(cmp.Or(env.Parallel, 8), 1)
		env.Clock = func() time.Time { return workflow.Now(disconnected) }
		env.Sleep = func(_ context.Context, pause time.Duration) { _ = workflow.Sleep(disconnected, pause) }
	})}
	if e.store != nil {
		options = append(options, orchestrator.Store(resultStore{fx}))
	}
	if e.onEvent != nil {
		options = append(options, orchestrator.Events(func(ctx context.Context, event run.Event) {
			for _, event := range d.missedEvents.eventsToReport(event, workflow.IsReplaying(disconnected)) {
				e.reportEvent(ctx, event, workflow.GetLogger(disconnected))
			}
		}))
	}
	for _, purpose := range run.Purposes() {
		if orchestrator.ModelOf(purpose, nil, e.options...) != nil {
			options = append(options, orchestrator.ModelFor(purpose, activityModel{fx, purpose, nil}))
		}
	}
	o, err := e.newOrchestrator(activityModel{effects: fx}, activityTools{fx, e.tools, nil}, j, options...)
	if err == nil {
		d.Run, err = o.Open(context.Background(), begin.Run)
	}
	return d, err
}

// reportEvent reports an event. A panic in the callback does not end the run.
func (e *Engine) reportEvent(ctx context.Context, event run.Event, logger log.Logger) {
	defer func() {
		if p := recover(); p != nil {
			logger.Error("the Events callback panicked", "value", p, "stack", string(debug.Stack()))
		}
	}()
	e.onEvent(ctx, event)
}

// registerHandlers registers the handlers of updates, cancellation, late outcomes and queries.
func (d *driver) registerHandlers() error {
	send := func(ctx workflow.Context, kind string, p jsonPayload) error {
		d.updates++
		s := run.Signal{Kind: kind}
		if err := decodePayload(p, &s); err != nil {
			return toTemporalError(err)
		}
		if err := yieldOnce(ctx); err != nil {
			return toTemporalError(err)
		}
		err := d.sendSignal(s)
		if err == nil { // the signal decides about the call, so ignore outcomes that arrive later
			delete(d.pendingCalls, s.Call)
		}
		return toTemporalError(err)
	}
	wake := func(workflow.Context) error { d.updates++; d.hasWork = true; return nil }
	workflow.Go(d.ctx, func(ctx workflow.Context) {
		if ctx.Done().Receive(ctx, nil); ctx.Err() != nil {
			_ = d.sendSignal(run.Cancel("its workflow was cancelled"))
		}
	})
	workflow.Go(d.ctx, func(ctx workflow.Context) {
		for {
			var p jsonPayload
			workflow.GetSignalChannel(ctx, lateName).Receive(ctx, &p)
			d.recordLateCall(p)
		}
	})
	return errors.Join(
		workflow.SetUpdateHandlerWithOptions(d.ctx, sendName, send, workflow.UpdateHandlerOptions{Validator: d.validateSend}),
		workflow.SetUpdateHandlerWithOptions(d.ctx, wakeName, wake, workflow.UpdateHandlerOptions{Validator: d.validateWake}),
		workflow.SetQueryHandler(d.ctx, statusName, d.queryStatus),
		workflow.SetQueryHandler(d.ctx, entryName, d.queryEntries),
	)
}

// validateSend rejects a signal that the run would reject. A rejected update leaves no event and does
// not count against Temporal's limit on updates. Until the run has received many updates, validateSend
// accepts every signal: another signal that arrives at the same time may make it valid.
func (d *driver) validateSend(kind string, p jsonPayload) error {
	if d.updates < d.uncheckedUpdates {
		return nil
	}
	s := run.Signal{Kind: kind}
	if err := decodePayload(p, &s); err != nil {
		return toTemporalError(err)
	}
	d.journal.dryRun = true
	err := d.Send(context.Background(), s)
	d.journal.dryRun = false
	if errors.Is(err, errDryRun) {
		return nil
	}
	return toTemporalError(err)
}

// validateWake rejects waking a run that is not interrupted, once the run has received many
// updates.
func (d *driver) validateWake() error {
	if d.updates < d.uncheckedUpdates || d.idleResult != nil && d.idleResult.Status == run.Interrupted {
		return nil
	}
	return toTemporalError(&run.Error{Kind: "history", Text: "the run has received so many updates that it can only be woken while it is interrupted"})
}

// trialJournal is a journal that can reject appends: validateSend uses it to find out whether the run
// would accept a signal.
type trialJournal struct {
	journal.Map
	dryRun bool // reject appends with errDryRun
}

var errDryRun = errors.New("dry run: the entry would have been appended")

// Append implements [journal.Journal].
func (t *trialJournal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if t.dryRun {
		return errDryRun
	}
	return t.Map.Append(ctx, run, n, entries...)
}

func (d *driver) sendSignal(s run.Signal) error {
	err := d.Send(context.Background(), s)
	d.hasWork = d.hasWork || err == nil
	return err
}

// yieldOnce lets the other goroutines of the workflow continue before it returns. Signals that arrived
// together with this one are then processed first.
func yieldOnce(ctx workflow.Context) error {
	checks := 0
	return workflow.Await(ctx, func() bool { checks++; return checks > 1 })
}

// recordLateCall records the outcome of a call that arrives late, unless the outcome is already
// known or somebody has decided about the call.
func (d *driver) recordLateCall(p jsonPayload) {
	var l lateCall
	var call tool.Call
	if decodePayload(p, &l) != nil || json.Unmarshal(l.Call, &call) != nil {
		return
	}
	if pending, ok := d.pendingCalls[call.ID]; ok && pending.number == l.N {
		pending.lateOutcome = &call
		d.pendingCalls[call.ID] = pending
		d.redoLateCalls()
	}
}

// redoLateCalls redoes the calls that still wait for a decision, but whose outcome has arrived in the
// meantime. It does not call their functions again: CallAll returns the late outcomes.
func (d *driver) redoLateCalls() {
	for _, wait := range d.State().Calls {
		if wait.For == run.ForDecision && d.pendingCalls[wait.Call].lateOutcome != nil {
			_ = d.sendSignal(run.Redo(wait.Call)) // cannot fail: the run waits for it
		}
	}
}

func (d *driver) queryStatus() (jsonPayload, error) {
	state := d.State()
	s := &Status{Result: state.Result, Idle: d.idleResult != nil && !d.hasWork}
	if s.Idle {
		s.Result = *d.idleResult
	}
	if state.Plan != nil {
		s.Goal = state.Plan.Goal
		for _, step := range state.Plan.Steps {
			s.Steps = append(s.Steps, Step{ID: step.ID, Tool: step.Tool, Status: string(step.Status)})
		}
	}
	return encodePayload(s)
}

// executeUntilEnd executes the run until it has ended. If the run waits, executeUntilEnd continues it after
// the next signal. If a transient error has stopped the run, executeUntilEnd continues it after a pause.
func (d *driver) executeUntilEnd() (*run.Result, error) {
	disconnected, _ := workflow.NewDisconnectedContext(d.ctx)
	for failures := 0; ; {
		if err := workflow.Await(disconnected, func() bool { return d.hasWork }); err != nil {
			return nil, err
		}
		d.hasWork, d.idleResult = false, nil
		result, err := d.Execute(context.Background())
		current := d.State().Result
		switch {
		case err != nil:
			return nil, err
		case !d.historyFull && hasEnded(current.Status):
			return &current, nil
		case d.historyFull || !d.checkRoom(): // the history has no room for another signal
			result.Status, result.Error = run.OverBudget, &run.Error{Kind: "history", Text: "the history of the workflow is full; start a new run for the remaining work"}
			return result, nil
		case result.Status == run.Interrupted && result.Error.Kind == unknownOutcomeCode:
			d.hasWork = true // the next execution waits for a decision about the call
		case result.Status == run.Interrupted && result.Error.Retry:
			failures++
			if _, err := workflow.AwaitWithTimeout(disconnected, retryPause(failures), func() bool { return d.hasWork }); err != nil {
				return nil, err
			}
			d.hasWork = true
		default:
			failures, d.idleResult = 0, result
			d.redoLateCalls()
		}
	}
}

// checkRoom updates historyFull and reports whether the history has room for another effect.
func (d *driver) checkRoom() bool {
	info := workflow.GetInfo(d.ctx)
	d.historyFull = info.GetCurrentHistoryLength() > maxHistoryEvents || info.GetCurrentHistorySize()+d.reservedBytes > maxHistoryBytes || d.updates > maxUpdates
	return !d.historyFull
}

func hasEnded(status string) bool {
	return status == run.Completed || status == run.Failed || status == run.Cancelled
}

// retryPause returns how long a run pauses after the given number of consecutive interruptions by
// transient errors. Before each interruption, the model was retried for ModelRetryTimeout.
func retryPause(failures int) time.Duration { return min(time.Minute<<min(failures, 6), time.Hour) }

// unknownOutcomeCode is the error code of a call whose outcome is unknown.
var unknownOutcomeCode = tool.Code(new(tool.UnknownOutcomeError))
