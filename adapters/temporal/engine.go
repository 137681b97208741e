// Package temporal runs agents of package orchestrator as Temporal workflows. Each run is one
// workflow; calls of the model and of tools are its activities, which any worker may execute.
// The workflow's history is the run's journal, so a run survives the loss of workers and
// servers.
//
// Create an engine with [New]. Programs that start runs and answer their questions call
// [Engine.Start], [Engine.Send] and [Engine.Result]; workers call [Engine.Work].
//
// The ID of a run cannot be used again as long as Temporal keeps the run: for the retention
// period of the namespace after the run has ended, which is 3 days by default and at least one
// day. To change it:
//
//	temporal operator namespace update -n NAME --retention 90d
//
// After that period the ID is free again, and the calls of a new run with that ID get the same
// call IDs as those of the old run. If you choose run IDs yourself, such as order numbers, set a
// retention period after which no program starts a run with an old ID.
package temporal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// Engine starts runs and lets workers, in any number of processes, execute them. Programs that
// only start runs and answer their questions need an Engine too, with the tools of the workers,
// which it does not call. Create an Engine with [New]. It is safe for concurrent use.
type Engine struct {
	client  client.Client
	queue   string
	model   llm.Model
	tools   orchestrator.Caller
	options []orchestrator.Option
	store   memory.Store

	heartbeatTimeout  time.Duration
	callTimeout       time.Duration
	modelRetryTimeout time.Duration
	grace             time.Duration
	maxCallBytes      int
	uncheckedUpdates  int // updates of a run that are accepted without validating them first
	onEvent           func(context.Context, run.Event)
	version           worker.WorkerDeploymentVersion

	workerAbsent atomic.Pointer[time.Time] // when a query found no worker
}

// Option configures an [Engine].
type Option func(*Engine)

// RunOptions configures the runs: [orchestrator.Plan], [orchestrator.Conversation],
// [orchestrator.BaseRequest], and [orchestrator.ConfigureEnv] for costs and limits. All workers of one
// version need the same options. [New] rejects options that have effects outside the workflow, see
// [orchestrator.CheckReplaySafe]: use [Store], [Events] and [Grace] instead; the journal is always the
// workflow's history. It also rejects agents among the tools that have an [orchestrator.Recall]. To add
// entries of a store to prompts, as an [orchestrator.Recall] would, wrap the model that you pass to New,
// which is called outside the workflow.
func RunOptions(options ...orchestrator.Option) Option {
	return func(e *Engine) { e.options = append(e.options, options...) }
}

// Store sets the store for tools that take a [memory.Store]. By default each call gets an empty
// store.
func Store(s memory.Store) Option { return func(e *Engine) { e.store = s } }

// Events sets a function that receives the events of every run, one after the other, in the
// process of the worker that executes the run. When another worker takes over a run, earlier
// events are not reported again: they are part of that worker's [run.RunClaimed] event. The last
// event of the previous worker may be reported twice if that worker died before Temporal recorded
// its progress. If Temporal removes a run from the cache of a worker, that worker reports
// [run.RunDetached]. The events [run.Progress] and [run.CallLogged] of running functions are not
// reported.
func Events(f func(context.Context, run.Event)) Option {
	return func(e *Engine) { e.onEvent = f }
}

// HeartbeatTimeout sets how long a worker that executes a call or a model request may be silent
// before it counts as dead. It sends three heartbeats in that time. The default is 30 s.
func HeartbeatTimeout(d time.Duration) Option { return func(e *Engine) { e.heartbeatTimeout = d } }

// CallTimeout limits the duration of a call or a model request. The default is a day. A longer
// call fails with a *run.Error of kind "timeout" if its tool is idempotent; otherwise its
// outcome is unknown, and the run waits for a decision.
func CallTimeout(d time.Duration) Option { return func(e *Engine) { e.callTimeout = d } }

// ModelRetryTimeout sets how long a model request that fails with a transient error is retried
// before the run is interrupted. The default is 6 h. Because Temporal retries, pass [New] a model
// without retries of its own, such as those of [llm.Retry].
func ModelRetryTimeout(d time.Duration) Option { return func(e *Engine) { e.modelRetryTimeout = d } }

