// Package temporal has the runs of package orchestrator driven by Temporal: each is a
// workflow, whose model and tools are activities of whichever workers there are. What
// happened is in the workflow's history, and a run goes on where it was when workers or
// servers come back.
//
// A run of an ID that there was before is refused as long as Temporal keeps that one: for
// the retention of the namespace after it ended, which is a day at least, and 3 days unless
// somebody says more, by
//
//	temporal operator namespace update -n NAME --retention 90d
//
// Then the ID is free again, and calls of a new run have the IDs of old ones. So who may
// begin a run again, by the number of an order, say, sets it longer than that can be.
//
// Its layers, from top to bottom:
//
//	engine      what a program calls
//	replay      whether a program may go on with what another one began
//	workflow    a run, and what becomes of what it is told
//	effects     the model and the tools, as a workflow meets them
//	activity    the model and the tools, as workers carry them out
//	storage     what is too large for a history
//	payload     how things stand in a history
//	fault       errors, on their way through Temporal
package temporal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Engine has workers, in whichever processes, go on with runs. Who only starts runs and
// answers them needs one too, with the tools of the workers, which it does not call. It is
// made by [New], and safe for concurrent use.
type Engine struct {
	client  client.Client
	queue   string
	model   llm.Model
	tools   orchestrator.Caller
	options []orchestrator.Option
	store   memory.Store

	silence  time.Duration
	longest  time.Duration
	patience time.Duration
	grace    time.Duration
	outputs  int
	untried  int // updates of a run
	events   func(context.Context, record.Event)
	version  worker.WorkerDeploymentVersion
}

// Option sets up an [Engine].
type Option func(*Engine)

// Runs says how runs are, by [orchestrator.Plan], [orchestrator.Conversation],
// [orchestrator.With], and [orchestrator.Env] for costs and numbers. It must be the same for
// all workers of one version. What touches the world [New] refuses, see [orchestrator.Pure]:
// the journal is the workflow's history, there are [Store], [Events] and [Grace], and what
// an [orchestrator.Recall] would show, a model can add that is given to New, for it is
// asked outside of the workflow.
func Runs(options ...orchestrator.Option) Option {
	return func(e *Engine) { e.options = append(e.options, options...) }
}

// Store says what tools get that take a [memory.Store]. Without it, each call has an
// empty one of its own.
func Store(s memory.Store) Option { return func(e *Engine) { e.store = s } }

// Events has f told what happens in every run, one thing after the other, in the process
// of the worker that drives it. What is there already when another worker takes a run over
// is not told again, but comes with the [record.Claimed] of that worker; what the one before told of last may be, if it died before Temporal
// knew of it. What functions say while they run, [record.Progress] and [record.Logged], is
// not told: that is for the functions to have elsewhere.
func Events(f func(context.Context, record.Event)) Option {
	return func(e *Engine) { e.events = f }
}

// Silence says how long a worker may not be heard of, in a call or an answer, until it is
// taken for dead; it is heard of three times in that. Without it, 30 s.
func Silence(d time.Duration) Option { return func(e *Engine) { e.silence = d } }

// Longest says how long a call or an answer may take. Without it, a day. A longer call has
// failed, with a *record.Error of the kind "timeout", if it might be made again; of any
// other nobody knows what came, and the run waits for a decision.
func Longest(d time.Duration) Option { return func(e *Engine) { e.longest = d } }

// Patience says for how long a model that fails with an error that may pass is asked
// again, before the run is interrupted. Without it, 6 h. So the model is given to [New]
// without any that asks again by itself, such as [llm.Retry].
func Patience(d time.Duration) Option { return func(e *Engine) { e.patience = d } }

// Grace says how long calls go on in a worker that is asked to end. Without it, 10 s.
func Grace(d time.Duration) Option { return func(e *Engine) { e.grace = d } }

// Outputs says how many bytes the record of a call may have as JSON: its arguments, its
// output and what is attached; one that has more has failed. Without it, 1 MiB. More than
// 1.5 MiB need a client with a [Storage]. Whatever else goes through Temporal, such as a
// request to the model, may have as many, or 1.9 MiB if that is more: a longer one is an
// [llm.ContextFull].
func Outputs(bytes int) Option { return func(e *Engine) { e.outputs = bytes } }

