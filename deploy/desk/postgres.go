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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// onPostgres has runs and tickets in a database.
var onPostgres = desk.Place{
	Flag: "postgres", Usage: "have workers drive runs in the PostgreSQL at a `URL`, which has the tickets, too",
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
			Engine: func(model llm.Model, tools *tool.Registry, events ...func(context.Context, record.Event)) (desk.Engine, error) {
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

// turn is the advisory lock of who works on tickets.
const turn = 0x6465736b // "desk"

// inTurn has processes take turns at the tickets in a store.
func inTurn(pool *pgxpool.Pool, store memory.Store) tools.Enter {
	return func(ctx context.Context) (memory.Store, func(), error) {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return nil, nil, err
		}
		leave := func() { _ = tx.Rollback(context.WithoutCancel(ctx)) } // which lets the next one in
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", turn); err != nil {
			leave()
			return nil, nil, err
		}
		return store, leave, nil
	}
}