// Grace sets how long calls may continue in a worker that is asked to stop. The default is 10 s.
func Grace(d time.Duration) Option { return func(e *Engine) { e.grace = d } }

// MaxCallBytes limits the record of a call as JSON: its arguments, its output and its
// attachments. A call with a longer record fails. The default is 1 MiB. More than 1.5 MiB need a
// client with a [Storage]. Other data that goes through Temporal, such as a request to the model,
// is limited to the same size or 1.9 MiB, whichever is larger. A longer request fails with
// [llm.ContextFull].
func MaxCallBytes(bytes int) Option { return func(e *Engine) { e.maxCallBytes = bytes } }

// Version pins each run to workers of the version that started it, so that a program that
// behaves differently never continues the run. Set the current version in Temporal's worker
// deployments. By default any worker takes any run.
func Version(deployment, build string) Option {
	return func(e *Engine) {
		e.version = worker.WorkerDeploymentVersion{DeploymentName: deployment, BuildID: build}
	}
}

// New returns an engine for the runs in a task queue. The error is that of [orchestrator.New] or
// [orchestrator.CheckReplaySafe], or names the invalid argument.
func New(c client.Client, queue string, model llm.Model, tools orchestrator.Caller, options ...Option) (*Engine, error) {
	e := &Engine{
		client: c, queue: queue, model: model, tools: tools,
		heartbeatTimeout: 30 * time.Second, callTimeout: 24 * time.Hour, modelRetryTimeout: 6 * time.Hour, grace: 10 * time.Second, maxCallBytes: 1 << 20, uncheckedUpdates: defaultUncheckedUpdates,
	}
	for _, option := range options {
		option(e)
	}
	switch {
	case c == nil || queue == "":
		return nil, errors.New("temporal: New needs a client and a task queue")
	case min(e.heartbeatTimeout, e.callTimeout, e.modelRetryTimeout) < time.Millisecond || e.grace < 0:
		return nil, errors.New("temporal: HeartbeatTimeout, CallTimeout and ModelRetryTimeout need at least a millisecond, and Grace must not be negative")
	case e.maxCallBytes < 1:
		return nil, errors.New("temporal: MaxCallBytes must be positive")
	case (e.version.DeploymentName == "") != (e.version.BuildID == ""):
		return nil, errors.New("temporal: Version needs both a deployment and a build")
	}
	if err := orchestrator.CheckReplaySafe(e.options...); err != nil {
		return nil, fmt.Errorf("temporal: RunOptions: %w", err)
	}
	if tools != nil {
		if err := orchestrator.CheckAgentsReplaySafe(tools); err != nil {
			return nil, fmt.Errorf("temporal: %w", err)
		}
	}
	if _, err := e.newOrchestrator(model, tools, new(journal.Map)); err != nil {
		return nil, err
	}
	return e, nil
}

// modelFor returns the model of a run or an agent for a purpose.
func (e *Engine) modelFor(path agentPath, purpose string) (llm.Model, error) {
	if len(path) == 0 {
		return orchestrator.ModelOf(purpose, e.model, e.options...), nil
	}
	agent, err := e.findAgent(path)
	if err != nil {
		return nil, err
	}
	return agent.Model(purpose), nil
}

// toolsOf returns the tools of a run or an agent.
func (e *Engine) toolsOf(path agentPath) (orchestrator.Caller, error) {
	if len(path) == 0 {
		return e.tools, nil
	}
	agent, err := e.findAgent(path)
	if err != nil {
		return nil, err
	}
	return agent.Tools(), nil
}

func (e *Engine) findAgent(path agentPath) (*orchestrator.Orchestrator, error) {
	agent, ok := orchestrator.FindAgent(e.tools, path...)
	if !ok {
		return nil, &run.Error{Kind: "no_agent", Text: fmt.Sprintf("this worker has no agent %q", path)}
	}
	return agent, nil
}