// Version pins runs to workers of the version that they began with, so that a program
// which does something else than before goes on with none of them; see the worker
// deployments of Temporal, which have to be told what the current version is. Without it,
// every worker takes every run.
func Version(deployment, build string) Option {
	return func(e *Engine) {
		e.version = worker.WorkerDeploymentVersion{DeploymentName: deployment, BuildID: build}
	}
}

// New returns an engine of the runs in a task queue. The error is that of
// [orchestrator.New] or [orchestrator.Pure], or says what else there must be.
func New(c client.Client, queue string, model llm.Model, tools orchestrator.Caller, options ...Option) (*Engine, error) {
	e := &Engine{
		client: c, queue: queue, model: model, tools: tools,
		silence: 30 * time.Second, longest: 24 * time.Hour, patience: 6 * time.Hour, grace: 10 * time.Second, outputs: 1 << 20, untried: mostUntried,
	}
	for _, option := range options {
		option(e)
	}
	switch {
	case c == nil || queue == "":
		return nil, errors.New("temporal: there is no client, or no task queue")
	case min(e.silence, e.longest, e.patience) < time.Millisecond || e.grace < 0:
		return nil, errors.New("temporal: a time is too short")
	case e.outputs < 1:
		return nil, errors.New("temporal: Outputs leaves no room for what calls come to")
	case (e.version.DeploymentName == "") != (e.version.BuildID == ""):
		return nil, errors.New("temporal: Version needs a deployment and a build")
	}
	if err := orchestrator.Pure(e.options...); err != nil {
		return nil, fmt.Errorf("temporal: Runs: %w", err)
	}
	if _, err := e.orchestrator(model, tools, new(journal.Map)); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *Engine) orchestrator(model llm.Model, tools orchestrator.Caller, j journal.Journal, more ...orchestrator.Option) (*orchestrator.Orchestrator, error) {
	return orchestrator.New(model, tools, slices.Concat(e.options, []orchestrator.Option{orchestrator.Journal(j)}, more)...)
}

// Start begins a run, which a worker goes on with. The error is that of
// [orchestrator.Orchestrator.Start]; of an ID that was taken, as long as Temporal keeps
// the run that had it.
func (e *Engine) Start(ctx context.Context, in orchestrator.Input) (id string, err error) {
	j := new(journal.Map)
	o, err := e.orchestrator(e.model, e.tools, j)
	if err != nil {
		return "", err
	}
	r, err := o.Start(ctx, in)
	if err != nil {
		return "", err
	}
	begin := begun{Run: r.ID()}
	for entry, err := range j.Read(ctx, r.ID(), 0) {
		if err != nil {
			return "", err
		}
		begin.Entries = append(begin.Entries, entry)
	}
	p, err := fit(begin, e.payload())
	if err != nil {
		return "", fmt.Errorf("the run cannot begin: %w", err)
	}
	_, err = e.client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: workflowID(r.ID()), TaskQueue: e.queue,
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
	}, runName, p)
	if _, there := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); there {
		return "", &journal.Taken{Run: r.ID()}
	}
	return r.ID(), because(ctx, err)
}

// workflowID is the ID of a run as Temporal takes it, which is ASCII.
func workflowID(run string) string { return url.PathEscape(run) }

// Send tells a run something, and has a worker go on with it. It returns when a worker has
// taken that in, so that without workers it waits until ctx is done, and then it may have
// been told or not. The error is that of [orchestrator.Run.Send].
func (e *Engine) Send(ctx context.Context, id string, s record.Signal) error {
	p, err := fit(s, e.payload())
	if err != nil {
		return fmt.Errorf("the run cannot be told that: %w", err)
	}
	return e.update(ctx, id, sendName, s.Kind, p)
}

// Wake has a worker go on with a run that was interrupted by what has passed meanwhile,
// such as a key that was not valid. One that waits, waits on. The error is a
// *journal.Gone if there is no such run, and a *record.Error of the kind "run_ended" if it
// has ended.
func (e *Engine) Wake(ctx context.Context, id string) error {
	return e.update(ctx, id, wakeName)
}

func (e *Engine) update(ctx context.Context, id, name string, args ...any) error {
	handle, err := e.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: workflowID(id), UpdateName: name, Args: args, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = handle.Get(ctx, nil)
	}
	if missing(err) {
		return e.ended(ctx, id)
	}
	return because(ctx, came(err))
}

// ended returns why a run was not told something: it has ended, or never was.
func (e *Engine) ended(ctx context.Context, id string) error {
	if _, err := e.client.DescribeWorkflowExecution(ctx, workflowID(id), ""); missing(err) {
		return &journal.Gone{Run: id}
	} else if err != nil {
		return err
	}
	return &record.Error{Kind: "run_ended", Text: "the run has ended"}
}

