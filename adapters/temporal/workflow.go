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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Names in histories, which must stay.
const (
	runName    = "aiongen.Run"
	callName   = "aiongen.Call"
	modelName  = "aiongen.Model"
	sendName   = "aiongen.Send"
	wakeName   = "aiongen.Wake"
	lateName   = "aiongen.Late"
	statusName = "aiongen.Status"
)

// register makes a worker one of the engine.
func (e *Engine) register(w worker.Registry) {
	e.registerRun(w)
	w.RegisterActivityWithOptions(e.call, activity.RegisterOptions{Name: callName})
	w.RegisterActivityWithOptions(e.ask, activity.RegisterOptions{Name: modelName})
}

func (e *Engine) registerRun(w worker.WorkflowRegistry) {
	options := workflow.RegisterOptions{Name: runName}
	if e.version.BuildID != "" {
		options.VersioningBehavior = workflow.VersioningBehaviorPinned
	}
	w.RegisterWorkflowWithOptions(e.run, options)
}

// driver goes on with a run in its workflow. Its journal is in memory, for the history of
// the workflow has all that is needed to make it again.
type driver struct {
	*orchestrator.Run
	ctx      workflow.Context
	journal  trial
	untried  int               // how many updates are not tried first
	claims   []tool.Definition // of tools, when the run began
	parallel int               // calls side by side
	due      bool              // it was told something, or begins
	standing *record.Result
	full     bool               // the history has no room for more
	told     int                // updates
	calls    int                // activities of them
	reserved int                // bytes of the history, for what comes of those under way
	pending  map[string]pending // by its ID
	replayed replayed
}

// replayed holds the events that another worker reported, until this one reports one.
type replayed struct {
	kind   string // of the run
	events []record.Event
}

// before returns the events to report when an event happens: none while the workflow is
// replayed, and afterward first that this worker goes on with the run, with what it missed.
func (r *replayed) before(event record.Event, replaying bool) []record.Event {
	claimed, claims := event.What.(record.Claimed)
	if claims {
		r.kind = claimed.Kind
	}
	missed := r.events
	switch {
	case replaying && !claims:
		r.events = append(r.events, event)
		return nil
	case replaying:
		return nil
	}
	r.events = nil
	if claims || len(missed) == 0 { // a claim has all that was before
		return []record.Event{event}
	}
	goesOn := event
	goesOn.Step, goesOn.Number, goesOn.What = "", 0, record.Claimed{Kind: r.kind, Status: record.Running, Earlier: missed}
	return []record.Event{goesOn, event}
}

// pending is a call of which the run does not know what came.
type pending struct {
	n    int        // of its activity
	came *tool.Call // after all, of a worker that was given up
}

// begun is what a workflow begins with. Its names are in histories.
type begun struct {
	Run     string          `json:"run"` // its ID
	Entries []journal.Entry `json:"entries"`
}

// run is the workflow: of a begun, to a [record.Result]. What this program cannot go on with
// is left to others: the task of a workflow that panics is tried again, by whichever worker,
// and Temporal shows why.
func (e *Engine) run(ctx workflow.Context, input packed) (packed, error) {
	result, err := e.drive(ctx, input)
	if err != nil {
		panic(fmt.Sprintf("this worker cannot go on with the run: %v", err))
	}
	// Who tells a run something as it ends is told that it has.
	apart, _ := workflow.NewDisconnectedContext(ctx)
	if err := workflow.Await(apart, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return packed{}, err
	}
	return pack(result)
}

func (e *Engine) drive(ctx workflow.Context, input packed) (*record.Result, error) {
	var begin begun
	if err := unpack(input, &begin); err != nil {
		return nil, err
	}
	d, err := e.open(ctx, begin)
	if err != nil {
		return nil, err
	}
	if err := d.listen(); err != nil {
		return nil, err
	}
	return d.drive()
}

