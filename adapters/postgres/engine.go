package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Engine has workers, in whichever processes, go on with runs. Who only starts runs and
// answers them needs one too, with an orchestrator whose tools are those of the workers.
// It is made by [DB.Engine], and safe for concurrent use.
//
// It drives runs that [Engine.Start] began, and takes what [Engine.Send] tells them; of
// what is begun or sent past it, only the journal knows. Such a run is driven from its
// first Send or [Engine.Wake] on, of no tenant and with priority 0. A run that waits, or has ended,
// holds no worker. One that was interrupted by what passes is gone on with after a second,
// then two, four and so on up to ten minutes; as is one whose workers die, after the first.
// What went wrong before a run got further does not count.
//
// Workers hear of runs by LISTEN, on a connection of their own beside the pool, and look
// once a second; where a pooler stands in between that shares connections by transaction,
// only the latter, and default_query_exec_mode=exec has to be in the URL.
type Engine struct {
	db        *DB
	o         *orchestrator.Orchestrator
	lease     time.Duration
	workers   int
	limited   bool
	perTenant int // 0 if it is not limited
	tenant    string
	priority  func(orchestrator.Input) int32
	log       *slog.Logger
}

// Option sets up an [Engine].
type Option func(*Engine)

// Lease says how long a worker may not be heard of until others take its runs; it is
// heard of three times in that. Without it, 30 s. All times are those of the server. A
// worker that is taken for dead and is not begins nothing more: the journal sees to that.
func Lease(d time.Duration) Option { return func(e *Engine) { e.lease = d } }

// Workers says how many runs [Engine.Work] goes on with at once. Without it, 8.
func Workers(n int) Option { return func(e *Engine) { e.workers = n } }

// PerTenant says how many runs of one tenant are gone on with at once, by all workers
// that are told so, and under which key of the Meta of [orchestrator.Input] the tenant
// is. Runs without one are of one tenant.
func PerTenant(key string, n int) Option {
	return func(e *Engine) { e.tenant, e.perTenant, e.limited = key, n, true }
}

// Priority says which of the runs that are due are gone on with first: those with the
// larger number, however long others wait. Without it all have 0. Of those that are alike
// the one that is due for longest is first.
func Priority(f func(orchestrator.Input) int32) Option {
	return func(e *Engine) { e.priority = f }
}

// Log says where a worker tells of what went wrong. Without it, slog.Default.
func Log(l *slog.Logger) Option { return func(e *Engine) { e.log = l } }

// Engine returns an engine of the runs of an orchestrator. The error is that its journal
// is not that of the database, so that nobody would hear of its runs, or that an option
// makes no sense.
func (db *DB) Engine(o *orchestrator.Orchestrator, options ...Option) (*Engine, error) {
	e := &Engine{db: db, o: o, lease: 30 * time.Second, workers: 8, log: slog.Default()}
	e.priority = func(orchestrator.Input) int32 { return 0 }
	for _, option := range options {
		option(e)
	}
	switch {
	case e.lease < time.Millisecond:
		return nil, errors.New("postgres: a lease of less than a millisecond cannot be kept")
	case e.workers < 1:
		return nil, errors.New("postgres: a worker that goes on with no run at once does nothing")
	case e.limited && e.perTenant < 1:
		return nil, errors.New("postgres: of a tenant that may have no run at once none is ever gone on with; leave PerTenant out to have no limit")
	case e.limited && e.tenant == "":
		return nil, errors.New("postgres: PerTenant needs the key of the Meta of an input under which the tenant is")
	case e.priority == nil:
		return nil, errors.New("postgres: the function of Priority is nil; leave Priority out to have all alike")
	case e.log == nil:
		return nil, errors.New("postgres: the logger of Log is nil; leave Log out for slog.Default, or give it slog.New(slog.DiscardHandler)")
	case o == nil:
		return nil, errors.New("postgres: an engine needs an orchestrator, this one is nil")
	case !e.keeps():
		return nil, errors.New("postgres: the journal of the orchestrator is not that of the database; make it with orchestrator.Journal(db.Journal())")
	}
	return e, nil
}

// keeps tells whether the orchestrator keeps its runs in the database, by looking for
// one.
func (e *Engine) keeps() bool {
	var looked probe
	_, err := e.o.Open(context.WithValue(context.Background(), probeKey{}, &looked), "aiongen probe")
	return err != nil && looked.db == e.db
}

// probe learns which database was asked for a run; nothing is read for it.
type (
	probe    struct{ db *DB }
	probeKey struct{}
)

// probed tells whether somebody only wants to know who is asked.
func (db *DB) probed(ctx context.Context) bool {
	p, ok := ctx.Value(probeKey{}).(*probe)
	if ok {
		p.db = db
	}
	return ok
}

// Start begins a run, which is due at once. The error is that of
// [orchestrator.Orchestrator.Start].
func (e *Engine) Start(ctx context.Context, in orchestrator.Input) (id string, err error) {
	news := begun{priority: e.priority(in)}
	if e.tenant != "" {
		news.tenant = in.Meta[e.tenant]
	}
	r, err := e.o.Start(context.WithValue(ctx, newsKey{}, news), in)
	if err != nil {
		return "", err
	}
	return r.ID(), nil
}

// Send tells a run something, and has a worker go on with it. The error is that of
// [orchestrator.Run.Send].
func (e *Engine) Send(ctx context.Context, id string, s record.Signal) error {
	r, err := e.o.Open(ctx, id)
	if err != nil {
		return err
	}
	return r.Send(context.WithValue(ctx, newsKey{}, signalled{}), s)
}

// poll is how often somebody looks who may have missed a notification.
const poll = time.Second

// Result returns where a run stands once no worker has anything to do with it: it has
// ended, waits, is beyond a limit, or was interrupted by what does not pass by itself.
// Without workers it waits until ctx is done. What was sent before is taken in. The
// error is a *journal.Gone if there is no such run.
func (e *Engine) Result(ctx context.Context, id string) (*record.Result, error) {
	news, leave := e.db.listen(topic{stoppedChannel, id})
	defer leave()
	for {
		stopped, why, err := e.db.stopped(ctx, id)
		if err != nil {
			return nil, logError(id, err)
		}
		if stopped {
			r, err := e.o.Open(ctx, id)
			if err != nil {
				return nil, err
			}
			result := r.State().Result
			if result.Status == record.Running && why != "" { // the worker wrote nothing of it
				result.Status, result.Error = record.Interrupted, record.NewError(errors.New(why))
			}
			return &result, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-news:
		case <-time.After(poll):
		}
	}
}

// Wake has a worker go on with a run that was interrupted by what has passed meanwhile,
// such as a key that was not valid. One that waits, waits on. The error is a
// *journal.Gone if there is no such run, or it has ended.
func (e *Engine) Wake(ctx context.Context, id string) error {
	there, err := e.db.wake(ctx, id)
	if err == nil && !there {
		err = &journal.Gone{Run: id}
	}
	return logError(id, err)
}