func missing(err error) bool {
	_, missing := errors.AsType[*serviceerror.NotFound](err)
	return missing
}

// Result returns where a run stands once no worker has anything to do with it: it has
// ended, waits, is beyond a limit, or was interrupted by what does not pass by itself.
// Without workers it waits until ctx is done. What was sent before is taken in. The error
// is a *journal.Gone if there is no such run, and a *record.Error of the kind "terminated" if
// somebody ended its workflow other than by telling the run. That of ctx holds why it could
// not be told, if so.
func (e *Engine) Result(ctx context.Context, id string) (*record.Result, error) {
	ended := make(chan error, 1)
	var p packed
	until, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		ended <- e.client.GetWorkflow(until, workflowID(id), "").Get(until, &p)
		stop() // asking, which without workers takes its time
	}()
	var untold error
	for pause := shortest; ; pause = min(2*pause, longestPoll) {
		select {
		case err := <-ended:
			if missing(err) {
				return nil, &journal.Gone{Run: id}
			}
			if err = because(ctx, came(err)); err != nil && ctx.Err() != nil {
				err = errors.Join(err, untold)
			}
			if err != nil {
				return nil, err
			}
			var result record.Result
			return &result, unpack(p, &result)
		case <-time.After(pause):
		}
		status, err := e.Status(until, id)
		switch {
		case err == nil && status.Idle:
			return &status.Result, nil
		case err == nil || until.Err() == nil:
			untold = err
		}
	}
}

// How often a run that goes on is asked whether it still does.
const (
	shortest    = 20 * time.Millisecond
	longestPoll = time.Second
)

// Status is where a run stands, in short.
type Status struct {
	Result record.Result `json:"result"`          // with what it waits for
	Idle   bool          `json:"idle,omitempty"`  // nobody has anything to do with it
	Goal   string        `json:"goal,omitempty"`  // of its plan
	Steps  []Step        `json:"steps,omitempty"` // of it
}

// Step is a step of a plan.
type Step struct {
	ID     string `json:"id"`
	Tool   string `json:"tool,omitempty"`
	Status string `json:"status,omitempty"`
}

// Status tells where a run stands, also while it goes on. A worker has to be there, for
// it is asked; the history of the run does not grow by it. The error is a *journal.Gone if
// there is no such run, and a *record.Error of the kind "terminated" if somebody ended its
// workflow other than by telling the run.
func (e *Engine) Status(ctx context.Context, id string) (*Status, error) {
	answer, err := e.client.QueryWorkflowWithOptions(ctx, &client.QueryWorkflowWithOptionsRequest{
		WorkflowID: workflowID(id), QueryType: statusName, QueryRejectCondition: enums.QUERY_REJECT_CONDITION_NOT_COMPLETED_CLEANLY,
	})
	var p packed
	switch {
	case missing(err):
		return nil, &journal.Gone{Run: id}
	case err == nil && answer.QueryRejected != nil:
		return nil, outside(answer.QueryRejected.GetStatus())
	case err == nil:
		err = answer.QueryResult.Get(&p)
	}
	if err != nil {
		return nil, because(ctx, came(err))
	}
	var s Status
	return &s, unpack(p, &s)
}

// Work goes on with runs until ctx is done, and returns why it is. The error may be that
// Temporal is not there, or that it takes no worker any more, since the namespace is gone,
// say.
func (e *Engine) Work(ctx context.Context) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	options := e.workerOptions()
	options.OnFatalError = fail
	w := worker.New(e.client, e.queue, options)
	e.register(w)
	started := make(chan error, 1)
	go func() { started <- w.Start() }()
	select {
	case err := <-started:
		if err != nil {
			return err
		}
	case <-ctx.Done(): // while Temporal does not answer
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

// deadlock is how long a step of a workflow may take that does not wait for anything:
// a result of some MiB is read and checked in it.
const deadlock = 10 * time.Second

func (e *Engine) workerOptions() worker.Options {
	return worker.Options{
		StickyScheduleToStartTimeout: time.Second, // of a worker that died
		WorkerStopTimeout:            e.grace + 5*time.Second,
		DeadlockDetectionTimeout:     deadlock,
		DeploymentOptions:            worker.DeploymentOptions{UseVersioning: e.version.BuildID != "", Version: e.version},
	}
}
