package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Store returns a memory store that keeps its values in the database.
func (db *DB) Store() memory.Store { return dbStore{db} }

type dbStore struct{ db *DB }

const writeSQL = `INSERT INTO aion_memory (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`

// Write implements [memory.Store].
func (s dbStore) Write(ctx context.Context, key string, value any) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	text, err := memory.Marshal(key, value)
	if err != nil {
		return err
	}
	return s.changeEntry(ctx, key, writeSQL, []byte(key), string(text))
}

// Delete implements [memory.Store].
func (s dbStore) Delete(ctx context.Context, key string) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	return s.changeEntry(ctx, key, "DELETE FROM aion_memory WHERE key = $1", []byte(key))
}

// changeTimeout limits the duration of a change once it has begun.
const changeTimeout = 10 * time.Second

// changeEntry executes a statement. Canceling ctx does not interrupt it once it has begun, so an
// error of the context means that nothing was changed.
func (s dbStore) changeEntry(ctx context.Context, key, sql string, args ...any) error {
	err := retryWhile(ctx, isUnapplied, func() error {
		conn, err := s.db.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTimeout)
		defer cancel()
		_, err = conn.Exec(ctx, sql, args...)
		return err
	})
	return storeError(key, err)
}

// Read implements [memory.Store].
func (s dbStore) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := memory.Check(ctx, key); err != nil {
		return nil, false, err
	}
	var value []byte
	err := retryWhile(ctx, isTransient, func() error {
		return s.db.pool.QueryRow(ctx, "SELECT value FROM aion_memory WHERE key = $1", []byte(key)).Scan(&value)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	return value, err == nil, storeError(key, err)
}

// A search reads in pages, so that it does not occupy a connection while the loop of the caller runs,
// which may need a connection itself.
const searchSQL = `
SELECT key, value FROM (
	SELECT key, value, sum(octet_length(value)) OVER (ORDER BY key) - octet_length(value) AS before
	FROM (SELECT key, value FROM aion_memory WHERE key >= $1 AND key < $2 ORDER BY key LIMIT 256) page
) page WHERE before < 1048576 ORDER BY key`

// Search implements [memory.Store].
func (s dbStore) Search(ctx context.Context, prefix string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		for from, end := []byte(prefix), prefixEnd(prefix); ; {
			page, err := s.readPage(ctx, from, end)
			if err != nil {
				yield(memory.Entry{}, storeError(prefix, err))
				return
			}
			for _, entry := range page {
				if !yield(entry, nil) {
					return
				}
			}
			if len(page) == 0 {
				return
			}
			from = append([]byte(page[len(page)-1].Key), 0)
		}
	}
}

func (s dbStore) readPage(ctx context.Context, from, end []byte) (page []memory.Entry, err error) {
	err = retryWhile(ctx, isTransient, func() error {
		rows, err := s.db.pool.Query(ctx, searchSQL, from, end)
		if err != nil {
			return err
		}
		page, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (e memory.Entry, err error) {
			var key, value []byte
			err = row.Scan(&key, &value)
			return memory.Entry{Key: string(key), Value: value}, err
		})
		return err
	})
	return page, err
}

// prefixEnd returns the least key that is greater than all keys with a prefix.
func prefixEnd(prefix string) []byte {
	end := []byte(prefix)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) == 0 { // greater than every key, because keys are shorter
		return []byte(strings.Repeat("\xff", memory.MaxKey+1))
	}
	end[len(end)-1]++
	return end
}

func storeError(key string, err error) error {
	switch {
	case err == nil:
		return nil
	case isClosed(err):
		return &memory.Error{Kind: memory.Closed, Key: key, Err: errors.New("the database is closed")}
	}
	return &memory.Error{Kind: memory.Failed, Key: key, Err: err}
}
