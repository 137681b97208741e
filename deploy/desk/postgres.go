package main

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/example/desk"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// onPostgres stores runs and tickets in a database.
var onPostgres = desk.Place{
	Flag: "postgres", Usage: "let workers execute runs with the PostgreSQL database at a `URL`, which also stores the tickets",
	Open: func(ctx context.Context, url string) (*desk.Opened, error) {
		db, err := postgres.Open(ctx, url)
		if err != nil {
			return nil, err
		}
		turns, err := pgxpool.New(ctx, url)
		if err != nil {
			db.Close()
			return nil, err
		}
		return &desk.Opened{
			Journal: db.Journal(),
			Tickets: inTurn(turns, db.Store()),
			Engine: func(model llm.Model, tools *tool.Registry, events ...func(context.Context, run.Event)) (desk.Engine, error) {
				options := []orchestrator.Option{orchestrator.Journal(db.Journal())}
				for _, f := range events {
					options = append(options, orchestrator.Events(f))
				}
				o, err := orchestrator.New(model, tools, options...)
				if err != nil {
					return nil, err
				}
				return db.Engine(o)
			},
			Close: func() { turns.Close(); db.Close() },
		}, nil
	},
}

// turn is the advisory lock for the tickets.
const turn = 0x6465736b // "desk"

// inTurn gives one process at a time access to the tickets in a store.
func inTurn(pool *pgxpool.Pool, store memory.Store) tools.Enter {
	return func(ctx context.Context) (memory.Store, func(), error) {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return nil, nil, err
		}
		leave := func() { _ = tx.Rollback(context.WithoutCancel(ctx)) } // releases the lock
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", turn); err != nil {
			leave()
			return nil, nil, err
		}
		return store, leave, nil
	}
}
