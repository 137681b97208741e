package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The files are numbered from 1, without gaps. Never change one that was released.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the key of the advisory lock that is held during a migration of any schema. It is the
// ASCII code of "aion".
const migrationLock = 0x61696f6e

// migrate applies the missing migrations. Several processes may call it at once.
func (db *DB) migrate(ctx context.Context) error {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		// Waiting for another process, or changing large tables, may take long.
		_, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
		if err == nil {
			_, err = tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock)
		}
		if err != nil {
			return err
		}
		version, err := readVersion(ctx, tx)
		if err != nil {
			return err
		}
		if version > len(files) {
			return fmt.Errorf("the tables have version %d, but this program only supports versions up to %d: use a newer program", version, len(files))
		}
		for i, file := range files[version:] {
			sql, err := migrations.ReadFile("migrations/" + file.Name())
			if err == nil {
				_, err = tx.Exec(ctx, string(sql))
			}
			if err == nil {
				_, err = tx.Exec(ctx, "INSERT INTO aion_migrations (version, name) VALUES ($1, $2)", version+i+1, file.Name())
			}
			if err != nil {
				return fmt.Errorf("%s: %w", file.Name(), err)
			}
		}
		return nil
	})
}

// readVersion returns the version of the tables, 0 if there are none. It checks before it creates
// anything, so that a user without CREATE can use existing tables.
func readVersion(ctx context.Context, tx pgx.Tx) (version int, err error) {
	var exists bool
	if err := tx.QueryRow(ctx, "SELECT to_regclass('aion_migrations') IS NOT NULL").Scan(&exists); err != nil {
		return 0, err
	}
	if !exists {
		_, err := tx.Exec(ctx, `CREATE TABLE aion_migrations (
			version integer PRIMARY KEY,
			name    text NOT NULL,
			at      timestamptz NOT NULL DEFAULT now())`)
		return 0, err
	}
	err = tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM aion_migrations").Scan(&version)
	return version, err
}
