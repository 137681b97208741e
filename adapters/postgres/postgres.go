// Package postgres keeps runs and what agents remember in PostgreSQL, for programs
// of more than one process or machine: [DB.Journal] is a journal.Journal, [DB.Store]
// a memory.Store, and by [DB.Engine] workers in any number of processes go on with runs.
// What they acknowledge is on the disk of the server.
//
// Their tables begin with aion_, in the first schema of the search path, and are
// made and brought up to date by [Open]. Everything is in clear.
//
// Its layers, from top to bottom:
//
//	engine, worker  runs, and who goes on with them
//	queue, listen   which of them are due, and how one hears of it
//	journal, store  what is kept
//	postgres        the database
//	migrate         its tables
//	again           what is done when the server is away
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is a database, which is safe for concurrent use. It is made by [Open].
type DB struct {
	pool     *pgxpool.Pool
	listener listener
}

// Open connects to a database of PostgreSQL 13 or later, whose encoding is UTF8, and
// makes the tables that are not there yet; for that its user needs CREATE on the
// schema. The URL is as libpq and pgx take it, such as
//
//	postgres://user@host/database?pool_max_conns=20&search_path=agents
//
// and what it does not say, the variables of the environment do, such as PGPASSWORD. It
// is an error if the tables are of a newer version than this package, or if transactions
// are not read committed, or not on the disk when they are acknowledged.
func Open(ctx context.Context, url string) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, unreadable(err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	db := &DB{pool: pool}
	if err = db.check(ctx); err == nil {
		err = db.migrate(ctx)
	}
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return db, nil
}

// unreadable tells what is wrong with a URL without the URL, in which a password may be
// that nobody finds.
func unreadable(err error) error {
	parts := strings.Split(err.Error(), "`: ") // which the URL is before
	return fmt.Errorf("postgres: the URL cannot be read: %s", parts[len(parts)-1])
}

// check returns an error if the database cannot keep what it is given.
func (db *DB) check(ctx context.Context) error {
	var encoding, commit, isolation string
	err := db.pool.QueryRow(ctx, "SELECT current_setting('server_encoding'), current_setting('synchronous_commit'), current_setting('default_transaction_isolation')").Scan(&encoding, &commit, &isolation)
	switch {
	case err != nil:
		return err
	case encoding != "UTF8":
		return fmt.Errorf("the database has the encoding %s, which cannot keep every text; make one with ENCODING 'UTF8'", encoding)
	case commit == "off":
		return errors.New("synchronous_commit is off, so that what was acknowledged may be lost; add synchronous_commit=on to the URL")
	case isolation != "read committed":
		return fmt.Errorf("default_transaction_isolation is %s, by which workers would miss what others did, or fail; add default_transaction_isolation=read%%20committed to the URL", isolation)
	}
	return nil
}

// Close waits for calls under way and closes all connections. Later calls fail.
func (db *DB) Close() {
	db.listener.close()
	db.pool.Close()
}
