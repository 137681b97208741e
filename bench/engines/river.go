package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	river "github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// riverEngine is a prototype in which River wakes workers. An additional table of leases records which
// workers are alive, because River takes half a minute to assign the job of a dead worker to another one. The
// journal is that of adapters/postgres.
var (
	riverEngine = engine{name: "River", isAvailable: hasPostgres, create: createRiverDatabase, client: newRiverClient, work: workOnRiver, cost: databaseCost}
	riverAhead  = engine{name: "River, begun before", startFirst: true, isAvailable: hasPostgres, create: createRiverDatabase, client: newRiverClient, work: workOnRiver, cost: databaseCost}
)

// wakeJob is the job that makes a worker continue a run.
type wakeJob struct {
	Run string `json:"run"`
}

// Kind implements [river.JobArgs].
func (wakeJob) Kind() string { return "wake" }

func createRiverDatabase(ctx context.Context, s settings) (place string, remove func(), err error) {
	if place, remove, err = createDatabase(ctx, s); err != nil {
		return place, remove, err
	}
	pool, err := pgxpool.New(ctx, place)
	if err != nil {
		return place, remove, err
	}
	defer pool.Close()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return place, remove, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return place, remove, err
	}
	_, err = pool.Exec(ctx, "CREATE TABLE river_lease (run text PRIMARY KEY, owner text NOT NULL, until timestamptz NOT NULL)")
	return place, remove, err
}

// riverRuns starts runs on River.
type riverRuns struct {
	*river.Client[pgx.Tx]
	o     *orchestrator.Orchestrator
	pool  *pgxpool.Pool
	place string
	close func()
}

func newRiverClient(ctx context.Context, place string) (client, error) {
	db, o, err := openDatabase(ctx, place)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, place)
	if err != nil {
		return nil, err
	}
	c, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	return riverRuns{c, o, pool, place, func() { pool.Close(); db.Close() }}, err
}

// Start starts a run and inserts the job, in two transactions, because River does not get the transaction of
// the journal.
func (w riverRuns) Start(ctx context.Context, i int) error {
	r, err := w.o.Start(ctx, newInput(i))
	if err != nil {
		return err
	}
	_, err = w.Insert(ctx, wakeJob{r.ID()}, nil)
	return err
}

func (w riverRuns) Wait(ctx context.Context, runs int) error {
	return waitForCompleted(ctx, w.place, runs)
}

func (w riverRuns) Close() { w.close() }

// riverWorker executes runs.
type riverWorker struct {
	river.WorkerDefaults[wakeJob]
	name string
	o    *orchestrator.Orchestrator
	pool *pgxpool.Pool
}

const claimSQL = `INSERT INTO river_lease (run, owner, until) VALUES ($1, $2, now() + '30 s')
	ON CONFLICT (run) DO UPDATE SET owner = $2, until = now() + '30 s' WHERE river_lease.until < now() RETURNING run`

// Work implements [river.Worker].
func (w *riverWorker) Work(ctx context.Context, job *river.Job[wakeJob]) error {
	var runID string
	if err := w.pool.QueryRow(ctx, claimSQL, job.Args.Run, w.name).Scan(&runID); err != nil {
		return err // another worker holds the run: River tries again
	}
	r, err := w.o.Open(ctx, runID)
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	if err != nil {
		return err
	}
	if result.Status != run.Completed {
		return fmt.Errorf("run %s is %s: %w", runID, result.Status, result.Error)
	}
	_, err = w.pool.Exec(ctx, "DELETE FROM river_lease WHERE run = $1 AND owner = $2", runID, w.name)
	return err
}

func workOnRiver(ctx context.Context, place string, _ share) error {
	db, o, err := openDatabase(ctx, place)
	if err != nil {
		return err
	}
	defer db.Close()
	pool, err := pgxpool.New(ctx, place)
	if err != nil {
		return err
	}
	defer pool.Close()
	workers := river.NewWorkers()
	river.AddWorker(workers, &riverWorker{name: rand.Text(), o: o, pool: pool})
	c, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: concurrentRuns}},
		FetchCooldown: time.Millisecond, FetchPollInterval: 100 * time.Millisecond, // with the defaults, a worker executes only 80 runs a second
		JobTimeout: -1,
	})
	if err != nil {
		return err
	}
	if err := c.Start(ctx); err != nil {
		return err
	}
	<-ctx.Done()
	<-c.Stopped()
	return nil
}
