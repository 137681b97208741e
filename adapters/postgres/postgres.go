// Package postgres stores runs and agents' memories in PostgreSQL, for programs with more than
// one process or machine.
//
// Open a database with [Open]. [DB.Journal] returns its journal.Journal and [DB.Store] its
// memory.Store; [DB.Engine] lets workers in any number of processes execute runs. Acknowledged
// changes are on the server's disk.
//
// The names of the tables begin with aion_. They are in the first schema of the search path;
// Open creates and updates them. Nothing is encrypted.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is a database. Open it with [Open]. It is safe for concurrent use.
type DB struct {
	pool     *pgxpool.Pool
	listener listener
}

// Open connects to a PostgreSQL database, version 13 or later, whose encoding is UTF8. It creates
// missing tables if the user has the privilege CREATE on the schema. The URL has the format of libpq
// and pgx, for example
//
//	postgres://user@host/database?pool_max_conns=20&search_path=agents
//
// Environment variables such as PGPASSWORD supply what the URL leaves out. Open returns an error
// if the tables are newer than this package, if the default isolation level of transactions is
// not read committed, or if commits are acknowledged before they are on disk.
func Open(ctx context.Context, url string) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, urlError(err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	db := &DB{pool: pool}
	if err = db.checkSettings(ctx); err == nil {
		err = db.migrate(ctx)
	}
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return db, nil
}

// urlError returns the error of an invalid URL without the URL, which may contain a password.
func urlError(err error) error {
	parts := strings.Split(err.Error(), "`: ") // after the URL
	return fmt.Errorf("postgres: invalid database URL: %s", parts[len(parts)-1])
}

// checkSettings returns an error if a setting of the database could lose or change data.
func (db *DB) checkSettings(ctx context.Context) error {
	var encoding, commit, isolation string
	err := db.pool.QueryRow(ctx, "SELECT current_setting('server_encoding'), current_setting('synchronous_commit'), current_setting('default_transaction_isolation')").Scan(&encoding, &commit, &isolation)
	switch {
	case err != nil:
		return err
	case encoding != "UTF8":
		return fmt.Errorf("the database has the encoding %s, which cannot represent every text; create one with ENCODING 'UTF8'", encoding)
	case commit == "off":
		return errors.New("synchronous_commit is off, so acknowledged changes may be lost; add synchronous_commit=on to the URL")
	case isolation != "read committed":
		return fmt.Errorf("default_transaction_isolation is %s, so workers would miss changes of others, or fail; add default_transaction_isolation=read%%20committed to the URL", isolation)
	}
	return nil
}

// Close waits for calls in progress and closes all connections. Later calls fail.
func (db *DB) Close() {
	db.listener.close()
	db.pool.Close()
}
