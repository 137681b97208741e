package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Work goes on with runs that are due until ctx is done. Then it gives up those that it
// has, so that others go on with them at once, and returns why ctx is done; calls under
// way have the grace that run.Env gives them. It is an error if the database is closed
// before, or if its server only reads, as one that follows another.
func (e *Engine) Work(ctx context.Context) error {
	if reads, err := e.db.onlyReads(ctx); err == nil && reads { // else it is away, and may come back
		return errors.New("postgres: the server only reads, so that no run can be claimed; name the primary in the URL, or all servers and target_session_attrs=read-write")
	}
	w := &worker{Engine: e, cancels: map[*held]context.CancelFunc{}}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	var renewal sync.WaitGroup
	renewal.Go(func() { w.renew(renewing) })
	err := w.work(ctx)
	stop()
	renewal.Wait()
	return err
}

// worker is one call of Work.
type worker struct {
	*Engine

	reaped time.Time // when it last looked for workers that have died

	mu      sync.Mutex
	cancels map[*held]context.CancelFunc
}

// How long a worker waits at least that found fewer runs than it asked for, so that the
// next time there are several; and longer if there was none, so that of many workers some
// have the work.
const (
	breath     = 5 * time.Millisecond
	longBreath = 20 * time.Millisecond
)

// work takes runs and drives them, so many at once.
func (w *worker) work(ctx context.Context) error {
	topics := []topic{{channel: dueChannel}}
	if w.perTenant > 0 {
		topics = append(topics, topic{channel: stoppedChannel}) // one whose run stops may have another
	}
	news, leave := w.db.listen(topics...)
	defer leave()
	var runs sync.WaitGroup
	defer runs.Wait()
	room := make(chan struct{}, w.workers)
	for ctx.Err() == nil {
		asked := w.reserve(ctx, room)
		select {
		case <-news: // of what is claimed now
		default:
		}
		claimed, err := w.claim(ctx, asked)
		for _, h := range claimed {
			driven := w.hold(ctx, h)
			runs.Go(func() { w.drive(driven, h); <-room })
		}
		for range asked - len(claimed) {
			<-room
		}
		if closed(err) {
			return errors.New("postgres: the database is closed")
		}
		if err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "no run can be claimed", "error", err)
		}
		switch {
		case len(claimed) == asked: // there may be more
		case len(claimed) == 0:
			rest(ctx, longBreath, nil)
			rest(ctx, poll, news)
		default:
			rest(ctx, breath, nil)
			if w.perTenant == 0 { // else there may be more, of tenants that were behind
				rest(ctx, poll, news)
			}
		}
	}
	return context.Cause(ctx)
}

// reserve waits for room for a run, and takes half of what there is, for others may have
// some, too. It returns for how many runs that is.
func (w *worker) reserve(ctx context.Context, room chan struct{}) (runs int) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0
	}
	more := (cap(room) - len(room)) / 2
	for range more {
		room <- struct{}{} // nobody else takes any
	}
	return 1 + more
}

// claim takes runs that are due. The end of ctx does not break it off: the server may be
// slow, and a run that it gives to somebody who has left is nobody's until the lease ends.
func (w *worker) claim(ctx context.Context, most int) (runs []*held, err error) {
	if ctx.Err() != nil {
		return nil, nil
	}
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTime)
	defer cancel()
	reaping := time.Since(w.reaped) >= poll
	if reaping {
		w.reaped = time.Now()
	}
	may := func(err error) bool { return untouched(err) && ctx.Err() == nil }
	err = again(patient, may, func() error {
		runs, err = w.db.claim(patient, rand.Text(), w.lease, most, w.perTenant, reaping)
		return err
	})
	return runs, err
}

// hold makes it known that a run is held.
func (w *worker) hold(ctx context.Context, h *held) context.Context {
	ctx, cancel := context.WithCancel(context.WithValue(ctx, newsKey{}, worked{h.owner}))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancels[h] = cancel
	return ctx
}

// leave makes it known that a run is not held any more.
func (w *worker) leave(h *held) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancels[h]()
	delete(w.cancels, h)
}

// renew keeps what the worker holds.
func (w *worker) renew(ctx context.Context) {
	tick := time.NewTicker(w.lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := w.renewOnce(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "leases cannot be renewed", "error", err)
		}
	}
}

// renewOnce keeps what the worker holds, and interrupts what it has lost. A connection on
// which nothing comes is given up, so that there is time for another.
func (w *worker) renewOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.lease/3)
	defer cancel()
	w.mu.Lock()
	before := maps.Clone(w.cancels)
	w.mu.Unlock()
	lost, err := w.db.renew(ctx, slices.Collect(maps.Keys(before)), w.lease)
	if err != nil {
		return err
	}
	for _, h := range lost {
		before[h]()
	}
	return nil
}

// drive goes on with a run, and gives it up.
func (w *worker) drive(ctx context.Context, h *held) {
	o := w.execute(ctx, h)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTime)
	defer cancel()
	err := w.db.release(ctx, h, o) // renewed until then
	w.leave(h)
	if err != nil { // its lease will end
		w.log.WarnContext(ctx, "a run cannot be given up", "run", h.run, "error", err)
	}
}

// execute goes on with a run as far as that goes.
func (w *worker) execute(ctx context.Context, h *held) outcome {
	r, err := w.o.Open(ctx, h.run)
	var result *record.Result
	if err == nil {
		err = logError(h.run, w.forgive(ctx, h, r))
	}
	if err == nil {
		result, err = w.further(ctx, r)
	}
	switch {
	case err == nil:
		return after(ctx, result)
	case ctx.Err() != nil:
		return outcome{again: true}
	}
	w.log.WarnContext(ctx, "a run cannot go on", "run", h.run, "error", err)
	o := outcome{failed: true}
	if !passes(err) {
		o.error = err.Error() // a worker of another version may not think so
	}
	return o
}

// forgive forgets failures after which the run has got further: one that fails rarely, in
// a long life, is not one that fails.
func (w *worker) forgive(ctx context.Context, h *held, r *orchestrator.Run) error {
	if h.failures == 0 {
		return nil
	}
	used := r.State().Usage
	done := used.ModelCalls + used.ToolCalls
	if done <= h.done {
		return nil
	}
	return w.db.progress(ctx, h, done)
}

// further goes on with a run. A model, or whoever is told of events, that panics would take
// the worker down, and each that goes on with the run after it: so the run is interrupted.
func (w *worker) further(ctx context.Context, r *orchestrator.Run) (result *record.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.log.ErrorContext(ctx, "a run panicked", "run", r.ID(), "value", p, "stack", string(debug.Stack()))
			result = &record.Result{Status: record.Interrupted, Error: &record.Error{Kind: "panic", Text: fmt.Sprintf("the run panicked: %v", p)}}
		}
	}()
	return r.Execute(ctx)
}

// passes tells whether what keeps a worker from going on with a run does: such as another
// one that had lost the run before it began with it, and will find that out.
func passes(err error) bool {
	if _, ok := errors.AsType[*record.TakenOver](err); ok {
		return true
	}
	var may interface{ Retryable() bool }
	return errors.As(err, &may) && may.Retryable()
}

// after tells how a run is left that stands as it does.
func after(ctx context.Context, result *record.Result) outcome {
	switch result.Status {
	case record.Completed, record.Failed, record.Cancelled:
		return outcome{ended: true}
	case record.Interrupted:
		switch {
		case ctx.Err() != nil:
			return outcome{again: true}
		case result.Error != nil && !result.Error.Retry:
			return outcome{error: result.Error.Error()}
		}
		return outcome{failed: true}
	}
	return outcome{}
}
