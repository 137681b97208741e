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

// queue is adapters/postgres: runs are begun while workers drive them, or ahead of that.
var (
	queue      = engine{name: "PostgreSQL", there: hasPostgres, fresh: database, client: queueClient, work: queueWork, cost: databaseCost}
	queueAhead = engine{name: "PostgreSQL, begun before", ahead: true, there: hasPostgres, fresh: database, client: queueClient, work: queueWork, cost: databaseCost}
)

func hasPostgres(s settings) bool { return s.postgres != "" }

// database makes a database.
func database(ctx context.Context, s settings) (place string, remove func(), err error) {
	name := fmt.Sprintf("engines_%d", rand.Uint64())
	if err := command(ctx, s.postgres, "CREATE DATABASE "+name); err != nil {
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
	return u.String(), func() { _ = command(context.WithoutCancel(ctx), s.postgres, "DROP DATABASE "+name+" WITH (FORCE)") }, nil
}

// connect opens one connection to a place of a pool.
func connect(ctx context.Context, place string) (*pgx.Conn, error) {
	config, err := pgxpool.ParseConfig(place)
	if err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}

// command has a server carry something out.
func command(ctx context.Context, url, sql string, args ...any) error {
	conn, err := connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql, args...)
	return err
}

// open returns a database, and an orchestrator on it.
func open(ctx context.Context, place string) (*postgres.DB, *orchestrator.Orchestrator, error) {
	db, err := postgres.Open(ctx, place)
	if err != nil {
		return nil, nil, err
	}
	o, err := desk(orchestrator.Journal(db.Journal()))
	return db, o, err
}

func queueWork(ctx context.Context, place string, _ share) error {
	db, o, err := open(ctx, place)
	if err != nil {
		return err
	}
	defer db.Close()
	e, err := db.Engine(o, postgres.Workers(atOnce))
	if err != nil {
		return err
	}
	return e.Work(ctx)
}

// queuing begins runs on PostgreSQL.
type queuing struct {
	*postgres.Engine
	db    *postgres.DB
	place string
}

func queueClient(ctx context.Context, place string) (client, error) {
	db, o, err := open(ctx, place)
	if err != nil {
		return nil, err
	}
	e, err := db.Engine(o)
	return queuing{e, db, place}, err
}

func (q queuing) Start(ctx context.Context, i int) error {
	_, err := q.Engine.Start(ctx, input(i))
	return err
}

func (q queuing) Wait(ctx context.Context, runs int) error { return completed(ctx, q.place, runs) }

func (q queuing) Close() { q.db.Close() }

// completed waits until so many runs are completed.
func completed(ctx context.Context, place string, runs int) error {
	conn, err := connect(ctx, place)
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

// databaseCost tells what there is and was written, by the server's own statistics.
func databaseCost(ctx context.Context, place string) (c cost, err error) {
	db, err := postgres.Open(ctx, place) // which makes the tables
	if err != nil {
		return c, err
	}
	db.Close()
	conn, err := connect(ctx, place)
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
	if f, err := os.Open(filepath.Join(folder, "postmaster.pid")); err == nil { // else it is on another machine
		defer f.Close()
		if first, err := bufio.NewReader(f).ReadString('\n'); err == nil {
			c.processor = processorTime(number(strings.TrimSpace(first)))
		}
	}
	return c, nil
}