func (e *Engine) newOrchestrator(model llm.Model, tools orchestrator.Caller, j journal.Journal, more ...orchestrator.Option) (*orchestrator.Orchestrator, error) {
	return orchestrator.New(model, tools, slices.Concat(e.options, []orchestrator.Option{orchestrator.Journal(j)}, more)...)
}

// Start starts a run, which a worker then executes. The error is that of
// [orchestrator.Orchestrator.Start]. An ID cannot be used again while Temporal keeps the run that has
// it.
func (e *Engine) Start(ctx context.Context, in orchestrator.Input) (id string, err error) {
	j := new(journal.Map)
	o, err := e.newOrchestrator(e.model, e.tools, j)
	if err != nil {
		return "", err
	}
	r, err := o.Start(ctx, in)
	if err != nil {
		return "", err
	}
	begin := startInput{Run: r.ID()}
	for entry, err := range j.Read(ctx, r.ID(), 0) {
		if err != nil {
			return "", err
		}
		begin.Entries = append(begin.Entries, entry)
	}
	p, err := encodeLimited(begin, e.maxPayloadBytes())
	if err != nil {
		return "", fmt.Errorf("temporal: the input of the run is too large or not JSON: %w", err)
	}
	_, err = e.client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: workflowID(r.ID()), TaskQueue: e.queue,
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
	}, runName, p)
	if _, exists := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); exists {
		return "", &journal.ConflictError{Run: r.ID()}
	}
	return r.ID(), withContextError(ctx, err)
}

// workflowID returns the workflow ID of a run, in ASCII as Temporal requires.
func workflowID(run string) string { return url.PathEscape(run) }

// Send sends a signal to a run and lets a worker continue it. It returns once a worker has
// recorded the signal, so without workers it waits until ctx is done; then the run may or may not
// have received the signal. The error is that of [orchestrator.Run.Send].
func (e *Engine) Send(ctx context.Context, id string, s run.Signal) error {
	p, err := encodeLimited(s, e.maxPayloadBytes())
	if err != nil {
		return fmt.Errorf("temporal: the signal is too large or not JSON: %w", err)
	}
	return e.updateRun(ctx, id, sendName, s.Kind, p)
}

// Wake lets a worker continue a run that was interrupted for a reason that no longer exists, such
// as an invalid API key. A run that waits for an answer keeps waiting. The error is a
// *journal.NotFoundError if the run does not exist, and a *run.Error of kind "run_ended" if it has
// ended.
func (e *Engine) Wake(ctx context.Context, id string) error {
	return e.updateRun(ctx, id, wakeName)
}

func (e *Engine) updateRun(ctx context.Context, id, name string, args ...any) error {
	handle, err := e.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: workflowID(id), UpdateName: name, Args: args, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = handle.Get(ctx, nil)
	}
	if isNotFound(err) {
		return e.missingRunError(ctx, id)
	}
	return withContextError(ctx, fromTemporalError(err))
}

// missingRunError returns the error for a run whose workflow is not running: the run has ended, or
// never existed.
func (e *Engine) missingRunError(ctx context.Context, id string) error {
	if _, err := e.client.DescribeWorkflowExecution(ctx, workflowID(id), ""); isNotFound(err) {
		return &journal.NotFoundError{Run: id}
	} else if err != nil {
		return err
	}
	return &run.Error{Kind: "run_ended", Text: "the run has ended"}
}

func isNotFound(err error) bool {
	_, missing := errors.AsType[*serviceerror.NotFound](err)
	return missing
}

