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
	"github.com/aiongen/aiongen/runtime/run/record"
)

// rivers is a prototype: River wakes workers up, and who is alive is a row beside it, for
// River takes nobody's job over within half a minute. Its tables are River's own and one
// for leases; the journal is that of adapters/postgres.
var (
	rivers      = engine{name: "River", there: hasPostgres, fresh: riverDatabase, client: riverClient, work: riverWork, cost: databaseCost}
	riversAhead = engine{name: "River, begun before", ahead: true, there: hasPostgres, fresh: riverDatabase, client: riverClient, work: riverWork, cost: databaseCost}
)

// wake is the job that has a worker go on with a run.
type wake struct {
	Run string `json:"run"`
}

// Kind is [river.JobArgs]'s.
func (wake) Kind() string { return "wake" }

func riverDatabase(ctx context.Context, s settings) (place string, remove func(), err error) {
	if place, remove, err = database(ctx, s); err != nil {
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

// waking begins runs on River.
type waking struct {
	*river.Client[pgx.Tx]
	o     *orchestrator.Orchestrator
	pool  *pgxpool.Pool
	place string
	close func()
}

func riverClient(ctx context.Context, place string) (client, error) {
	db, o, err := open(ctx, place)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, place)
	if err != nil {
		return nil, err
	}
	c, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	return waking{c, o, pool, place, func() { pool.Close(); db.Close() }}, err
}

// Start begins a run and makes the job, which takes two transactions where River is not
// given that of the journal.
func (w waking) Start(ctx context.Context, i int) error {
	r, err := w.o.Start(ctx, input(i))
	if err != nil {
		return err
	}
	_, err = w.Insert(ctx, wake{r.ID()}, nil)
	return err
}

func (w waking) Wait(ctx context.Context, runs int) error { return completed(ctx, w.place, runs) }

func (w waking) Close() { w.close() }

// waker drives runs.
type waker struct {
	river.WorkerDefaults[wake]
	name string
	o    *orchestrator.Orchestrator
	pool *pgxpool.Pool
}

const lease = `INSERT INTO river_lease (run, owner, until) VALUES ($1, $2, now() + '30 s')
	ON CONFLICT (run) DO UPDATE SET owner = $2, until = now() + '30 s' WHERE river_lease.until < now() RETURNING run`

// Work is [river.Worker]'s.
func (w *waker) Work(ctx context.Context, job *river.Job[wake]) error {
	var run string
	if err := w.pool.QueryRow(ctx, lease, job.Args.Run, w.name).Scan(&run); err != nil {
		return err // somebody else holds it: River tries again
	}
	r, err := w.o.Open(ctx, run)
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	if err != nil {
		return err
	}
	if result.Status != record.Completed {
		return fmt.Errorf("run %s is %s: %w", run, result.Status, result.Error)
	}
	_, err = w.pool.Exec(ctx, "DELETE FROM river_lease WHERE run = $1 AND owner = $2", run, w.name)
	return err
}

func riverWork(ctx context.Context, place string, _ share) error {
	db, o, err := open(ctx, place)
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
	river.AddWorker(workers, &waker{name: rand.Text(), o: o, pool: pool})
	c, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: atOnce}},
		FetchCooldown: time.Millisecond, FetchPollInterval: 100 * time.Millisecond, // without them, 80 runs a second and worker
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
