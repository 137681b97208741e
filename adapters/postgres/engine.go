package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// Engine starts runs and lets workers, in any number of processes, execute them. Programs that
// only start runs and answer their questions need an Engine too, with an orchestrator that has
// the tools of the workers. Create an Engine with [DB.Engine]. It is safe for concurrent use.
//
// An Engine executes runs that [Engine.Start] has started, and processes signals that [Engine.Send]
// has sent. If a program starts a run by calling the orchestrator directly, workers execute the run
// only after its first Send or [Engine.Wake], without a tenant and with priority 0. A run that
// waits or has ended occupies no worker. After a transient interruption, a run is retried in one
// second, then in two, four and so on up to ten minutes. A run whose worker died is retried when
// its lease has expired, and after the same delays if further workers die. Progress of the run
// resets the delay.
//
// Workers are notified of runs by LISTEN, on a connection in addition to the pool, and also poll
// once a second. Behind a pooler that shares connections between transactions they only poll, and
// the URL needs default_query_exec_mode=exec.
type Engine struct {
	db           *DB
	orchestrator *orchestrator.Orchestrator
	lease        time.Duration
	workers      int
	limited      bool
	perTenant    int // 0 if there is no limit
	tenant       string
	priority     func(orchestrator.Input) int32
	log          *slog.Logger
}

// Option configures an [Engine].
type Option func(*Engine)

// Lease sets how long a worker may be silent before others take its runs. A worker renews its
// leases three times in that period. The default is 30 s. Only the clock of the server is used. A
// worker that lost its lease but is still alive starts nothing new: the journal prevents that.
func Lease(d time.Duration) Option { return func(e *Engine) { e.lease = d } }

// Workers sets how many runs [Engine.Work] executes at once. The default is 8.
func Workers(n int) Option { return func(e *Engine) { e.workers = n } }

// PerTenant limits how many runs of one tenant all workers with this option execute at once. The
// tenant of a run is the value of key in the Meta of its [orchestrator.Input]. Runs without that
// key share one tenant.
func PerTenant(key string, n int) Option {
	return func(e *Engine) { e.tenant, e.perTenant, e.limited = key, n, true }
}

// Priority sets a function that returns the priority of a new run. Due runs with a higher number are
// executed first, even if other runs have been due for longer. The default is 0. Among runs of the
// same priority, the one that has been due for longest is first.
func Priority(f func(orchestrator.Input) int32) Option {
	return func(e *Engine) { e.priority = f }
}

// Log sets the logger of the workers. The default is slog.Default.
func Log(l *slog.Logger) Option { return func(e *Engine) { e.log = l } }

// Engine returns an engine for the runs of an orchestrator. It returns an error if the journal of the
// orchestrator is not that of the database, or if an option has an invalid value.
func (db *DB) Engine(o *orchestrator.Orchestrator, options ...Option) (*Engine, error) {
	e := &Engine{db: db, orchestrator: o, lease: 30 * time.Second, workers: 8, log: slog.Default()}
	e.priority = func(orchestrator.Input) int32 { return 0 }
	for _, option := range options {
		option(e)
	}
	switch {
	case e.lease < time.Millisecond:
		return nil, errors.New("postgres: Lease needs at least a millisecond")
	case e.workers < 1:
		return nil, errors.New("postgres: Workers must be at least 1")
	case e.limited && e.perTenant < 1:
		return nil, errors.New("postgres: PerTenant must allow at least 1 run; leave PerTenant out to have no limit")
	case e.limited && e.tenant == "":
		return nil, errors.New("postgres: PerTenant needs a key of an input's Meta")
	case e.priority == nil:
		return nil, errors.New("postgres: the function of Priority is nil; leave Priority out to give all runs the same priority")
	case e.log == nil:
		return nil, errors.New("postgres: the logger of Log is nil; leave Log out for slog.Default, or pass slog.New(slog.DiscardHandler)")
	case o == nil:
		return nil, errors.New("postgres: the orchestrator is nil")
	case !e.usesDatabase():
		return nil, errors.New("postgres: the orchestrator has another journal than that of the database; create it with orchestrator.Journal(db.Journal())")
	}
	return e, nil
}

