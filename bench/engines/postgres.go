package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/orchestrator"
)

// postgresEngine is adapters/postgres. postgresAhead starts all runs before the workers.
var (
	postgresEngine = engine{name: "PostgreSQL", isAvailable: hasPostgres, create: createDatabase, client: newPostgresClient, work: workOnPostgres, cost: databaseCost}
	postgresAhead  = engine{name: "PostgreSQL, begun before", startFirst: true, isAvailable: hasPostgres, create: createDatabase, client: newPostgresClient, work: workOnPostgres, cost: databaseCost}
)

func hasPostgres(s settings) bool { return s.postgres != "" }

// createDatabase creates a database.
func createDatabase(ctx context.Context, s settings) (place string, remove func(), err error) {
	name := fmt.Sprintf("engines_%d", rand.Uint64())
	if err := execSQL(ctx, s.postgres, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	u, err := url.Parse(s.postgres)
	if err != nil {
		return "", nil, err
	}
	u.Path = "/" + name
	q := u.Query()
	q.Set("pool_max_conns", "12")
	u.RawQuery = q.Encode()
	return u.String(), func() { _ = execSQL(context.WithoutCancel(ctx), s.postgres, "DROP DATABASE "+name+" WITH (FORCE)") }, nil
}

// connectTo opens a single connection, outside a pool.
func connectTo(ctx context.Context, place string) (*pgx.Conn, error) {
	config, err := pgxpool.ParseConfig(place)
	if err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}

// execSQL executes a statement.
func execSQL(ctx context.Context, url, sql string, args ...any) error {
	conn, err := connectTo(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql, args...)
	return err
}

// openDatabase opens a database and an orchestrator that uses it.
func openDatabase(ctx context.Context, place string) (*postgres.DB, *orchestrator.Orchestrator, error) {
	db, err := postgres.Open(ctx, place)
	if err != nil {
		return nil, nil, err
	}
	o, err := newOrchestrator(orchestrator.Journal(db.Journal()))
	return db, o, err
}

func workOnPostgres(ctx context.Context, place string, _ share) error {
	db, o, err := openDatabase(ctx, place)
	if err != nil {
		return err
	}
	defer db.Close()
	e, err := db.Engine(o, postgres.Workers(concurrentRuns))
	if err != nil {
		return err
	}
	return e.Work(ctx)
}

// postgresRuns starts runs on PostgreSQL.
type postgresRuns struct {
	*postgres.Engine
	db    *postgres.DB
	place string
}

func newPostgresClient(ctx context.Context, place string) (client, error) {
	db, o, err := openDatabase(ctx, place)
	if err != nil {
		return nil, err
	}
	e, err := db.Engine(o)
	return postgresRuns{e, db, place}, err
}

func (q postgresRuns) Start(ctx context.Context, i int) error {
	_, err := q.Engine.Start(ctx, newInput(i))
	return err
}

func (q postgresRuns) Wait(ctx context.Context, runs int) error {
	return waitForCompleted(ctx, q.place, runs)
}

func (q postgresRuns) Close() { q.db.Close() }

// waitForCompleted waits until the given number of runs is completed.
func waitForCompleted(ctx context.Context, place string, runs int) error {
	conn, err := connectTo(ctx, place)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for n := 0; ; time.Sleep(20 * time.Millisecond) {
		err := conn.QueryRow(ctx, "SELECT count(*) FROM aion_journal WHERE status = 'completed'").Scan(&n)
		if err != nil || n >= runs {
			return err
		}
	}
}

// databaseCost returns what the database has and what was written, according to the server's statistics.
func databaseCost(ctx context.Context, place string) (c cost, err error) {
	db, err := postgres.Open(ctx, place) // creates the tables
	if err != nil {
		return c, err
	}
	db.Close()
	conn, err := connectTo(ctx, place)
	if err != nil {
		return c, err
	}
	defer conn.Close(ctx)
	var folder string
	err = conn.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM aion_entries),
		(SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class WHERE relkind = 'r' AND relname ~ '^(aion|river)_'),
		(pg_current_wal_lsn() - '0/0')::bigint,
		(SELECT wal_sync FROM pg_stat_wal), (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()), current_setting('data_directory')`).Scan(&c.entries, &c.bytes, &c.written, &c.syncs, &c.commits, &folder)
	if err != nil {
		return c, err
	}
	if f, err := os.Open(filepath.Join(folder, "postmaster.pid")); err == nil { // otherwise the server is on another machine
		defer f.Close()
		if first, err := bufio.NewReader(f).ReadString('\n'); err == nil {
			c.processor = processorTime(parseNumber(strings.TrimSpace(first)))
		}
	}
	return c, nil
}
