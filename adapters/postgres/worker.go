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
	"github.com/aiongen/aiongen/runtime/run"
)

// Work executes due runs until ctx is done. Then it releases its runs, so that other workers
// continue them at once, and returns the cause of ctx. Before that, calls in progress get the grace
// period of run.Env. Work returns an error if the database is closed, or if its server is read-only,
// as a replica is.
func (e *Engine) Work(ctx context.Context) error {
	if readOnly, err := e.db.isReadOnly(ctx); err == nil && readOnly { // if err != nil, the server may come back
		return errors.New("postgres: the server is read-only, so workers cannot claim runs; name the primary in the URL, or all servers and target_session_attrs=read-write")
	}
	w := &worker{Engine: e, cancels: map[*claimedRun]context.CancelFunc{}}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	var renewal sync.WaitGroup
	renewal.Go(func() { w.renewUntilDone(renewing) })
	err := w.driveRuns(ctx)
	stop()
	renewal.Wait()
	return err
}

// worker is the state of one call of Work.
type worker struct {
	*Engine

	lastReaped time.Time // when it last looked for dead workers

	mu      sync.Mutex
	cancels map[*claimedRun]context.CancelFunc
}

// Minimum times between claims. After a claim that returned fewer runs than requested, the worker
// waits shortBreak, so that the next claim returns several runs. After an empty claim it waits
// longBreak. If there are many workers, the few that are busy therefore also get the next runs.
const (
	shortBreak = 5 * time.Millisecond
	longBreak  = 20 * time.Millisecond
)

// driveRuns claims runs and executes them until ctx is done, at most w.workers at once.
func (w *worker) driveRuns(ctx context.Context) error {
	topics := []topic{{channel: dueChannel}}
	if w.perTenant > 0 {
		topics = append(topics, topic{channel: stoppedChannel}) // when a run stops, another run of its tenant may be executed
	}
	news, leave := w.db.subscribe(topics...)
	defer leave()
	var runs sync.WaitGroup
	defer runs.Wait()
	room := make(chan struct{}, w.workers)
	for ctx.Err() == nil {
		slots := w.reserveSlots(ctx, room)
		select {
		case <-news: // this claim covers the notification
		default:
		}
		claimed, err := w.claimRuns(ctx, slots)
		for _, c := range claimed {
			runCtx := w.addRun(ctx, c)
			runs.Go(func() { w.driveRun(runCtx, c); <-room })
		}
		for range slots - len(claimed) {
			<-room
		}
		if isClosed(err) {
			return errors.New("postgres: the database was closed")
		}
		if err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "cannot claim runs", "error", err)
		}
		switch {
		case len(claimed) == slots: // there may be more
		case len(claimed) == 0:
			waitForNews(ctx, longBreak, nil)
			waitForNews(ctx, pollInterval, news)
		default:
			waitForNews(ctx, shortBreak, nil)
			if w.perTenant == 0 { // with a limit, other tenants may have due runs further down the queue
				waitForNews(ctx, pollInterval, news)
			}
		}
	}
	return context.Cause(ctx)
}

// reserveSlots waits for a free slot in room and takes it, and half of the other free slots: other
// workers may have free slots too. It returns how many it took.
func (w *worker) reserveSlots(ctx context.Context, room chan struct{}) (runs int) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0
	}
	more := (cap(room) - len(room)) / 2
	for range more {
		room <- struct{}{} // does not block: only this goroutine takes slots
	}
	return 1 + more
}

// claimRuns claims up to limit runs that are due. Canceling ctx does not interrupt the statement:
// otherwise, a slow server might assign runs to a worker that no longer waits for them, and nobody
// would execute them until the lease expires.
func (w *worker) claimRuns(ctx context.Context, limit int) (runs []*claimedRun, err error) {
	if ctx.Err() != nil {
		return nil, nil
	}
	claimCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTimeout)
	defer cancel()
	reaping := time.Since(w.lastReaped) >= pollInterval
	if reaping {
		w.lastReaped = time.Now()
	}
	mayRetry := func(err error) bool { return isUnapplied(err) && ctx.Err() == nil }
	err = retryWhile(claimCtx, mayRetry, func() error {
		runs, err = w.db.claimRuns(claimCtx, rand.Text(), w.lease, limit, w.perTenant, reaping)
		return err
	})
	return runs, err
}