// usesDatabase reports whether the orchestrator's journal is that of the database. It opens a run
// with a probe in the context: the journal of a DB then stores the DB in the probe.
func (e *Engine) usesDatabase() bool {
	var p probe
	_, err := e.orchestrator.Open(context.WithValue(context.Background(), probeKey{}, &p), "aiongen probe")
	return err != nil && p.db == e.db
}

// If the context of a read has a probe, the journal stores its database in the probe and reads
// nothing.
type (
	probe    struct{ db *DB }
	probeKey struct{}
)

// recordProbe stores db in the probe of ctx and reports whether there is one.
func (db *DB) recordProbe(ctx context.Context) bool {
	p, ok := ctx.Value(probeKey{}).(*probe)
	if ok {
		p.db = db
	}
	return ok
}

// Start starts a run, which is due at once. The error is that of
// [orchestrator.Orchestrator.Start].
func (e *Engine) Start(ctx context.Context, in orchestrator.Input) (id string, err error) {
	r, err := e.orchestrator.Start(e.withStarted(ctx, in), in)
	if err != nil {
		return "", err
	}
	return r.ID(), nil
}

// Fork starts a run with a copy of the entries of another run before the given one. The new run is
// due at once. The error is that of [orchestrator.Orchestrator.Fork].
func (e *Engine) Fork(ctx context.Context, id string, entry int) (newID string, err error) {
	r, err := e.orchestrator.Open(ctx, id)
	if err != nil {
		return "", err
	}
	r, err = e.orchestrator.Fork(e.withStarted(ctx, r.Input()), id, entry)
	if err != nil {
		return "", err
	}
	return r.ID(), nil
}

// withStarted returns a context for appends that start a run.
func (e *Engine) withStarted(ctx context.Context, in orchestrator.Input) context.Context {
	change := runStarted{priority: e.priority(in)}
	if e.tenant != "" {
		change.tenant = in.Meta[e.tenant]
	}
	return context.WithValue(ctx, queueChangeKey{}, change)
}

// Send sends a signal to a run and lets a worker continue it. The error is that of
// [orchestrator.Run.Send].
func (e *Engine) Send(ctx context.Context, id string, s run.Signal) error {
	r, err := e.orchestrator.Open(ctx, id)
	if err != nil {
		return err
	}
	return r.Send(context.WithValue(ctx, queueChangeKey{}, runSignaled{}), s)
}

// pollInterval is how often waiting goroutines check the database in case they missed a
// notification.
const pollInterval = time.Second

// Result waits until workers have nothing more to do for a run, and returns its result: the run
// has ended, waits, has exceeded a limit, or was interrupted and cannot be retried. Result returns
// only after workers have processed all signals that were sent before. Without workers, Result
// waits until ctx is done. The error is a *journal.NotFoundError if the run does not exist.
func (e *Engine) Result(ctx context.Context, id string) (*run.Result, error) {
	news, leave := e.db.subscribe(topic{stoppedChannel, id})
	defer leave()
	for {
		stopped, why, err := e.db.isStopped(ctx, id)
		if err != nil {
			return nil, journalError(id, err)
		}
		if stopped {
			r, err := e.orchestrator.Open(ctx, id)
			if err != nil {
				return nil, err
			}
			result := r.State().Result
			if result.Status == run.Running && why != "" { // the worker could not write the reason into the journal
				result.Status, result.Error = run.Interrupted, run.NewError(errors.New(why))
			}
			return &result, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-news:
		case <-time.After(pollInterval):
		}
	}
}

// Wake lets a worker continue a run that was interrupted for a reason that no longer exists, such
// as an invalid API key. A run that waits for an answer keeps waiting. The error is a
// *journal.NotFoundError if the run does not exist or has ended.
func (e *Engine) Wake(ctx context.Context, id string) error {
	exists, err := e.db.wakeRun(ctx, id)
	if err == nil && !exists {
		err = &journal.NotFoundError{Run: id}
	}
	return journalError(id, err)
}