func (e *Engine) open(ctx workflow.Context, begin begun) (*driver, error) {
	// A run is cancelled by being told so, and ends what it does.
	apart, _ := workflow.NewDisconnectedContext(ctx)
	d := &driver{ctx: ctx, untried: e.untried, due: true, pending: map[string]pending{}}
	var in record.Input
	if len(begin.Entries) == 0 || json.Unmarshal(begin.Entries[0].Data, &in) != nil {
		return nil, errors.New("the workflow was begun with what is no run")
	}
	d.claims = in.Tools
	j := &d.journal
	if err := j.Append(context.Background(), begin.Run, 0, begin.Entries...); err != nil {
		return nil, err
	}
	fx := effects{Engine: e, driver: d, ctx: apart}
	options := []orchestrator.Option{orchestrator.Env(func(env *run.Env) {
		d.parallel = max(cmp.Or(env.Parallel, 8), 1)
		env.Clock = func() time.Time { return workflow.Now(apart) }
		env.Sleep = func(_ context.Context, pause time.Duration) { _ = workflow.Sleep(apart, pause) }
	})}
	if e.store != nil {
		options = append(options, orchestrator.Store(results{fx}))
	}
	if e.events != nil {
		options = append(options, orchestrator.Events(func(ctx context.Context, event record.Event) {
			for _, event := range d.replayed.before(event, workflow.IsReplaying(apart)) {
				e.inform(ctx, event, workflow.GetLogger(apart))
			}
		}))
	}
	o, err := e.orchestrator(model{fx}, tools{fx, e.tools}, j, options...)
	if err == nil {
		d.Run, err = o.Open(context.Background(), begin.Run)
	}
	return d, err
}

// inform tells of something that happened. Who is told of it does not end the run by a panic.
func (e *Engine) inform(ctx context.Context, event record.Event, logger log.Logger) {
	defer func() {
		if p := recover(); p != nil {
			logger.Error("who is told of events panicked", "value", p, "stack", string(debug.Stack()))
		}
	}()
	e.events(ctx, event)
}

// listen has the run told what comes.
func (d *driver) listen() error {
	send := func(ctx workflow.Context, kind string, p packed) error {
		d.told++
		s := record.Signal{Kind: kind}
		if err := cmp.Or(unpack(p, &s), yield(ctx)); err != nil {
			return goes(err)
		}
		err := d.tell(s)
		if err == nil { // and nothing else counts any more
			delete(d.pending, s.Call)
		}
		return goes(err)
	}
	wake := func(workflow.Context) error { d.told++; d.due = true; return nil }
	workflow.Go(d.ctx, func(ctx workflow.Context) {
		if ctx.Done().Receive(ctx, nil); ctx.Err() != nil {
			_ = d.tell(record.Cancel("its workflow was cancelled"))
		}
	})
	workflow.Go(d.ctx, func(ctx workflow.Context) {
		for {
			var p packed
			workflow.GetSignalChannel(ctx, lateName).Receive(ctx, &p)
			d.late(p)
		}
	})
	return errors.Join(
		workflow.SetUpdateHandlerWithOptions(d.ctx, sendName, send, workflow.UpdateHandlerOptions{Validator: d.trySend}),
		workflow.SetUpdateHandlerWithOptions(d.ctx, wakeName, wake, workflow.UpdateHandlerOptions{Validator: d.tryWake}),
		workflow.SetQueryHandler(d.ctx, statusName, d.status),
	)
}

// trySend refuses what the run would refuse, once it was told much: what is refused before
// it is an event takes nothing of the number of updates that a workflow may have. Before, it
// is told what may have come at once with what makes it right.
func (d *driver) trySend(kind string, p packed) error {
	if d.told < d.untried {
		return nil
	}
	s := record.Signal{Kind: kind}
	if err := unpack(p, &s); err != nil {
		return goes(err)
	}
	d.journal.tried = true
	err := d.Send(context.Background(), s)
	d.journal.tried = false
	if errors.Is(err, errTried) {
		return nil
	}
	return goes(err)
}