// addRun registers a run for renewal of its lease and returns the context for executing it.
func (w *worker) addRun(ctx context.Context, h *claimedRun) context.Context {
	ctx, cancel := context.WithCancel(context.WithValue(ctx, queueChangeKey{}, workerAppended{h.owner}))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancels[h] = cancel
	return ctx
}

// removeRun cancels the context of a run and stops renewing its lease.
func (w *worker) removeRun(h *claimedRun) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancels[h]()
	delete(w.cancels, h)
}

// renewUntilDone renews the leases of the worker's runs until ctx is done.
func (w *worker) renewUntilDone(ctx context.Context) {
	tick := time.NewTicker(w.lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := w.renewLeases(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "cannot renew leases", "error", err)
		}
	}
}

// renewLeases renews the leases of the worker's runs and cancels the runs it has lost. The timeout
// leaves time for another attempt if the connection hangs.
func (w *worker) renewLeases(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.lease/3)
	defer cancel()
	w.mu.Lock()
	before := maps.Clone(w.cancels)
	w.mu.Unlock()
	lost, err := w.db.renewLeases(ctx, slices.Collect(maps.Keys(before)), w.lease)
	if err != nil {
		return err
	}
	for _, h := range lost {
		before[h]()
	}
	return nil
}

// driveRun executes a run and releases it.
func (w *worker) driveRun(ctx context.Context, h *claimedRun) {
	o := w.executeRun(ctx, h)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTimeout)
	defer cancel()
	err := w.db.releaseRun(ctx, h, o) // before removeRun, so that the lease is renewed until then
	w.removeRun(h)
	if err != nil { // the run is free once its lease expires
		w.log.WarnContext(ctx, "cannot release a run", "run", h.run, "error", err)
	}
}

// executeRun executes a run and returns how to leave it in the queue.
func (w *worker) executeRun(ctx context.Context, h *claimedRun) outcome {
	r, err := w.orchestrator.Open(ctx, h.run)
	var result *run.Result
	if err == nil {
		err = journalError(h.run, w.resetFailures(ctx, h, r))
	}
	if err == nil {
		result, err = w.recoverPanics(ctx, r)
	}
	switch {
	case err == nil:
		return runOutcome(ctx, result)
	case ctx.Err() != nil:
		return outcome{dueNow: true}
	}
	w.log.WarnContext(ctx, "cannot execute a run", "run", h.run, "error", err)
	o := outcome{failed: true}
	if !isRetryable(err) {
		o.error = err.Error() // the run stays due: a worker of another version may be able to execute it
	}
	return o
}

// resetFailures clears the failure count of a run that has made progress since, so that rare
// failures in a long run do not add up.
func (w *worker) resetFailures(ctx context.Context, h *claimedRun, r *orchestrator.Run) error {
	if h.failures == 0 {
		return nil
	}
	used := r.State().Usage
	done := used.ModelCalls + used.ToolCalls
	if done <= h.progress {
		return nil
	}
	return w.db.resetFailures(ctx, h, done)
}

// recoverPanics executes a run. If the model or the callback for events panics, the run is interrupted.
// Otherwise the panic would end this process, and then each process that takes over the run.
func (w *worker) recoverPanics(ctx context.Context, r *orchestrator.Run) (result *run.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.log.ErrorContext(ctx, "a run panicked", "run", r.ID(), "value", p, "stack", string(debug.Stack()))
			result = &run.Result{Status: run.Interrupted, Error: &run.Error{Kind: "panic", Text: fmt.Sprintf("the run panicked: %v", p)}}
		}
	}()
	return r.Execute(ctx)
}

// isRetryable reports whether executing the run may succeed later, for example because another
// worker, which had lost the run, appended to its journal.
func isRetryable(err error) bool {
	if _, ok := errors.AsType[*run.TakenOverError](err); ok {
		return true
	}
	var retryable interface{ Retryable() bool }
	return errors.As(err, &retryable) && retryable.Retryable()
}

// runOutcome returns how to leave a run with this result in the queue.
func runOutcome(ctx context.Context, result *run.Result) outcome {
	switch result.Status {
	case run.Completed, run.Failed, run.Cancelled:
		return outcome{ended: true}
	case run.Interrupted:
		switch {
		case ctx.Err() != nil:
			return outcome{dueNow: true}
		case result.Error != nil && !result.Error.Retry:
			return outcome{error: result.Error.Error()}
		}
		return outcome{failed: true}
	}
	return outcome{}
}