// Result waits until workers have nothing more to do for a run, and returns its result: the run
// has ended, waits, has exceeded a limit, or was interrupted and cannot be retried. Result returns
// only after workers have processed all signals that were sent before. Without workers, Result
// waits until ctx is done. The error is a *journal.NotFoundError if the run does not exist, and a
// *run.Error of kind "terminated" if somebody ended its workflow from outside. If ctx is done, the
// error includes the reason why the last query failed.
func (e *Engine) Result(ctx context.Context, id string) (*run.Result, error) {
	ended := make(chan error, 1)
	var p jsonPayload
	until, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		ended <- e.client.GetWorkflow(until, workflowID(id), "").Get(until, &p)
		stop() // the query in progress, which takes long without workers
	}()
	var lastFailure error
	for pause := minPoll; ; pause = min(2*pause, maxPoll) {
		select {
		case err := <-ended:
			if isNotFound(err) {
				return nil, &journal.NotFoundError{Run: id}
			}
			if err = withContextError(ctx, fromTemporalError(err)); err != nil && ctx.Err() != nil {
				err = errors.Join(err, lastFailure)
			}
			if err != nil {
				return nil, err
			}
			var result run.Result
			return &result, decodePayload(p, &result)
		case <-time.After(pause):
		}
		status, err := e.Status(until, id)
		switch {
		case err == nil && status.Idle:
			return &status.Result, nil
		case err == nil || until.Err() == nil:
			lastFailure = err
		}
	}
}

// Intervals between queries for the status of a run.
const (
	minPoll = 20 * time.Millisecond
	maxPoll = time.Second
)

// Status is a summary of a run.
type Status struct {
	Result run.Result `json:"result"`          // including what the run waits for
	Idle   bool       `json:"idle,omitempty"`  // workers have nothing to do for the run
	Goal   string     `json:"goal,omitempty"`  // of its plan
	Steps  []Step     `json:"steps,omitempty"` // of its plan
}

// Step is a step of a plan.
type Step struct {
	ID     string `json:"id"`
	Tool   string `json:"tool,omitempty"`
	Status string `json:"status,omitempty"`
}

// Status returns a summary of a run, even while workers execute the run. It queries a worker, so at least
// one must be running. The history of the run does not grow. The error is a *journal.NotFoundError if the
// run does not exist, and a *run.Error of kind "terminated" if somebody ended its workflow
// from outside.
func (e *Engine) Status(ctx context.Context, id string) (*Status, error) {
	answer, err := e.client.QueryWorkflowWithOptions(ctx, &client.QueryWorkflowWithOptionsRequest{
		WorkflowID: workflowID(id), QueryType: statusName, QueryRejectCondition: enums.QUERY_REJECT_CONDITION_NOT_COMPLETED_CLEANLY,
	})
	var p jsonPayload
	switch {
	case isNotFound(err):
		return nil, &journal.NotFoundError{Run: id}
	case err == nil && answer.QueryRejected != nil:
		return nil, terminatedError(answer.QueryRejected.GetStatus())
	case err == nil:
		err = answer.QueryResult.Get(&p)
	}
	if err != nil {
		return nil, withContextError(ctx, fromTemporalError(err))
	}
	var s Status
	return &s, decodePayload(p, &s)
}

// Work executes runs until ctx is done, and returns the cause. It also returns if it cannot reach
// Temporal, or if Temporal rejects the worker for good, for example because the namespace was
// deleted.
func (e *Engine) Work(ctx context.Context) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	options := e.workerOptions()
	options.OnFatalError = fail
	w := worker.New(e.client, e.queue, options)
	e.registerWorker(w)
	started := make(chan error, 1)
	go func() { started <- w.Start() }()
	select {
	case err := <-started:
		if err != nil {
			return err
		}
	case <-ctx.Done(): // Start may block while Temporal does not answer
		go func() {
			if <-started == nil {
				w.Stop()
			}
		}()
		return context.Cause(ctx)
	}
	<-ctx.Done()
	w.Stop()
	return context.Cause(ctx)
}

// deadlockTimeout is how long workflow code may run without yielding. It is long enough to read and
// check results of several MiB.
const deadlockTimeout = 10 * time.Second

func (e *Engine) workerOptions() worker.Options {
	return worker.Options{
		StickyScheduleToStartTimeout: time.Second, // how long tasks wait for a worker that died
		WorkerStopTimeout:            e.grace + 5*time.Second,
		DeadlockDetectionTimeout:     deadlockTimeout,
		DeploymentOptions:            worker.DeploymentOptions{UseVersioning: e.version.BuildID != "", Version: e.version},
	}
}