// tryWake refuses to wake a run that is not interrupted, once it was told much.
func (d *driver) tryWake() error {
	if d.told < d.untried || d.standing != nil && d.standing.Status == record.Interrupted {
		return nil
	}
	return goes(&record.Error{Kind: "history", Text: "the run was told so much that it wakes only where it was interrupted"})
}

// A trial is a journal that takes nothing while something is tried.
type trial struct {
	journal.Map
	tried bool
}

var errTried = errors.New("the run would take it")

// Append is [journal.Journal]'s.
func (t *trial) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if t.tried {
		return errTried
	}
	return t.Map.Append(ctx, run, n, entries...)
}

func (d *driver) tell(s record.Signal) error {
	err := d.Send(context.Background(), s)
	d.due = d.due || err == nil
	return err
}

// yield has the run take in first what came before an update, with which it may have come
// at once.
func yield(ctx workflow.Context) error {
	again := false
	return workflow.Await(ctx, func() bool { defer func() { again = true }(); return again })
}

// late takes in what came of a call late, unless that is known, or somebody has decided
// about the call.
func (d *driver) late(p packed) {
	var l late
	var call tool.Call
	if unpack(p, &l) != nil || json.Unmarshal(l.Call, &call) != nil {
		return
	}
	if of, is := d.pending[call.ID]; is && of.n == l.N {
		of.came = &call
		d.pending[call.ID] = of
		d.settle()
	}
}

// settle has calls made again that the run waits for somebody to decide about, and of which
// something came late: that is then what comes of them.
func (d *driver) settle() {
	for _, wait := range d.State().Calls {
		if wait.For == record.ForDecision && d.pending[wait.Call].came != nil {
			_ = d.tell(record.Redo(wait.Call)) // for which it waits
		}
	}
}

func (d *driver) status() (packed, error) {
	state := d.State()
	s := &Status{Result: state.Result, Idle: d.standing != nil && !d.due}
	if s.Idle {
		s.Result = *d.standing
	}
	if state.Plan != nil {
		s.Goal = state.Plan.Goal
		for _, step := range state.Plan.Steps {
			s.Steps = append(s.Steps, Step{ID: step.ID, Tool: step.Tool, Status: string(step.Status)})
		}
	}
	return pack(s)
}

// drive goes on with the run until it has ended.
func (d *driver) drive() (*record.Result, error) {
	apart, _ := workflow.NewDisconnectedContext(d.ctx)
	for failures := 0; ; {
		if err := workflow.Await(apart, func() bool { return d.due }); err != nil {
			return nil, err
		}
		d.due, d.standing = false, nil
		result, err := d.Execute(context.Background())
		stands := d.State().Result
		switch {
		case err != nil:
			return nil, err
		case !d.full && ended(stands.Status):
			return &stands, nil
		case d.full || !d.room(): // to be told anything
			result.Status, result.Error = record.OverBudget, &record.Error{Kind: "history", Text: "the history of the workflow has no room for more; begin a run for what is left"}
			return result, nil
		case result.Status == record.Interrupted && result.Error.Kind == unknown:
			d.due = true // to find out what is to be done about the call
		case result.Status == record.Interrupted && result.Error.Retry:
			failures++
			if _, err := workflow.AwaitWithTimeout(apart, pause(failures), func() bool { return d.due }); err != nil {
				return nil, err
			}
			d.due = true
		default:
			failures, d.standing = 0, result
			d.settle()
		}
	}
}

// room tells whether the history has room for another effect.
func (d *driver) room() bool {
	info := workflow.GetInfo(d.ctx)
	d.full = info.GetCurrentHistoryLength() > mostEvents || info.GetCurrentHistorySize()+d.reserved > mostBytes || d.told > mostTold
	return !d.full
}

func ended(status string) bool {
	return status == record.Completed || status == record.Failed || status == record.Cancelled
}

// pause is how long a run rests that was interrupted so often, one time after the other,
// by what may pass: the patience with a model is over then.
func pause(failures int) time.Duration { return min(time.Minute<<min(failures, 6), time.Hour) }

// unknown is the code of a call whose outcome is not known.
var unknown = tool.Code(new(tool.UnknownOutcomeError))
